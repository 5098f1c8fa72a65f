/** Limits and time-outs of the transport. Both sides of a connection should have the same `frameBytes` and
 *  heartbeat. */
export interface TcpLimits {
  /** UTF-8 bytes of one request or answer with its context. */
  frameBytes: number;
  /** Calls without an answer on one socket; further ones go to another socket or wait. */
  callsPerSocket: number;
  /** Bytes not yet handed to the kernel: a client's socket takes no more calls, a server reads no more of them. */
  queuedBytes: number;
  /** Calls of one port that wait for room or for a connection; one more is `Fault` `overloaded`. One
   *  project takes at most half. */
  waitingCalls: number;
  /** Bytes of the calls that wait, per port; of one project at most half. */
  waitingBytes: number;
  /** How often names are resolved again. */
  resolveEveryMs: number;
  /** Connecting and proving the secret, for clients. */
  connectTimeoutMs: number;
  /** How long after the start of the process it may take until others are up: until then nothing is warned of that was
   *  never reached. */
  startTogetherMs: number;
  /** Proving the secret, for servers. */
  handshakeTimeoutMs: number;
  /** Sockets that have not proved the secret yet, per server; one more closes the oldest of them. */
  unproved: number;
  /** Pause between two pings. */
  heartbeatMs: number;
  /** Heartbeats without a byte from the other side after which it counts as gone. */
  silentBeats: number;
  backoffMinMs: number;
  backoffMaxMs: number;
  /** How long a closing server waits for calls in progress. */
  drainMs: number;
}

export const defaultLimits: TcpLimits = {
  frameBytes: 1_048_576,
  callsPerSocket: 256,
  queuedBytes: 4 * 1_048_576,
  waitingCalls: 1_000,
  waitingBytes: 16 * 1_048_576,
  resolveEveryMs: 5_000,
  connectTimeoutMs: 1_000,
  startTogetherMs: 30_000,
  handshakeTimeoutMs: 2_000,
  unproved: 64,
  heartbeatMs: 750,
  silentBeats: 4,
  backoffMinMs: 50,
  backoffMaxMs: 1_000,
  drainMs: 10_000,
};
