import { IsCursor, IsOneOf, LimitQuery, orderOf } from '@scrip/edge';
import { type SqlStatement, StatementValues } from '@scrip/list-query';
import { IsOptional } from 'class-validator';

/** Query of GET /v1/segments/{segmentId}/activities. Source: reference 07 §4. */
export class SegmentActivitiesQuery extends LimitQuery {
  @IsOptional()
  @IsOneOf(['created_at', '-created_at'])
  order: 'created_at' | '-created_at' = '-created_at';

  @IsOptional()
  @IsCursor('event')
  starting_after_id?: string;
}

/** Where the event of `starting_after_id` stands. */
export interface SegmentActivityCursor {
  id: string;
  created_at: Date;
}

/** The statement of a page, with one row more than it shows where there is more. */
export const segmentActivitiesStatement = (
  segment: { projectId: string; id: string },
  query: SegmentActivitiesQuery,
  cursor: SegmentActivityCursor | null,
): SqlStatement => {
  const { descending } = orderOf(query.order);
  const [direction, after] = descending ? ['DESC', '<'] : ['ASC', '>'];
  const values = new StatementValues();
  const where = [`project_id = ${values.add(segment.projectId)}`, `segment_id = ${values.add(segment.id)}`];
  if (cursor)
    where.push(
      `(created_at, id) ${after} (${values.add(cursor.created_at)}::timestamptz, ${values.add(cursor.id)})`,
    );
  return {
    text: `SELECT id, type, created_at, group_id, source, segment FROM segment_activities
      WHERE ${where.join(' AND ')} ORDER BY created_at ${direction}, id ${direction} LIMIT ${query.limit + 1}`,
    values: values.all,
  };
};
