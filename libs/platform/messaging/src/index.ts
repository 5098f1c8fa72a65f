export {
  type CloudEvent,
  NotACloudEvent,
  fromCloudEvent,
  toCloudEvent,
  topicOfEvent,
} from './feed/cloud-event';
export { type Consumer, contextOfGroup } from './consumer/consumer';
export { Consumes, type ConsumesOptions, EVENT_BUS } from './consumer/consumes.decorator';
export type { DeadLetter, Mirror } from './parking/dead-letter';
export { type Decode, type Delivery, type Undecodable, keyOf } from './feed/delivery';
export { type EventBatch, StaleBatch } from './feed/event-batch';
export type { EventFeed, Lag, Workers } from './feed/event-feed';
export { EventTransport } from './consumer/event-transport';
export { deadLetterTopic } from './kafka/dead-letter-topic';
export { KafkaEventTransport, type KafkaTransportOptions } from './kafka/kafka-event-transport';
export type { KafkaSettings } from './kafka/kafka-settings';
export { type ReadOwnersLog, readInNewestVersion } from './kafka/owners-log';
export { KafkaRelay, type KafkaRelayOptions } from './kafka/relay/kafka-relay';
export { rewindRelay } from './kafka/relay/rewind-relay';
export { type RelayMetrics, type RelayStatus, noRelayMetrics } from './kafka/relay/relay-metrics';
export { type ConsumerStatus, type MessagingMetrics, noMessagingMetrics } from './messaging-metrics';
export { notationOf } from './kafka/kafka-message';
export { partitionOfKey } from './kafka/partitioning';
export { messagingMigrations } from './migrations';
export { WatchedConnection, type WatchTimes } from './locks/watched-connection';
export type { ReplayedKey } from './parking/parked-key-replay';
export type { PartitionOfGroup } from './partition/partition-position';
export { PartitionWorker } from './partition/partition-worker';
export type { Replayed, WorkersOptions } from './partition/partition-workers';
export { eventStoreLogs } from './postgres/event-store-logs';
export { type LogPage, type LogSource, readTopicFrom } from './postgres/log-source';
export { PostgresEventTransport } from './postgres/postgres-event-transport';
export { type RetrySchedule, defaultRetrySchedule } from './partition/retry-schedule';
export { CannotSwap } from './rebuild/shadow-tables';
export type { Rebuilt } from './rebuild/rebuild';
export { NullEventFeed } from './feed/null-event-feed';
export type { UpcastersOf } from './feed/newest-version';
export { parseTopic, topicOf } from './feed/topic-name';
