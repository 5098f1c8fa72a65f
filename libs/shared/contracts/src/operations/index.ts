export type {
  AsyncActionCompleted,
  AsyncActionEnqueued,
  AsyncActionFailed,
  AsyncActionSnapshot,
  AsyncActionStarted,
  AsyncActionType,
  TaskEvent,
  TaskWork,
  VoucherGenerationWork,
} from './task.events';
export { taskUpcasters } from './task.upcasters';
export { taskIdPrefix, type TaskOwner, taskOwner } from './task-owner';
