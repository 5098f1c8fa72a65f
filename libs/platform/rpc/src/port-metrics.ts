/** How a call ended: with a value, a refusal, one of the faults, or another error. */
export type CallOutcome = 'answered' | 'refused' | 'deadline' | 'overloaded' | 'unavailable' | 'failed';

/** Receives measurements from the callers and the server of a port. Neither hook may throw. */
export interface PortMetrics {
  /** After each call, as the caller saw it. `durationMs` has fractions. */
  called(call: { port: string; method: string; outcome: CallOutcome; durationMs: number }): void;
  /** Calls of a port being served in this process, after each change. */
  inFlight(port: string, calls: number): void;
}

/** Measures nothing. */
export const noPortMetrics: PortMetrics = { called: () => undefined, inFlight: () => undefined };

/** State of the connections to a port in another process: `closed` (calls go through), `opening` (calls wait for a
 *  first connection), `open` (calls fail at once while connecting is retried). */
export type CircuitState = 'closed' | 'opening' | 'open';

/** Receives measurements of the connections to ports in other processes. No hook may throw. */
export interface ConnectionMetrics {
  /** At the start and after each change. */
  circuit(port: string, state: CircuitState): void;
  /** Connections that take calls of the port, after each change. */
  sockets(port: string, open: number): void;
  /** A connection was opened again after a loss. */
  reconnected(port: string): void;
}

/** Measures nothing. */
export const noConnectionMetrics: ConnectionMetrics = {
  circuit: () => undefined,
  sockets: () => undefined,
  reconnected: () => undefined,
};
