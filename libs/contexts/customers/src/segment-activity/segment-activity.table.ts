import type { SegmentSnapshot } from '@scrip/contracts/customers';
import type { DataSource, EntityManager } from 'typeorm';
import { columnsOf, type InProject } from '../activity/activity.table';
import type { SegmentActivity } from './segment-activity';

/** Stores activities; one that is there already stays as it is. */
export const insertSegmentActivities = async (
  manager: EntityManager,
  activities: readonly SegmentActivity[],
): Promise<void> => {
  if (activities.length === 0) return;
  await manager.query(
    `INSERT INTO segment_activities SELECT * FROM jsonb_populate_recordset(NULL::segment_activities, $1::jsonb)
     ON CONFLICT (project_id, segment_id, id) DO NOTHING`,
    [JSON.stringify(activities)],
  );
};

/** Deletes all activities of segments. */
export const deleteSegmentActivities = async (
  manager: EntityManager,
  segments: readonly InProject[],
): Promise<void> => {
  if (segments.length === 0) return;
  await manager.query(
    `DELETE FROM segment_activities a USING unnest($1::text[], $2::text[]) n(project_id, id)
     WHERE a.project_id = n.project_id AND a.segment_id = n.id`,
    columnsOf(segments),
  );
};

/** Segments as their newest activity left them, by project and id. */
export const segmentsAsTold = async (
  dataSource: DataSource,
  segments: readonly InProject[],
): Promise<Map<string, SegmentSnapshot>> => {
  if (segments.length === 0) return new Map();
  const rows = await dataSource.query<(InProject & { segment: SegmentSnapshot })[]>(
    `SELECT n.project_id, n.id, a.segment
     FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::text[])) n(project_id, id)
     CROSS JOIN LATERAL (
       SELECT segment FROM segment_activities
       WHERE project_id = n.project_id AND segment_id = n.id ORDER BY created_at DESC, id DESC LIMIT 1) a`,
    columnsOf(segments),
  );
  return new Map(rows.map(({ project_id, id, segment }) => [`${project_id} ${id}`, segment]));
};
