export type {
  AggregateDefinition,
  ColumnSpec,
  Command,
  Decision,
  Loaded,
  LockedCommand,
  NewStream,
  RowChange,
  SqlValue,
  StreamChange,
} from './aggregate';
export { AggregateStore, type StoreLimits, defaultLimits } from './aggregate-store';
export {
  type ClassifiedError,
  type DatabaseErrorKind,
  EventTooLarge,
  StaleRow,
  UniqueViolation,
  VersionConflict,
  classifyDatabaseError,
  isDatabaseAway,
} from './database-error';
export { type EventData, type EventMetadata, type StoredEvent, metadataOf } from './event';
export { EventStore } from './event-store';
export { EventStoreModule, InjectEventStore, eventStoreToken } from './event-store.module';
export { type EventFixture, fixtureProblems } from './fixtures';
export {
  type LogPosition,
  type PositionParts,
  comparePositions,
  formatPosition,
  logStart,
  parsePosition,
} from './log-position';
export { EventStoreMetrics } from './metrics';
export { type MigrationClass, eventStoreMigration, stateTableColumns } from './migration';
export { PreparingClient } from './preparing-client';
export { type Upcaster, type Upcasters, newestSchemaVersion, upcast } from './upcasting';
export type { Difference } from './verify-state';
