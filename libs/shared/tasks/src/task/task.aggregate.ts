import { type TaskEvent, taskUpcasters } from '@scrip/contracts/operations';
import type { AggregateDefinition, ColumnSpec } from '@scrip/event-store';
import { type TaskState, evolveTask } from './task.decider';

/** How background tasks of a context are stored: in its table `tasks`. One for each context. `columns`: further key columns. */
export const taskAggregateWith = (
  columns: Record<string, ColumnSpec<TaskState>> = {},
): AggregateDefinition<TaskState, TaskEvent> => ({
  aggregate: 'task',
  table: 'tasks',
  evolve: evolveTask,
  upcasters: taskUpcasters,
  columns: {
    status: { type: 'text', of: ({ async_action }) => async_action.status },
    ...columns,
    created_at: { type: 'timestamptz', of: ({ async_action }) => async_action.created_at },
  },
});

/** Tasks without further columns. */
export const taskAggregate = taskAggregateWith();
