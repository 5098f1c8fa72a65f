/** How a request to a service ended. `cancelled`: its caller went away first. */
export type UpstreamOutcome = 'answered' | 'unavailable' | 'deadline' | 'overloaded' | 'cancelled';

/** What a gateway tells about each request that it sent on. Must not throw. */
export interface UpstreamMetrics {
  /** `durationMs` has fractions; up to the answer's head, of a buffered one up to its end. */
  called(call: { service: string; outcome: UpstreamOutcome; durationMs: number }): void;
}

/** Measures nothing. */
export const noUpstreamMetrics: UpstreamMetrics = { called: () => undefined };
