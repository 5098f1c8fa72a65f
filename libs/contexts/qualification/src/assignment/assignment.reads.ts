import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  type AssignmentsOfObject,
  assignmentsPerAnswer,
  assignmentsShown,
  type RuleAssignmentSnapshot,
} from '@scrip/contracts/qualification';
import { runQuery } from '@scrip/event-store';
import type { RequestContext } from '@scrip/kernel';
import { InjectListReader, type ListReader } from '@scrip/service';
import type { DataSource } from 'typeorm';
import {
  assignmentColumns,
  type AssignmentListQuery,
  assignmentListStatements,
} from './assignment-list.query';
import { assignmentOf } from './assignment-rows';

type Row = Parameters<typeof assignmentOf>[0];

// Dealt out by turns: the first assignments of all objects before the second ones of any.
export const firstOfObjects = `
  SELECT ${assignmentColumns}, a.total FROM unnest($2::text[]) AS o(id)
  JOIN LATERAL (
    SELECT ${assignmentColumns}, count(*) OVER ()::int AS total,
      row_number() OVER (ORDER BY a.created_at, a.id) AS turn
    FROM rule_assignments a WHERE a.project_id = $1 AND a.related_object_id = o.id
    ORDER BY a.created_at, a.id LIMIT ${assignmentsShown}) a ON true
  ORDER BY a.turn, o.id LIMIT ${assignmentsPerAnswer}`;

/** Reads what rules are assigned to. */
@Injectable()
export class AssignmentReads {
  constructor(
    @InjectDataSource('qualification') private readonly dataSource: DataSource,
    @InjectListReader('qualification') private readonly lists: ListReader,
  ) {}

  /** The assignments of all of these objects, the oldest first, in one statement. */
  async ofObjects(projectId: string, objectIds: readonly string[]): Promise<RuleAssignmentSnapshot[]> {
    if (objectIds.length === 0) return [];
    const rows = await runQuery<Row>(
      this.dataSource,
      `SELECT ${assignmentColumns} FROM rule_assignments a
       WHERE a.project_id = $1 AND a.related_object_id = ANY($2) ORDER BY a.created_at, a.id`,
      [projectId, objectIds],
    );
    return rows.map(assignmentOf);
  }

  /** See `QualificationPort.assignmentsOf`. */
  async shownOf(projectId: string, objectIds: readonly string[]): Promise<AssignmentsOfObject[]> {
    if (objectIds.length === 0) return [];
    const rows = await runQuery<Row & { total: number }>(this.dataSource, firstOfObjects, [
      projectId,
      [...new Set(objectIds)],
    ]);
    const lists = new Map<string, AssignmentsOfObject>();
    for (const { total, ...row } of rows) {
      const object_id = row.related_object_id;
      const list = lists.get(object_id) ?? { object_id, assignments: [], total };
      list.assignments.push(assignmentOf(row));
      lists.set(object_id, list);
    }
    return [...lists.values()];
  }

  /** A page of assignments, and how many match as far as lists count. */
  async list(
    context: RequestContext,
    query: AssignmentListQuery,
  ): Promise<{ assignments: RuleAssignmentSnapshot[]; total: number }> {
    const { rows, total } = await this.lists.page<Row>(
      context,
      assignmentListStatements(context.project.id, query),
    );
    return { assignments: rows.map(assignmentOf), total };
  }
}
