import { Injectable } from '@nestjs/common';
import type {
  MadeRule,
  RuleAssignmentSnapshot,
  ValidationRuleEvent,
  WantedAssignment,
} from '@scrip/contracts/qualification';
import {
  type AggregateStore,
  type Decision,
  decisionOf,
  type EventStore,
  InjectEventStore,
} from '@scrip/event-store';
import { type BusinessClock, Fault, isRefused, type Refusal, type RequestContext } from '@scrip/kernel';
import { InjectBusinessClock } from '@scrip/service';
import type { EntityManager } from 'typeorm';
import { RuleCounters } from '../limits/rule-counters';
import { DeletionNotes } from '../naming/deletion-notes';
import { ruleAggregate } from '../rule/rule.aggregate';
import type { RuleCommand } from '../rule/rule.commands';
import { decideRules, type RuleRefusal, type RuleState } from '../rule/rule.decider';
import {
  assignmentRows,
  type AssignmentsOfRule,
  assignmentsOfRule,
  type FoundAssignments,
} from './assignment-rows';

/** A rule that does not exist is the only thing that an assignment under a fresh id to a fresh object is refused for. */
const isNotFound = (answer: unknown): boolean => isRefused(answer) && answer.refused === 'not_found';

const byRule = <Named extends { rule_id: string }>(all: readonly Named[]): [string, Named[]][] => {
  const groups = new Map<string, Named[]>();
  for (const one of all) groups.set(one.rule_id, [...(groups.get(one.rule_id) ?? []), one]);
  return [...groups];
};

/** Assigns rules to objects, and takes them off: what concerns one rule in one transaction. Decided on the rule's stream: a rule is
 *  deleted or assigned, never both. */
@Injectable()
export class AssignmentHandlers {
  private readonly rules: AggregateStore<RuleState, ValidationRuleEvent>;

  constructor(
    @InjectEventStore('qualification') store: EventStore,
    private readonly counters: RuleCounters,
    private readonly deletions: DeletionNotes,
    @InjectBusinessClock() private readonly clock: BusinessClock,
  ) {
    this.rules = store.aggregate(ruleAggregate);
  }

  /** Repeated under the same id, answers the first result. `force`: an assignment to the same object gives way. Refuses
   *  `not_found` (rule), `duplicate_found`. */
  async assign(
    context: RequestContext,
    wanted: WantedAssignment,
    { force = false } = {},
  ): Promise<RuleAssignmentSnapshot | RuleRefusal> {
    await this.counters.beforeAssigning(context, [wanted], { areNew: false });
    const assigned = await this.assignRule(context, wanted.rule_id, [wanted], { force });
    return isRefused(assigned) ? assigned : assigned[0]!;
  }

  /** See `QualificationPort.assignRules`. */
  async assignAll(
    context: RequestContext,
    wanted: readonly WantedAssignment[],
    made: readonly MadeRule[] = [],
  ): Promise<RuleAssignmentSnapshot[] | Refusal<'not_found'>> {
    await this.counters.beforeAssigning(context, wanted, { areNew: true, made });
    const answers = await Promise.all(
      byRule(wanted).map(([ruleId, some]) =>
        this.assignRule(context, ruleId, some, {
          force: false,
          made: made.find(({ id }) => id === ruleId) ?? null,
        }),
      ),
    );
    const assigned = answers.flatMap((answer) => (isRefused(answer) ? [] : answer));
    if (assigned.length === wanted.length) return assigned;
    await this.unassignAll(context, assigned, { neverWas: true });
    const refusal = answers.find(isNotFound);
    if (!refusal) throw new Error(`a rule is assigned twice: ${JSON.stringify(wanted)}`);
    return refusal as Refusal<'not_found'>;
  }

  /** See `QualificationPort.addRules`. */
  async assignMissing(
    context: RequestContext,
    wanted: readonly WantedAssignment[],
  ): Promise<RuleAssignmentSnapshot[] | Refusal<'not_found'>> {
    await this.counters.beforeAssigning(context, wanted, { areNew: false });
    const answers = await Promise.all(
      byRule(wanted).map(([ruleId, some]) =>
        this.assignRule(context, ruleId, some, { force: false, keepExisting: true }),
      ),
    );
    const ids = new Set(wanted.map(({ id }) => id));
    const assigned = answers
      .flatMap((answer) => (isRefused(answer) ? [] : answer))
      .filter(({ id }) => ids.has(id));
    const refusal = answers.find(isNotFound);
    if (!refusal) return assigned;
    await this.unassignAll(context, assigned);
    return refusal as Refusal<'not_found'>;
  }

