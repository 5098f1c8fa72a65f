import { Logger } from '@nestjs/common';
import { halfForEach, SharedBudget } from '@scrip/kernel';
import type { CircuitState, ConnectionMetrics } from '../port-metrics';
import type { Peer } from './peer';
import type { PendingCall } from './pending-call';
import type { PortConnection } from './port-connection';
import { byRendezvous } from './rendezvous';
import type { TcpLimits } from './tcp-limits';

const logger = new Logger('Rpc');

interface WaitingCall {
  call: PendingCall;
  /** Gives back what it takes of the bounds. */
  leave: () => void;
}

/** Sends each call of a port over the connection with the fewest calls in progress. A call that names a stream goes
 *  to the peer that the stream belongs to, or to the next one when that peer is full or silent. Calls wait while all
 *  connections are full or the first one is being opened; they fail at once while no address can be reached. */
export class PortRoute {
  private state: CircuitState = 'opening';
  private peers: readonly Peer[] = [];
  private connections: readonly PortConnection[] = [];
  private turns = 0;
  private isResolving = true;
  private isClosed = false;
  private waiting: WaitingCall[] = [];
  private readonly places: SharedBudget;
  private readonly bytes: SharedBudget;
  private readonly hopeUntil: number;
  private lastCause: Error | undefined;
  private wasReached = false;
  /** It cannot be reached, and no warning was logged. */
  private isUntold = false;

  constructor(
    readonly port: string,
    private readonly limits: TcpLimits,
    private readonly metrics: ConnectionMetrics,
    private readonly startedAt: number,
  ) {
    this.places = new SharedBudget(halfForEach(limits.waitingCalls));
    this.bytes = new SharedBudget(halfForEach(limits.waitingBytes));
    this.hopeUntil = performance.now() + limits.connectTimeoutMs;
    metrics.circuit(port, this.state);
  }

  get circuit(): CircuitState {
    return this.state;
  }

  /** Sets the peers at the addresses that the port's names resolve to. */
  use(peers: readonly Peer[]): void {
    this.peers = peers;
    this.isResolving = false;
    this.changed();
  }

  dispatch(call: PendingCall): void {
    if (call.dropped) return;
    if (this.isClosed) return call.fail('unavailable', 'this process is ending');
    const connection = this.connectionFor(call);
    if (connection) return connection.send(call);
    if (this.state === 'open') return call.fail('unavailable', 'nobody can be reached', this.lastCause);
    this.wait(call);
  }

  /** Sends waiting calls while there is room. */
  serveWaiting(): void {
    while (this.waiting.length > 0) {
      const { call, leave } = this.waiting[0]!;
      const connection = this.connectionFor(call);
      if (!connection) return;
      this.waiting.shift();
      leave();
      connection.send(call);
    }
  }

  /** Updates which peers can be reached. */
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
    const late = this.waiting.filter(({ call }) => call.deadlineAt <= now);
    if (late.length > 0) this.waiting = this.waiting.filter(({ call }) => call.deadlineAt > now);
    for (const { call, leave } of late) {
      leave();
      call.fail('deadline', 'it waited too long for a connection');
    }
    if (this.state === 'opening') this.changed();
    if (this.isUntold && this.state === 'open' && !this.mayStillStart()) this.warn();
  }

  close(): void {
    this.isClosed = true;
    this.refuseWaiting('this process is ending');
  }

  private connectionFor({ stream }: PendingCall): PortConnection | undefined {
    if (stream === undefined || this.peers.length < 2) return this.leastBusy(this.connections);
    for (const { connections } of byRendezvous(stream, this.peers)) {
      const answering = connections.filter((one) => one.isAnswering && one.servesPort(this.port));
      const connection = this.leastBusy(answering);
      if (connection) return connection;
    }
    return this.leastBusy(this.connections);
  }

  /** Equally busy connections take turns. */
  private leastBusy(connections: readonly PortConnection[]): PortConnection | undefined {
    const count = connections.length;
    let best: PortConnection | undefined;
    let least = Number.POSITIVE_INFINITY;
    this.turns += 1;
    for (let index = 0; index < count; index += 1) {
      const connection = connections[(this.turns + index) % count]!;
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
    if (state === 'closed') {
      this.wasReached = true;
      this.isUntold = false;
      logger.log(`${this.port} is connected`);
    }
    if (state === 'open') {
      if (this.mayStillStart()) this.isUntold = true;
      else this.warn();
    }
  }

  /** Whether it was never reached because it is perhaps being started along with this process. */
  private mayStillStart(): boolean {
    return !this.wasReached && performance.now() - this.startedAt < this.limits.startTogetherMs;
  }

  private warn(): void {
    this.isUntold = false;
    logger.warn(`${this.port} cannot be reached: ${this.whyNot()}`);
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
    for (const { call, leave } of refused) {
      leave();
      call.fail('unavailable', why, this.lastCause);
    }
  }

  private wait(call: PendingCall): void {
    const place = this.places.take(call.project);
    const bytes = place && this.bytes.take(call.project, call.bytes);
    if (!place || !bytes) {
      place?.();
      return call.fail('overloaded', `${this.waiting.length} calls wait already`);
    }
    const leave = (): void => {
      place();
      bytes();
    };
    this.waiting.push({ call, leave });
  }
}
