import { Logger } from '@nestjs/common';
import type {
  MadeRule,
  QualificationPort,
  RuleDefinition,
  RuledObject,
  WantedAssignment,
} from '@scrip/contracts/qualification';
import { Fault, type IdSource, isRefused, notFound, type Refusal, type RequestContext } from '@scrip/kernel';
import { noAssignments, renderAssignments, type RuleAssignmentsResponse } from '@scrip/wire/qualification';
import { isSettledCreation, type RuledCreations } from './ruled-creations.table';

/** An object that is created with rules. `made`: those that are created with it. */
export interface RuledBeginning extends RuledObject {
  rules: readonly string[];
  made?: readonly RuleDefinition[];
}

/** Rules in the bodies of what is created, and in answers that show it. Source: ADR 114. */
export class RulesOfBodies {
  private readonly logger = new Logger(RulesOfBodies.name);

  constructor(
    private readonly port: QualificationPort,
    private readonly creations: RuledCreations,
  ) {}

  /** Refuses `not_found` for the first of these rules that does not exist. Asks nothing where there is none. */
  async mustExist(context: RequestContext, ruleIds: readonly string[]): Promise<Refusal<'not_found'> | null> {
    if (ruleIds.length === 0) return null;
    const { unknown } = await this.port.unknownRules(context, { ids: [...new Set(ruleIds)] });
    return unknown[0] === undefined ? null : notFound('validation_rules', unknown[0]);
  }

  /** The id of a new object. A repeated call finds the one of before, unless that was given up. `ruled`: it has rules. */
  async newId<Prefix extends string>(
    context: RequestContext,
    ids: IdSource,
    { prefix, kind, ruled }: { prefix: Prefix; kind: string; ruled: boolean },
  ): Promise<ReturnType<typeof ids.next<Prefix>>> {
    for (let tries = 1; ; tries += 1) {
      const id = ids.next(prefix, tries === 1 ? kind : `${kind}:${tries}`);
      if (!ruled || !(await this.creations.givenUp(context.project.id, [id])).has(id)) return id;
    }
  }

  /** Assigns the rules of all beginnings, then creates them. `created`: the object whose creation they stand or fall with, which
   *  `create` stores with its `creationRow`. What is refused keeps no rule; what breaks off is asked about later. Refuses
   *  `not_found` (rule), and as `create` does. Throws `Fault` where the creation was given up meanwhile. */
  async around<Answer>(
    context: RequestContext,
    ids: IdSource,
    { created, beginnings }: { created: string; beginnings: readonly RuledBeginning[] },
    create: () => Promise<Answer>,
  ): Promise<Answer | Refusal<'not_found'>> {
    const made = beginnings.flatMap((beginning) => madeFor(ids, beginning));
    const assignments = beginnings.flatMap((beginning) => wantedFor(ids, beginning, made));
    if (assignments.length === 0) return create();
    const assigned = await this.port.assignRules(context, { assignments, made });
    if (isRefused(assigned)) return assigned;
    try {
      const answer = await create();
      if (isRefused(answer)) await this.giveUp(context, created, assignments);
      return answer;
    } catch (error) {
      if (isSettledCreation(error)) throw new Fault('unavailable', `the creation of ${created} was given up`);
      throw error;
    }
  }

  /** Assigns rules to an object that exists, and has some of them or none, then changes it. A change that is refused leaves no
   *  rule behind; a process that dies in between leaves the object with the rules, and as it was. Refuses `not_found` (rule), and as
   *  `change` does. */
  async adding<Answer>(
    context: RequestContext,
    ids: IdSource,
    object: RuledBeginning,
    change: () => Promise<Answer>,
  ): Promise<Answer | Refusal<'not_found'>> {
    const assignments = wantedFor(ids, object, []);
    if (assignments.length === 0) return change();
    const added = await this.port.addRules(context, { assignments });
    if (isRefused(added)) return added;
    const answer = await change();
    if (isRefused(answer) && added.length > 0) await this.port.unassignRules(context, { assignments: added });
    return answer;
  }

  /** The lists of rules that answers show of these objects, by one call for all. Several ids: of one object and of what it inherits
   *  rules from. Throws `Fault` where qualification does not answer. */
  async shown(
    context: RequestContext,
    objects: readonly string[],
  ): Promise<(...ids: (string | null)[]) => RuleAssignmentsResponse> {
    if (objects.length === 0) return noAssignments;
    const lists = await this.listsOf(context, [...new Set(objects)]);
    return (...ids) => renderAssignments(ids.flatMap((id) => (id === null ? [] : (lists.get(id) ?? []))));
  }

  private async listsOf(context: RequestContext, objects: readonly string[]) {
    const pages = Array.from({ length: Math.ceil(objects.length / objectsPerCall) }, (_, page) =>
      objects.slice(page * objectsPerCall, (page + 1) * objectsPerCall),
    );
    const answers = await Promise.all(
      pages.map((page) => this.port.assignmentsOf(context, { objects: page })),
    );
    return new Map(answers.flatMap(({ lists }) => lists.map((list) => [list.object_id, list] as const)));
  }

  private async giveUp(
    context: RequestContext,
    created: string,
    assignments: readonly WantedAssignment[],
  ): Promise<void> {
    try {
      const givenUp = await this.creations.giveUp(context.project.id, [created]);
      if (givenUp.has(created))
        await this.port.unassignRules(context, {
          assignments: assignments.map(({ id, rule_id }) => ({ id, rule_id })),
        });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.logger.warn(`rules of ${created} are taken off later: ${error.message}`);
    }
  }
}

/** What one call of `assignmentsOf` takes. */
const objectsPerCall = 1_000;

const madeFor = (ids: IdSource, { id, made = [] }: RuledBeginning): MadeRule[] =>
  made.map((definition, place) => ({
    id: ids.next('val_', `rule:${id}:${place}`),
    definition,
    made_for: id,
  }));

const wantedFor = (
  ids: IdSource,
  { type, id, campaign_id, rules }: RuledBeginning,
  made: readonly MadeRule[],
): WantedAssignment[] => {
  const own = made.flatMap((rule) => (rule.made_for === id ? [rule.id] : []));
  return [...new Set([...rules, ...own])].map((rule_id, place) => ({
    id: ids.next('asgm_', `assignment:${id}:${place}`),
    rule_id,
    related_object_type: type,
    related_object_id: id,
    campaign_id,
  }));
};
