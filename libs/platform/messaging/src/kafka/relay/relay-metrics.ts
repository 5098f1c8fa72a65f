/** What a relay tells while it works. Hooks must not throw. */
export interface RelayMetrics {
  /** Events are in Kafka. `delayMs`: from the append of the oldest of them until now. */
  published(batch: { service: string; events: number; durationMs: number; delayMs: number }): void;
  /** The broker refuses an event for good: it is noted in `unpublished_events`. */
  refused(event: { service: string; topic: string }): void;
}

/** Measures nothing. */
export const noRelayMetrics: RelayMetrics = { published: () => undefined, refused: () => undefined };

/** How far a relay is, for gauges and operators. */
export interface RelayStatus {
  service: string;
  /** Whether this process publishes; another one does otherwise, or none. */
  leading: boolean;
  /** Events of the log that are not in Kafka; counted up to 10,000. */
  lagEvents: number;
  /** Age of the oldest of them; 0 when there is none. */
  lagSeconds: number;
  /** When this process last published something, ISO; null before. */
  lastPublishedAt: string | null;
  /** Events that the broker refused. */
  refused: number;
}
