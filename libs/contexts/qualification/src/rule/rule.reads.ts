import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { runQuery } from '@scrip/event-store';
import type { RequestContext } from '@scrip/kernel';
import { InjectListReader, type ListReader } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { ruleNotFound, type RuleRefusal, type RuleState } from './rule.decider';
import { type RuleListQuery, ruleListStatements } from './rule-list.query';

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

  /** A page of rules, and how many match as far as lists count. */
  async list(context: RequestContext, query: RuleListQuery): Promise<{ rules: RuleState[]; total: number }> {
    const { rows, total } = await this.lists.page<{ state: RuleState }>(
      context,
      ruleListStatements(context.project.id, query),
    );
    return { rules: rows.map(({ state }) => state), total };
  }
}
