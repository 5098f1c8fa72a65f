import type { Mirror } from './dead-letter';
import type { MessagingMetrics } from './messaging-metrics';
import type { RetrySchedule } from './retry-schedule';

/** What all workers of a process share. */
export interface WorkerSettings {
  retries: RetrySchedule;
  metrics: MessagingMetrics;
  mirror?: Mirror;
}
