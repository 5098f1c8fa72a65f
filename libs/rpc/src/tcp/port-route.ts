import { Logger } from '@nestjs/common';
import type { CircuitState, ConnectionMetrics } from '../port-metrics';
import type { Peer } from './peer';
import type { PendingCall } from './pending-call';
import type { PortConnection } from './port-connection';
import type { TcpLimits } from './tcp-limits';

const logger = new Logger('Rpc');

/** Brings the calls of one port to the connection with the fewest calls under way. They wait while all connections are
 *  full or a first one is being opened, and are refused at once while nobody can be reached. */
export class PortRoute {
  private state: CircuitState = 'opening';
  private peers: readonly Peer[] = [];
  private connections: readonly PortConnection[] = [];
  private turns = 0;
  private isResolving = true;
  private isClosed = false;
  private waiting: PendingCall[] = [];
  private waitingBytes = 0;
  private readonly hopeUntil: number;
  private lastCause: Error | undefined;

  constructor(
    readonly port: string,
    private readonly limits: TcpLimits,
    private readonly metrics: ConnectionMetrics,
  ) {
    this.hopeUntil = performance.now() + limits.connectTimeoutMs;
    metrics.circuit(port, this.state);
  }

  get circuit(): CircuitState {
    return this.state;
  }

  /** The peers at the addresses that the port's names stand for now. */
  use(peers: readonly Peer[]): void {
    this.peers = peers;
    this.isResolving = false;
    this.changed();
  }

  dispatch(call: PendingCall): void {
    if (call.dropped) return;
    if (this.isClosed) return call.fail('unavailable', 'this process is ending');
    const connection = this.leastBusy();
    if (connection) return connection.send(call);
    if (this.state === 'open') return call.fail('unavailable', 'nobody can be reached', this.lastCause);
    const fits =
      this.waiting.length < this.limits.waitingCalls &&
      this.waitingBytes + call.bytes <= this.limits.waitingBytes;
    if (!fits) return call.fail('overloaded', `${this.waiting.length} calls wait already`);
    this.waiting.push(call);
    this.waitingBytes += call.bytes;
  }

  /** Sends what waits, as far as there is room. */
  serveWaiting(): void {
    while (this.waiting.length > 0) {
      const connection = this.leastBusy();
      if (!connection) return;
      const call = this.waiting.shift()!;
      this.waitingBytes -= call.bytes;
      connection.send(call);
    }
  }

  /** Looks again at what can be reached. */
  changed(): void {
    this.connections = this.peers
      .flatMap((peer) => peer.connections)
      .filter((connection) => connection.servesPort(this.port));
    this.metrics.sockets(this.port, this.connections.length);
    if (this.connections.length > 0) this.turn('closed');
    else this.turn(this.hasHope() ? 'opening' : 'open');
  }

  failed(cause: Error): void {
    this.lastCause = cause;
  }

  reconnected(): void {
    this.metrics.reconnected(this.port);
  }

  /** Ends waiting calls whose deadline has passed. */
  dropLate(now: number): void {
    const late = this.waiting.filter((call) => call.deadlineAt <= now);
    if (late.length > 0) this.waiting = this.waiting.filter((call) => call.deadlineAt > now);
    for (const call of late) {
      this.waitingBytes -= call.bytes;
      call.fail('deadline', 'it waited too long for a connection');
    }
    if (this.state === 'opening') this.changed();
  }

  close(): void {
    this.isClosed = true;
    this.refuseWaiting('this process is ending');
  }

  /** Equally busy ones take turns. */
  private leastBusy(): PortConnection | undefined {
    const count = this.connections.length;
    let best: PortConnection | undefined;
    let least = Number.POSITIVE_INFINITY;
    this.turns += 1;
    for (let index = 0; index < count; index += 1) {
      const connection = this.connections[(this.turns + index) % count]!;
      const { load } = connection;
      if (load >= least || !connection.hasRoom()) continue;
      best = connection;
      least = load;
    }
    return best;
  }

  private hasHope(): boolean {
    if (this.isResolving) return performance.now() < this.hopeUntil;
    return this.peers.some((peer) => peer.isHopeful);
  }

  private turn(state: CircuitState): void {
    const before = this.state;
    this.state = state;
    if (state !== before) this.tell(state);
    if (state === 'closed') this.serveWaiting();
    if (state === 'open') this.refuseWaiting('nobody can be reached');
  }

  private tell(state: CircuitState): void {
    this.metrics.circuit(this.port, state);
    if (this.isClosed) return;
    if (state === 'closed') logger.log(`${this.port} is connected`);
    if (state === 'open') logger.warn(`${this.port} cannot be reached: ${this.whyNot()}`);
  }

  private whyNot(): string {
    if (this.peers.length === 0) return 'it has no address';
    const answers = this.peers.some(({ connections }) => connections.some(({ isReady }) => isReady));
    return answers
      ? 'those at its addresses do not serve it'
      : (this.lastCause?.message ?? 'it said goodbye');
  }

  private refuseWaiting(why: string): void {
    const refused = this.waiting;
    this.waiting = [];
    this.waitingBytes = 0;
    for (const call of refused) call.fail('unavailable', why, this.lastCause);
  }
}
