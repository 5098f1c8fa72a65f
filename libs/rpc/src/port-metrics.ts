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

/** Whether a port in another process can be reached: `closed` (yes), `opening` (calls wait for a first connection), or
 *  `open` (no: calls fail at once, while attempts go on). */
export type CircuitState = 'closed' | 'opening' | 'open';

/** What the connections to ports in other processes tell. The hooks must not throw. */
export interface ConnectionMetrics {
  /** At the start and after each change. */
  circuit(port: string, state: CircuitState): void;
  /** Connections that take calls of the port, after each change. */
  sockets(port: string, open: number): void;
  /** A connection was opened again after a loss. */
  reconnected(port: string): void;
}

/** Tells nobody. */
export const noConnectionMetrics: ConnectionMetrics = {
  circuit: () => undefined,
  sockets: () => undefined,
  reconnected: () => undefined,
};
