import { Fault, newId, type Refusal, refuse, type RequestContext } from '@scrip/kernel';
import type { NamedByRules, NamedObject, QualificationPort } from './qualification.port';

type Notes = Pick<QualificationPort, 'noteDeletion' | 'forgetDeletion'>;

/** How many objects one note of a deletion has at most. */
export const namedPerNote = 500;

/** How many rules a refusal of a deletion names at most. */
export const namingRulesShown = 100;

const inUse = ({ object, id, rules }: NamedByRules): Refusal<'resource_in_use'> =>
  refuse(
    'resource_in_use',
    `Resource ${object} with id ${id} is in use by validation_rules with ids [${rules.join(',')}]`,
    {
      resourceId: id,
      resourceType: object,
      related_object_ids: rules,
      related_object_type: 'validation_rules',
    },
  );

/** Deletes objects by `remove` unless a rule names one of them, and keeps rules from naming them meanwhile. `pages`: the objects, at most
 *  `namedPerNote` to a page. Refuses `resource_in_use`, and what `remove` refuses. Source: reference 07 §6, ADR 146. */
export const deleteUnlessNamed = async <Answer>(
  qualification: Notes,
  context: RequestContext,
  {
    pages,
    remove,
  }: {
    pages: Iterable<NamedObject[]> | AsyncIterable<NamedObject[]>;
    remove: () => Promise<Answer>;
  },
): Promise<Answer | Refusal<'resource_in_use'>> => {
  const deletion_id = newId('del_');
  const refusal = await noted(qualification, context, deletion_id, pages);
  // Where this throws, the deletion may still be under way: the note ends by itself.
  const answer = refusal ?? (await remove());
  await qualification.forgetDeletion(context, { deletion_id }).catch(onlyLate);
  return answer;
};

const noted = async (
  qualification: Notes,
  context: RequestContext,
  deletion_id: string,
  pages: Iterable<NamedObject[]> | AsyncIterable<NamedObject[]>,
): Promise<Refusal<'resource_in_use'> | null> => {
  for await (const objects of pages) {
    const { named } = await qualification.noteDeletion(context, { deletion_id, objects });
    if (named) return inUse(named);
  }
  return null;
};

// What was decided stands; a note that is not forgotten ends by itself.
const onlyLate = (error: unknown): void => {
  if (!(error instanceof Fault)) throw error;
};
