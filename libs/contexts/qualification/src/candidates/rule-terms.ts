import { Injectable } from '@nestjs/common';
import { runQuery } from '@scrip/event-store';
import { isRefused } from '@scrip/kernel';
import { type CandidateTerms, candidateTerms } from '@scrip/order-preview';
import { type CompiledRule, compileRule } from '@scrip/rules';
import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';
import { readRules, type RuleVersion } from '../rule/stored-rules';
import { type CandidateRow, isLookedAt } from './candidate';
import { type TermRow, ruleSpace } from './candidates.table';

/** A rule that holds for more objects than this makes no terms: a change of it would write too many rows at once. */
const termedObjectsMax = 1_000;

/** Nor does a rule for a candidate whose terms, times the objects of the rule, are more than this. */
const termedRowsMax = 20_000;

/** What one process keeps of all projects: rules, and characters of their definitions. */
const kept = { rules: 2_000, characters: 10_000_000 };

interface Assigned extends RuleVersion {
  object_id: string;
  assignments: number;
}

/** A compiled rule, null where it cannot be read, and for how many objects it holds. */
interface Known {
  rule: CompiledRule | null;
  assignments: number;
}

/** The space of stacks: each of their tiers obeys the rules of the campaign. */
export const stackSpace = 'STACK';

const anything: CandidateTerms = { QUALIFY: ['*'], AUDIENCE: ['*'], DISCOUNTED: ['*'], NAMED: ['*'] };

const objectsOf = ({ id, kind, campaign_id }: CandidateRow): string[] =>
  kind === 'promotion_stack'
    ? [campaign_id!]
    : [...new Set([id, ...(campaign_id === null ? [] : [campaign_id])])];

/** Makes the terms of candidates of what their rules demand when it is called. */
@Injectable()
export class RuleTerms {
  /** By id, epoch and version. */
  private readonly compiled = new LRUCache<string, Pick<Known, 'rule'>>({
    max: kept.rules,
    maxSize: kept.characters,
    sizeCalculation: ({ rule }) => JSON.stringify(rule?.definition ?? null).length,
  });

  /** Returns the rows of `candidate_terms` of candidates of one project; candidates that no request looks at have none. The candidates
   *  are locked. */
  async of(manager: EntityManager, projectId: string, rows: readonly CandidateRow[]): Promise<TermRow[]> {
    const looked = rows.filter(isLookedAt);
    if (looked.length === 0) return [];
    const assigned = await this.assignedTo(manager, projectId, [...new Set(looked.flatMap(objectsOf))]);
    const byObject = new Map<string, Assigned[]>();
    for (const one of assigned) byObject.set(one.object_id, [...(byObject.get(one.object_id) ?? []), one]);
    const rules = await this.rulesOf(
      manager,
      projectId,
      assigned.filter(({ assignments }) => assignments <= termedObjectsMax),
    );
    return looked.flatMap((row) => {
      const own = objectsOf(row).flatMap((object) => byObject.get(object) ?? []);
      return this.termsOf(row, [...new Set(own.map(({ rule_id }) => rule_id))], rules);
    });
  }

  private termsOf(
    row: CandidateRow,
    ruleIds: readonly string[],
    rules: ReadonlyMap<string, Known>,
  ): TermRow[] {
    const known = ruleIds.flatMap((ruleId) => rules.get(ruleId) ?? []);
    const terms = this.termsBy(row, ruleIds, known);
    const few = known.filter(({ assignments }) => assignments * terms.length <= termedRowsMax);
    return few.length < known.length ? this.termsBy(row, ruleIds, few) : terms;
  }

  private termsBy(
    { id, kind, incentive, created_at }: CandidateRow,
    ruleIds: readonly string[],
    of: readonly Known[],
  ): TermRow[] {
    const known = of.flatMap(({ rule }) => rule ?? []);
    const terms = candidateTerms({ incentive }, known);
    // What is not known may widen what a discount acts on, and name any line.
    const isPartial = known.length < ruleIds.length;
    const { QUALIFY, AUDIENCE, DISCOUNTED, NAMED } = isPartial
      ? { ...anything, QUALIFY: terms.QUALIFY, AUDIENCE: terms.AUDIENCE }
      : terms;
    const spaces: Record<string, readonly string[]> =
      kind === 'promotion_stack' ? { [stackSpace]: QUALIFY } : { QUALIFY, AUDIENCE, DISCOUNTED, NAMED };
    return [
      ...Object.entries(spaces).flatMap(([space, list]) =>
        list.map((term) => ({ id, space, term, created_at })),
      ),
      ...known.map((rule) => ({ id, space: ruleSpace, term: rule.id, created_at })),
    ];
  }

  private assignedTo(
    manager: EntityManager,
    projectId: string,
    objects: readonly string[],
  ): Promise<Assigned[]> {
    return runQuery<Assigned>(
      manager,
      `SELECT a.related_object_id AS object_id, a.rule_id, r.version, r.epoch, (r.state->>'assignments')::int AS assignments
       FROM rule_assignments a JOIN validation_rules r ON r.project_id = a.project_id AND r.id = a.rule_id
       WHERE a.project_id = $1 AND a.related_object_id = ANY($2)`,
      [projectId, objects],
    );
  }

  private async rulesOf(
    manager: EntityManager,
    projectId: string,
    assigned: readonly Assigned[],
  ): Promise<Map<string, Known>> {
    const nameOf = ({ rule_id, epoch, version }: RuleVersion) =>
      `${projectId} ${rule_id} ${epoch} ${version}`;
    const rules = new Map<string, Known>();
    const missing = new Map<string, number>();
    for (const { assignments, ...version } of assigned) {
      const known = this.compiled.get(nameOf(version));
      if (known) rules.set(version.rule_id, { ...known, assignments });
      else missing.set(version.rule_id, assignments);
    }
    if (missing.size === 0) return rules;
    for (const stored of await readRules(manager, projectId, [...missing.keys()])) {
      const { rule_id: id } = stored;
      const compiled = compileRule(stored.rule, id);
      const rule = isRefused(compiled) ? null : compiled;
      this.compiled.set(nameOf(stored), { rule });
      rules.set(id, { rule, assignments: missing.get(id)! });
    }
    return rules;
  }
}
