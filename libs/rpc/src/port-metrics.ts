/** How a call ended: with a value, a refusal, one of the faults, or an error nobody expected. */
export type CallOutcome = 'answered' | 'refused' | 'deadline' | 'overloaded' | 'unavailable' | 'failed';

/** What the callers and the server of a port tell about each call. Both hooks must not throw. */
export interface PortMetrics {
  /** After each call, as the caller saw it. `durationMs` has fractions. */
  called(call: { port: string; method: string; outcome: CallOutcome; durationMs: number }): void;
  /** Calls of a port being served in this process, after each change. */
  inFlight(port: string, calls: number): void;
}

/** Tells nobody. */
export const noPortMetrics: PortMetrics = { called: () => undefined, inFlight: () => undefined };
