import { runQuery } from '@scrip/event-store';
import type { EntityManager } from 'typeorm';

/** Stores that objects are deleted; those that are known change nothing. */
export const storeDeletedObjects = async (
  manager: EntityManager,
  deleted: readonly { project_id: string; object_id: string }[],
): Promise<void> => {
  await runQuery(
    manager,
    `INSERT INTO deleted_objects (project_id, object_id)
     SELECT project_id, object_id FROM jsonb_populate_recordset(NULL::deleted_objects, $1::jsonb)
     ON CONFLICT DO NOTHING`,
    [JSON.stringify(deleted)],
  );
};

// A value and no NOT EXISTS: the planner would join the tables as a whole before it takes the first rows.
/** Whether neither what a listed row was of nor its campaign is deleted. `project`: the placeholder of the project. */
export const isOfLiveObject = (project: string): string =>
  `coalesce((SELECT false FROM deleted_objects d WHERE d.project_id = ${project}
    AND d.object_id IN (related_object_id, related_object_parent_id) LIMIT 1), true)`;
