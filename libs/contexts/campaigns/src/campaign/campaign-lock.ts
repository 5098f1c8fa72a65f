import { runQuery } from '@scrip/event-store';
import type { EntityManager } from 'typeorm';

/** Locks the row of a campaign until the transaction ends: of two that do so, one commits before the other reads. */
export const lockCampaign = (manager: EntityManager, projectId: string, id: string): Promise<unknown> =>
  runQuery(manager, 'SELECT 1 FROM campaigns WHERE project_id = $1 AND id = $2 FOR NO KEY UPDATE', [
    projectId,
    id,
  ]);
