/** What bounds the transport and its patience. Both sides of a connection should agree on `frameBytes` and on the
 *  heartbeat. */
export interface TcpLimits {
  /** UTF-8 bytes of one request or answer with its context. */
  frameBytes: number;
  /** Calls without an answer on one socket; further ones go to another socket or wait. */
  callsPerSocket: number;
  /** Bytes not yet handed to the kernel: a client's socket takes no more calls, a server reads no more of them. */
  queuedBytes: number;
  /** Calls of one port that wait for room or for a connection; one more is `Fault` `overloaded`. */
  waitingCalls: number;
  /** Bytes of the calls that wait, per port. */
  waitingBytes: number;
  /** How often names are resolved again. */
  resolveEveryMs: number;
  /** Connecting and proving the secret, for clients. */
  connectTimeoutMs: number;
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
  /** What a closing server gives calls in flight. */
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
  handshakeTimeoutMs: 2_000,
  unproved: 64,
  heartbeatMs: 750,
  silentBeats: 4,
  backoffMinMs: 50,
  backoffMaxMs: 1_000,
  drainMs: 10_000,
};
