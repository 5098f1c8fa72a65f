export { InternalContexts, noSettings } from './internal-contexts';
export { AbandonedTasks } from './task/abandoned-tasks';
export { BatchTable, batchKeysColumn } from './items/batch.table';
export { erasedNameRows, noteCleared } from './items/erased-name.table';
export type { ItemOutcome, ItemTask, TaskInput } from './items/item-task';
export { outcomeOf } from './items/outcome-of';
export { TaskErasure } from './items/task-erasure';
export { ItemTasks } from './items/item-tasks';
export { CreateErasedNames1800000002700 } from './migrations/create-erased-names.migration';
export { CreateTaskBatches1797100000001 } from './migrations/create-task-batches.migration';
export { CreateTasks1797100000000 } from './migrations/create-tasks.migration';
export { advanceTask } from './task/advance-task';
export { taskAggregate, taskAggregateWith } from './task/task.aggregate';
export {
  enqueuedTask,
  evolveTask,
  hasEnded,
  progressOf,
  type TaskCommand,
  type TaskState,
} from './task/task.decider';
export { type TaskJob, taskJob, TaskJobs, type WaitingTask } from './task/task-jobs';
export { payloadRow } from './task/task-payloads';
export { TaskPruner } from './task/task-pruner';
export { tasksOfContext } from './tasks-of-context';
export { MetadataUpdateTask, type RecordMetadata } from './upserts/metadata-update.task';
export { UpsertTask } from './upserts/upsert.task';
export { concernedSets } from './kept-sets/concerned-sets';
export { keptSetJobs } from './kept-sets/kept-set-jobs';
export type { KeptSet, KeptSets } from './kept-sets/kept-sets';
