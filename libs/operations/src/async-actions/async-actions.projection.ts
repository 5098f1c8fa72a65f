import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { type AsyncActionSnapshot, type TaskEvent, topics } from '@scrip/contracts';
import { Consumes, type EventBatch } from '@scrip/messaging';

/** One task as the list keeps it. */
interface ListedTask {
  project_id: string;
  id: string;
  version: number;
  created_at: string;
  async_action: AsyncActionSnapshot;
}

/** Keeps the list of background tasks from what their owners tell. */
@Controller()
export class AsyncActionsProjection {
  @Consumes(topics.campaignTask, {
    group: 'operations.async-actions',
    reset: async (manager) => {
      await manager.query('TRUNCATE async_actions');
    },
  })
  async tasks(@Payload() batch: EventBatch): Promise<void> {
    const newest = new Map<string, ListedTask>();
    for (const { projectId, streamId, version, data } of batch.events) {
      const { async_action } = data as TaskEvent['data'];
      const { created_at } = async_action;
      newest.set(`${projectId}\n${streamId}`, {
        project_id: projectId,
        id: streamId,
        version,
        created_at,
        async_action,
      });
    }
    await batch.commit(async (manager) => {
      // A task that was parked and is told again must not fall behind what is known of it.
      await manager.query(
        `INSERT INTO async_actions SELECT project_id, id, version, created_at, async_action
         FROM jsonb_populate_recordset(NULL::async_actions, $1::jsonb)
         ON CONFLICT (project_id, id) DO UPDATE SET version = excluded.version, async_action = excluded.async_action
         WHERE async_actions.version < excluded.version`,
        [JSON.stringify([...newest.values()])],
      );
    });
  }
}
