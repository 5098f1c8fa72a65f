import type { LogPosition } from '@scrip/event-store';
import type { PartitionOfGroup } from './partition/partition-position';

/** What consumers tell while they work. Hooks must not throw. */
export interface MessagingMetrics {
  /** A batch took effect. `delayMs`: from the append of its oldest event until now. */
  applied(batch: PartitionOfGroup & { events: number; durationMs: number; delayMs: number }): void;
  /** A key failed and was set aside with `events` waiting events; `RETRYING` has tries left before it is `PARKED`. */
  setAside(key: PartitionOfGroup & { state: 'RETRYING' | 'PARKED'; events: number }): void;
}

/** Measures nothing. */
export const noMessagingMetrics: MessagingMetrics = { applied: () => undefined, setAside: () => undefined };

/** How far one reader is, for gauges and operators. */
export interface ConsumerStatus extends PartitionOfGroup {
  /** Whether this process consumes it now; another one does otherwise, or none. */
  running: boolean;
  position: LogPosition;
  /** Events known to wait; a lower bound while the reader catches up. Null where nothing can be said: neither the
   *  adapter nor the topic's owner answers. */
  lagEvents: number | null;
  /** Age of the oldest event known to wait; 0 when none does, null where nothing can be said. */
  lagSeconds: number | null;
  parkedKeys: number;
  parkedEvents: number;
}
