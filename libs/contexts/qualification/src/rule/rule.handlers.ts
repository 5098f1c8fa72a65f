import { Injectable } from '@nestjs/common';
import type { ValidationRuleEvent } from '@scrip/contracts/qualification';
import {
  type AggregateStore,
  decisionOf,
  type EventStore,
  InjectEventStore,
  runQuery,
} from '@scrip/event-store';
import { type BusinessClock, isRefused, type RequestContext } from '@scrip/kernel';
import { InjectBusinessClock } from '@scrip/service';
import { RuleCounters } from '../limits/rule-counters';
import { DeletionNotes } from '../naming/deletion-notes';
import { ruleAggregate } from './rule.aggregate';
import { decideRule, ruleNotFound, type RuleRefusal, type RuleState } from './rule.decider';
import { RuleReads } from './rule.reads';
import { readRule } from './rule-request';

/** Objects that the refusal of a deletion names. */
const namedMax = 20;

/** Creates, changes and deletes validation rules. Source: reference 02 §5. */
@Injectable()
export class RuleHandlers {
  private readonly rules: AggregateStore<RuleState, ValidationRuleEvent>;

  constructor(
    @InjectEventStore('qualification') store: EventStore,
    private readonly reads: RuleReads,
    private readonly counters: RuleCounters,
    private readonly deletions: DeletionNotes,
    @InjectBusinessClock() private readonly clock: BusinessClock,
  ) {
    this.rules = store.aggregate(ruleAggregate);
  }

  /** Creates a rule from a body; repeated under the same id, answers the first result. Refuses as `readRule`, and
   *  `multiple_requests` where it names what is being deleted. */
  async create(context: RequestContext, id: string, body: unknown): Promise<RuleState | RuleRefusal> {
    const definition = readRule(body, { id, stored: null });
    if (isRefused(definition)) return definition;
    const rule = { id, ...definition, created_at: this.now(context), updated_at: null };
    return this.rules.executeLocked<RuleState, RuleRefusal['refused']>({
      context,
      streamId: id,
      decide: async (state, read) =>
        (state ? null : await this.deletions.refusalOf(context, read, definition)) ??
        decisionOf(ruleAggregate, state, decideRule({ type: 'CreateRule', rule }, state), (after) => after),
    });
  }

  /** What the body says replaces what is stored, once the counters that it reads count everything. Refuses `not_found`, and as
   *  `create`. Throws `Fault` `deadline`. */
  async update(context: RequestContext, id: string, body: unknown): Promise<RuleState | RuleRefusal> {
    const current = await this.reads.find(context, id);
    if (!isRefused(current)) {
      const after = readRule(body, { id, stored: current.rule });
      if (!isRefused(after)) await this.counters.beforeChanging(context, id, { before: current.rule, after });
    }
    return this.rules.executeLocked<RuleState, RuleRefusal['refused']>({
      context,
      streamId: id,
      decide: async (state, read) => {
        if (!state || state.deleted) return ruleNotFound(id);
        const { id: _, created_at: __, updated_at: ___, ...stored } = state.rule;
        const definition = readRule(body, { id, stored });
        if (isRefused(definition)) return definition;
        const refusal = await this.deletions.refusalOf(context, read, definition);
        if (refusal) return refusal;
        const command = { type: 'UpdateRule', id, definition, now: this.now(context) } as const;
        return decisionOf(ruleAggregate, state, decideRule(command, state), (after) => after);
      },
    });
  }

  /** Refuses `not_found`, and `resource_in_use` where something obeys the rule. */
  delete(context: RequestContext, id: string): Promise<RuleState | RuleRefusal> {
    return this.rules.executeLocked<RuleState, RuleRefusal['refused']>({
      context,
      streamId: id,
      decide: async (state, read) => {
        const rows = state?.assignments
          ? await runQuery<{ id: string; type: string }>(
              read,
              `SELECT related_object_id AS id, related_object_type AS type FROM rule_assignments WHERE project_id = $1 AND rule_id = $2
               ORDER BY created_at, id LIMIT ${namedMax}`,
              [context.project.id, id],
            )
          : [];
        const command = { type: 'DeleteRule', id, assigned: rows } as const;
        return decisionOf(ruleAggregate, state, decideRule(command, state), (after) => after);
      },
    });
  }

  private now({ project }: RequestContext): string {
    return this.clock.now(project).toISOString();
  }
}
