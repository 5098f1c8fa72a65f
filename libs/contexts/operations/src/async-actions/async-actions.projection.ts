import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import type { AsyncActionSnapshot, TaskEvent } from '@scrip/contracts/operations';
import { topics } from '@scrip/contracts/registry';
import { Consumes, type EventBatch } from '@scrip/messaging';

/** A task as the list stores it. */
interface ListedTask {
  project_id: string;
  id: string;
  version: number;
  created_at: string;
  async_action: AsyncActionSnapshot;
}

/** Maintains the list of background tasks from the events of their owners. */
@Controller()
export class AsyncActionsProjection {
  @Consumes([topics.campaignTask, topics.customerTask, topics.catalogTask], {
    group: 'operations.async-actions',
    fills: ['async_actions'],
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
      // An event that was parked and arrives late must not overwrite a newer state.
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
