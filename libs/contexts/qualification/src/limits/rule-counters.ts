import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { MadeRule, RuleDefinition, WantedAssignment } from '@scrip/contracts/qualification';
import { runQuery } from '@scrip/event-store';
import { isRefused, type RequestContext } from '@scrip/kernel';
import { compileRule } from '@scrip/rules';
import type { DataSource } from 'typeorm';
import { scopesRuledBy, type CountedObject } from './ruled-scopes';
import { ScopeActivation } from './scope-activation';

/** Assignments whose counters are completed at once. */
const perPage = 1_000;

/** The limits that a rule's logic names, whatever metadata schemas there are. */
const countersOf = (definition: RuleDefinition): readonly string[] => {
  const compiled = compileRule(definition, '');
  return isRefused(compiled) ? [] : compiled.counters;
};

/** Keeps the counters that rules read from before the rules are in force. What it does not know of, because a call came in
 *  between, is completed by the first request that reads it (`LimitCounters`). Source: reference 02 §4.6, ADR 35. */
@Injectable()
export class RuleCounters {
  constructor(
    @InjectDataSource('qualification') private readonly dataSource: DataSource,
    private readonly activation: ScopeActivation,
  ) {}

  /** Returns when the counters of rules that are about to be assigned count everything. `areNew`: the objects are created after
   *  this; not those of assignments that are there already, since their objects may be. `made`: rules that are created with it.
   *  Throws `Fault` `deadline`. */
  async beforeAssigning(
    context: RequestContext,
    wanted: readonly WantedAssignment[],
    { areNew, made = [] }: { areNew: boolean; made?: readonly MadeRule[] },
  ): Promise<void> {
    const rules = await this.query<{ id: string; state: { rule: RuleDefinition } }>(
      'SELECT id, state FROM validation_rules WHERE project_id = $1 AND id = ANY($2) AND NOT deleted',
      [context.project.id, [...new Set(wanted.map(({ rule_id }) => rule_id))]],
    );
    const counters = new Map([
      ...made.map(({ id, definition }) => [id, countersOf(definition)] as const),
      ...rules.map(({ id, state }) => [id, countersOf(state.rule)] as const),
    ]);
    const limiting = wanted.filter(({ rule_id }) => (counters.get(rule_id)?.length ?? 0) > 0);
    if (limiting.length === 0) return;
    const known = areNew ? await this.existing(context.project.id, limiting) : null;
    await this.activation.activate(
      context,
      limiting.flatMap(({ id, rule_id, related_object_type: type, related_object_id, campaign_id }) => {
        const isNew = known !== null && !known.has(id);
        return scopesRuledBy(counters.get(rule_id)!, { type, id: related_object_id, campaign_id, isNew });
      }),
    );
  }

  /** The same for the objects of a rule whose definition is about to be `after`. */
  async beforeChanging(
    context: RequestContext,
    ruleId: string,
    { before, after }: { before: RuleDefinition; after: RuleDefinition },
  ): Promise<void> {
    const kept = new Set(countersOf(before));
    const gained = countersOf(after).filter((name) => !kept.has(name));
    if (gained.length === 0) return;
    let last = { since: '-infinity', assignment: '' };
    for (;;) {
      const page = await this.query<CountedObject & typeof last>(
        `SELECT id AS assignment, created_at::text AS since, related_object_type AS type, related_object_id AS id, campaign_id
         FROM rule_assignments
         WHERE project_id = $1 AND rule_id = $2 AND (created_at, id) > ($3::timestamptz, $4)
         ORDER BY created_at, id LIMIT ${perPage}`,
        [context.project.id, ruleId, last.since, last.assignment],
      );
      await this.activation.activate(
        context,
        page.flatMap((object) => scopesRuledBy(gained, object)),
      );
      if (page.length < perPage) return;
      last = page.at(-1)!;
    }
  }

  private async existing(projectId: string, wanted: readonly WantedAssignment[]): Promise<Set<string>> {
    const rows = await this.query<{ id: string }>(
      'SELECT id FROM rule_assignments WHERE project_id = $1 AND id = ANY($2)',
      [projectId, wanted.map(({ id }) => id)],
    );
    return new Set(rows.map(({ id }) => id));
  }

  private query<Row>(sql: string, parameters: readonly unknown[]): Promise<Row[]> {
    return runQuery<Row>(this.dataSource, sql, [...parameters]);
  }
}
