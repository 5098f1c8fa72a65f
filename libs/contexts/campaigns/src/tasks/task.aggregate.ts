import { type TaskEvent, taskUpcasters } from '@scrip/contracts/operations';
import type { AggregateDefinition } from '@scrip/event-store';
import { type TaskState, evolveTask } from './task.decider';

/** How background tasks are stored. */
export const taskAggregate: AggregateDefinition<TaskState, TaskEvent> = {
  aggregate: 'task',
  table: 'tasks',
  evolve: evolveTask,
  upcasters: taskUpcasters,
  columns: {
    status: { type: 'text', of: ({ async_action }) => async_action.status },
    campaign_id: { type: 'text', of: ({ work }) => work.campaign_id },
    created_at: { type: 'timestamptz', of: ({ async_action }) => async_action.created_at },
  },
};
