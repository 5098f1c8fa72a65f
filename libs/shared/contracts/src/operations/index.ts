export {
  type ExportedObject,
  type ExportField,
  type ExportOrderField,
  exportKindOf,
  exportKinds,
  type ExportOwner,
  tellsOfPeople,
} from './export-kinds';
export {
  exportFileKeys,
  exportsMethods,
  type ExportOrder,
  type ExportParameters,
  type ExportsPort,
} from './exports.port';
export {
  type NotedCall,
  notedChannels,
  notedTogether,
  type OperationsPort,
  operationsPort,
} from './operations.port';
export type {
  AsyncActionCompleted,
  AsyncActionEnqueued,
  AsyncActionFailed,
  AsyncActionResult,
  AsyncActionSnapshot,
  AsyncActionStarted,
  ItemsWork,
  ItemTaskKind,
  TaskEvent,
  TaskWork,
  VoucherDeletionWork,
  VoucherGenerationWork,
  VoucherUpdateWork,
} from './task.events';
export { taskUpcasters } from './task.upcasters';
export { taskIdPrefix, type TaskOwner, taskOwner } from './task-owner';
export {
  type ItemFailure,
  type ItemIdentifier,
  type ItemResult,
  type OwnedAsyncAction,
  type TaskReportPage,
  tasksMethods,
  type TasksPort,
} from './tasks.port';
export {
  binEntryFields,
  binnedTypes,
  trashBinMethods,
  type BinEntriesWanted,
  type BinEntry,
  type BinEntryField,
  type TrashBinPort,
} from './trash-bin.port';
