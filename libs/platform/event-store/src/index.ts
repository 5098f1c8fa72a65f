export type {
  AggregateDefinition,
  ColumnSpec,
  Command,
  Decision,
  Loaded,
  LockedCommand,
  NewStream,
  ReadingCommand,
  RowChange,
  SideRows,
  SqlValue,
  StreamChange,
} from './aggregate/aggregate';
export type { FirstExpression } from './bulk/bulk-statement';
export type { StreamWrites } from './bulk/stream-writes';
export { AggregateStore, type StoreLimits, defaultLimits } from './commit/aggregate-store';
export {
  type ClassifiedError,
  EventTooLarge,
  MissingEvent,
  StaleRow,
  UniqueViolation,
  UnstorableText,
  VersionConflict,
  classifyDatabaseError,
  isDatabaseAway,
} from './database/database-error';
export { type EventData, type EventMetadata, type StoredEvent, metadataOf } from './aggregate/event';
export { EventStore, type LogPage } from './event-store';
export { EventStoreModule, InjectEventStore, eventStoreToken } from './event-store.module';
export {
  type LogPosition,
  type PositionParts,
  comparePositions,
  formatPosition,
  logStart,
  parsePosition,
} from './log/log-position';
export { EventStoreMetrics } from './metrics';
export { type MigrationClass, eventStoreMigrations } from './migrations';
export { snapshotColumns, stateTableColumns } from './aggregate/state-table.sql';
export { decisionOf, stateAfter } from './aggregate/fold';
export { stateSource, stateOf } from './aggregate/state-row';
export { BoundedClient, type BoundedSettings } from './database/bounded-client';
export { poolOf } from './database/pool-of';
export { ofAnyLength } from './database/any-length';
export { lookUp, runQuery } from './database/run-query';
export { untilWritersEnd } from './database/until-writers-end';
export { PreparingClient } from './database/preparing-client';
export type { Difference, VerifyProgress } from './verify/verify-state';
