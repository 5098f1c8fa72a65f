import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  type LoadedRules,
  type RuleDefinition,
  ruleBytesLoaded,
  rulesLoaded,
  type ValidationRuleSnapshot,
} from '@scrip/contracts/qualification';
import { runQuery } from '@scrip/event-store';
import type { RequestContext } from '@scrip/kernel';
import { InjectListReader, type ListReader } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { ruleNotFound, type RuleRefusal, type RuleState } from './rule.decider';
import { type RuleListQuery, ruleListStatements } from './rule-list.query';

// What an answer does not hold counts, and is null.
const firstOfObject = `
  SELECT CASE WHEN bytes <= ${ruleBytesLoaded} THEN rule END AS rule, total FROM (
    SELECT r.state->'rule' AS rule, count(*) OVER ()::int AS total, row_number() OVER w AS place,
      sum(octet_length(r.state->>'rule')) OVER w AS bytes
    FROM rule_assignments a JOIN validation_rules r ON r.project_id = a.project_id AND r.id = a.rule_id
    WHERE a.project_id = $1 AND a.related_object_id = $2
    WINDOW w AS (ORDER BY a.created_at, a.id)) q
  WHERE place <= ${rulesLoaded} ORDER BY place`;

const definitionOf = ({
  id: _,
  created_at: __,
  updated_at: ___,
  ...definition
}: ValidationRuleSnapshot): RuleDefinition => definition;

/** Reads validation rules as they stand. */
@Injectable()
export class RuleReads {
  constructor(
    @InjectDataSource('qualification') private readonly dataSource: DataSource,
    @InjectListReader('qualification') private readonly lists: ListReader,
  ) {}

  /** Refuses `not_found`. */
  async find({ project }: RequestContext, id: string): Promise<RuleState | RuleRefusal> {
    const [row] = await runQuery<{ state: RuleState }>(
      this.dataSource,
      'SELECT state FROM validation_rules WHERE project_id = $1 AND id = $2 AND NOT deleted',
      [project.id, id],
    );
    return row?.state ?? ruleNotFound(id);
  }

  /** Which of these rules do not exist. */
  async unknown(projectId: string, ids: readonly string[]): Promise<string[]> {
    const rows = await runQuery<{ id: string }>(
      this.dataSource,
      'SELECT id FROM validation_rules WHERE project_id = $1 AND id = ANY($2) AND NOT deleted',
      [projectId, ids],
    );
    const known = new Set(rows.map(({ id }) => id));
    return ids.filter((id) => !known.has(id));
  }

  /** See `QualificationPort.loadRulesOf`. */
  async ofObject(projectId: string, objectId: string): Promise<LoadedRules> {
    const rows = await runQuery<{ rule: ValidationRuleSnapshot | null; total: number }>(
      this.dataSource,
      firstOfObject,
      [projectId, objectId],
    );
    const rules = rows.flatMap(({ rule }) => (rule ? [definitionOf(rule)] : []));
    return { rules, total: rows[0]?.total ?? 0 };
  }

  /** A page of rules, and how many match as far as lists count. */
  async list(context: RequestContext, query: RuleListQuery): Promise<{ rules: RuleState[]; total: number }> {
    const { rows, total } = await this.lists.page<{ state: RuleState }>(
      context,
      ruleListStatements(context.project.id, query),
    );
    return { rules: rows.map(({ state }) => state), total };
  }
}