  /** Takes off what is there of these. `neverWas`: their objects did not come about. See `QualificationPort.unassignRules`. */
  async unassignAll(
    context: RequestContext,
    assignments: readonly Pick<RuleAssignmentSnapshot, 'id' | 'rule_id'>[],
    { neverWas = false } = {},
  ): Promise<null> {
    await Promise.all(
      byRule(assignments).map(([ruleId, some]) => {
        const ids = some.map(({ id }) => id);
        return this.execute(context, ruleId, {
          named: { ids },
          commandsOf: ({ byId }) =>
            [...byId.values()].map((existing) => ({
              type: 'UnassignRule',
              id: ruleId,
              assignmentId: existing.id,
              existing,
              neverWas,
            })),
          answerOf: () => null,
        });
      }),
    );
    return null;
  }

  /** Refuses `not_found` (rule, assignment). */
  async unassign(
    context: RequestContext,
    { ruleId, assignmentId }: { ruleId: string; assignmentId: string },
  ): Promise<RuleRefusal | null> {
    const ended = await this.execute(context, ruleId, {
      named: { ids: [assignmentId] },
      commandsOf: ({ byId }) => {
        const existing = byId.get(assignmentId) ?? null;
        return [{ type: 'UnassignRule', id: ruleId, assignmentId, existing }];
      },
      answerOf: () => null,
    });
    return isRefused(ended) ? ended : null;
  }

  /** Assigns one rule to objects, all or none. `keepExisting`: what is assigned already is answered as it is. */
  private assignRule(
    context: RequestContext,
    ruleId: string,
    wanted: readonly WantedAssignment[],
    {
      force,
      made = null,
      keepExisting = false,
    }: { force: boolean; made?: MadeRule | null; keepExisting?: boolean },
  ): Promise<RuleAssignmentSnapshot[] | RuleRefusal> {
    const created_at = this.clock.now(context.project).toISOString();
    const creation: RuleCommand[] = made
      ? [
          {
            type: 'CreateRule',
            rule: { id: made.id, ...made.definition, created_at, updated_at: null },
            made_for: made.made_for,
          },
        ]
      : [];
    const assignments = wanted.map(({ campaign_id: _, ...one }) => ({ ...one, created_at }));
    return this.execute(context, ruleId, {
      named: { objects: wanted },
      wanted,
      made,
      commandsOf: ({ ofObject }) => [
        ...creation,
        ...assignments
          .map((assignment) => ({
            type: 'AssignRule' as const,
            assignment,
            existing: ofObject(assignment),
            force,
          }))
          .filter(({ existing }) => !(keepExisting && existing)),
      ],
      answerOf: ({ byId, ofObject }) =>
        assignments.map(
          (assignment) =>
            byId.get(assignment.id) ?? (keepExisting ? ofObject(assignment) : null) ?? assignment,
        ),
    });
  }

  private execute<Answer>(
    context: RequestContext,
    ruleId: string,
    {
      named,
      wanted = [],
      made = null,
      commandsOf,
      answerOf,
    }: {
      named: AssignmentsOfRule;
      wanted?: readonly WantedAssignment[];
      made?: MadeRule | null;
      commandsOf: (found: FoundAssignments) => RuleCommand[];
      answerOf: (found: FoundAssignments) => Answer;
    },
  ): Promise<Answer | RuleRefusal> {
    const projectId = context.project.id;
    return this.rules.executeLocked<Answer, RuleRefusal['refused']>({
      context,
      streamId: ruleId,
      decide: async (state, read): Promise<Decision<ValidationRuleEvent, Answer> | RuleRefusal> => {
        const found = await assignmentsOfRule(read, { projectId, ruleId }, named);
        const commands = commandsOf(found);
        if (commands.length === 0) return { events: [], answer: answerOf(found) };
        if (made && !state) await this.mustNameNothingDeleted(context, read, made);
        const decision = decisionOf(ruleAggregate, state, decideRules(commands, state), () =>
          answerOf(found),
        );
        return isRefused(decision)
          ? decision
          : { ...decision, rows: assignmentRows(projectId, decision.events, wanted) };
      },
    });
  }

  /** Throws `Fault` `unavailable` where the rule names what is being deleted: it can be made once that is over. */
  private async mustNameNothingDeleted(
    context: RequestContext,
    read: EntityManager,
    { definition }: MadeRule,
  ): Promise<void> {
    const refusal = await this.deletions.refusalOf(context, read, definition);
    if (refusal) throw new Fault('unavailable', refusal.details ?? refusal.refused);
  }
}
