import type { ValidationRuleSnapshot } from '@scrip/contracts/qualification';
import { runQuery } from '@scrip/event-store';
import type { DataSource, EntityManager } from 'typeorm';

/** A rule as it stood when it was named. `version`: counts in its epoch, as PostgreSQL returns a bigint. */
export interface RuleVersion {
  rule_id: string;
  version: string;
  epoch: number;
}

/** A rule with the version that it was read in. */
export type StoredRule = RuleVersion & { rule: ValidationRuleSnapshot };

/** Reads rules of a project, in one statement. Deleted ones are among them: what obeyed them may be decided at this moment. */
export const readRules = (
  on: DataSource | EntityManager,
  projectId: string,
  ruleIds: readonly string[],
): Promise<StoredRule[]> =>
  runQuery<StoredRule>(
    on,
    `SELECT id AS rule_id, version, epoch, state->'rule' AS rule FROM validation_rules
     WHERE project_id = $1 AND id = ANY($2)`,
    [projectId, ruleIds],
  );
