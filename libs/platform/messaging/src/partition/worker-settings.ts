import type { Mirror } from '../parking/dead-letter';
import type { UpcastersOf } from '../feed/newest-version';
import type { MessagingMetrics } from '../messaging-metrics';
import type { RetrySchedule } from './retry-schedule';

/** What all workers of a process share. */
export interface WorkerSettings {
  retries: RetrySchedule;
  metrics: MessagingMetrics;
  mirror?: Mirror;
  /** Brings parked events to their newest schema versions; none unless given. */
  upcastersOf?: UpcastersOf;
}
