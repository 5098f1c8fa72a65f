import { type Refusal, refuse } from '@scrip/kernel';
import { shortened } from '@scrip/kernel/pure';
import type { CompiledRule } from '@scrip/rules';

type Group = CompiledRule['root'];

/** Operators that compare with whole ids. */
const ofWholeIds: ReadonlySet<string> = new Set([
  '$is',
  '$is_not',
  '$in',
  '$not_in',
  '$not_intersect',
  '$not_differ',
]);

const longestTold = 100;

const misnamed = ({ leaves }: Group): { operator: string; operand: string } | null => {
  for (const { entry, conditions, group } of leaves) {
    if (entry.name === 'customer.segment')
      for (const [operator, operands] of Object.entries(conditions))
        for (const operand of operands as readonly unknown[])
          if (ofWholeIds.has(operator) && typeof operand === 'string' && !operand.startsWith('seg_'))
            return { operator, operand };
    const below = group && misnamed(group);
    if (below) return below;
  }
  return null;
};

/** Refuses `invalid_validation_rules`: a rule about segments that names one otherwise than by its id, which no customer's segments ever
 *  have. Only bodies are checked: what was stored before stays as it is. Source: reference 02 §3.1. */
export const segmentsAreNamedById = (
  compiled: Pick<CompiledRule, 'root'>,
): Refusal<'invalid_validation_rules'> | null => {
  const found = misnamed(compiled.root);
  return (
    found &&
    refuse(
      'invalid_validation_rules',
      `Operator '${found.operator}' of rule 'customer.segment' takes only ids of segments (seg_…), not '${shortened(found.operand, longestTold)}'`,
    )
  );
};
