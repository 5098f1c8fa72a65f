import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  type NamedByRules,
  type NamedObject,
  namingRulesShown,
  type QualificationPort,
  type RuleDefinition,
} from '@scrip/contracts/qualification';
import { runQuery, untilWritersEnd } from '@scrip/event-store';
import { type Refusal, refuse, type RequestContext } from '@scrip/kernel';
import type { DataSource, EntityManager } from 'typeorm';
import { namesOfRule, ruleNames } from './names-of-rule';

/** Rules that are read at a time to see what they name. */
const pageSize = 100;

interface NamingRule {
  id: string;
  created_at: string;
  rule: RuleDefinition;
}

const namesOf = (objects: readonly NamedObject[]): string[] =>
  objects.flatMap(({ id, source_id }) => (source_id ? [id, source_id] : [id]));

// What ended by itself goes with the next note of its project. Machine time: a deletion is over by its deadline.
const noteSql = `
  WITH over AS (DELETE FROM deletion_notes WHERE project_id = $1 AND until < now())
  INSERT INTO deletion_notes (project_id, name, deletion_id, until)
  SELECT DISTINCT $1, name, $2, now() + interval '2 minutes' FROM unnest($3::text[]) AS n(name) ON CONFLICT DO NOTHING`;

const namingSql = `
  SELECT id, created_at::text, state->'rule' AS rule FROM validation_rules
  WHERE project_id = $1 AND NOT deleted AND names && $2 AND (created_at, id) > ($3::timestamptz, $4)
  ORDER BY created_at, id LIMIT ${pageSize}`;

// Machine time, as above.
const notedSql = `
  SELECT name FROM deletion_notes WHERE project_id = $1 AND name = ANY($2) AND until >= now() ORDER BY name LIMIT 1`;

/** Keeps apart the deletion of what rules can name and the writing of rules. A deletion is noted before rules are looked at, and rules
 *  look at notes in the transaction that stores them: one of the two sees the other. Source: reference 07 §6, ADR 146. */
@Injectable()
export class DeletionNotes {
  constructor(@InjectDataSource('qualification') private readonly dataSource: DataSource) {}

  /** See `QualificationPort.noteDeletion`. */
  readonly note: QualificationPort['noteDeletion'] = async (
    { project, deadlineAt },
    { deletion_id, objects },
  ) => {
    await this.query(noteSql, [project.id, deletion_id, namesOf(objects)]);
    // Rules that are being stored, and have looked at notes before, are seen once they have ended.
    await untilWritersEnd(this.dataSource, ['validation_rules'], deadlineAt);
    return { named: await this.named(project.id, objects) };
  };

  /** See `QualificationPort.forgetDeletion`. */
  readonly forget: QualificationPort['forgetDeletion'] = async ({ project }, { deletion_id }) => {
    await this.query('DELETE FROM deletion_notes WHERE project_id = $1 AND deletion_id = $2', [
      project.id,
      deletion_id,
    ]);
    return null;
  };

  /** Refuses a rule that names what is being deleted. To be called in the transaction that stores the rule, behind the lock of its
   *  row. */
  async refusalOf(
    { project }: RequestContext,
    read: EntityManager,
    definition: RuleDefinition,
  ): Promise<Refusal<'multiple_requests'> | null> {
    const names = namesOfRule(definition);
    if (names.length === 0) return null;
    const [noted] = await runQuery<{ name: string }>(read, notedSql, [project.id, names]);
    return noted
      ? refuse('multiple_requests', `${noted.name}, which the rule names, is being deleted`)
      : null;
  }

  private async named(projectId: string, objects: readonly NamedObject[]): Promise<NamedByRules | null> {
    const rulesOf = new Map<NamedObject, string[]>();
    let last = { created_at: '-infinity', id: '' };
    for (;;) {
      const page = await this.query<NamingRule>(namingSql, [
        projectId,
        namesOf(objects),
        last.created_at,
        last.id,
      ]);
      for (const { id, rule } of page)
        for (const object of objects)
          if (ruleNames(rule, object)) rulesOf.set(object, [...(rulesOf.get(object) ?? []), id]);
      const [first] = objects.flatMap((object) => {
        const rules = rulesOf.get(object);
        return rules ? [{ ...object, rules: rules.slice(0, namingRulesShown) }] : [];
      });
      if (first && (page.length < pageSize || first.rules.length === namingRulesShown)) return first;
      if (page.length < pageSize) return null;
      last = page.at(-1)!;
    }
  }

  private query<Row>(sql: string, values: unknown[]): Promise<Row[]> {
    return runQuery<Row>(this.dataSource, sql, values);
  }
}
