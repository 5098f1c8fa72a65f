import { Socket } from 'node:net';
import { connect } from 'node:tls';
import { askingTls, type InternalTls } from '../internal-tls';
import { FrameSocket, ProtocolError } from './frame-socket';
import { isProof, newNonce, proofOf, protocol } from './handshake';
import { Heartbeat } from './heartbeat';
import type { PendingCall } from './pending-call';
import type { TcpLimits } from './tcp-limits';
import { answerOf, kindOf, portsOf, textAt } from './wire';

/** A resolved address. */
export interface SocketAddress {
  ip: string;
  port: number;
}

/** Callbacks of a connection. */
export interface ConnectionEvents {
  /** Called when the other side has proved the secret. */
  ready(): void;
  /** Called when an answer came or bytes were written: there may be room for a call. */
  room(): void;
  /** Called when the connection takes no more calls; calls in progress still end. */
  leaving(): void;
  closed(cause: Error): void;
}

type State = 'opening' | 'ready' | 'leaving' | 'closed';

/** What the connections of a process have in common. */
export interface ConnectionSettings {
  secret: Buffer;
  limits: TcpLimits;
  /** Null: nothing is encrypted. */
  tls: InternalTls | null;
}

const connected = ({ ip, port }: SocketAddress, tls: InternalTls | null): Socket =>
  tls ? connect({ host: ip, port, ...askingTls(tls) }) : new Socket().connect(port, ip);

/** The client's end of one socket, from connecting to closing. It is used once. */
export class PortConnection {
  private state: State = 'opening';
  private readonly secret: Buffer;
  private readonly limits: TcpLimits;
  private serves: ReadonlySet<string> = new Set();
  private readonly frames: FrameSocket;
  private readonly nonce = newNonce();
  private serverNonce: string | undefined;
  private readonly calls = new Map<number, PendingCall>();
  private heartbeat: Heartbeat | undefined;
  private readonly handshakeTimer: NodeJS.Timeout;
  private cause: Error | undefined;

  constructor(
    address: SocketAddress,
    { secret, limits, tls }: ConnectionSettings,
    private readonly events: ConnectionEvents,
  ) {
    this.secret = secret;
    this.limits = limits;
    const socket = connected(address, tls);
    this.frames = new FrameSocket(socket);
    this.frames.flushed = () => events.room();
    this.frames.on('message', (message: unknown) => this.received(message));
    socket.setNoDelay(true);
    socket.on('error', (error) => (this.cause ??= error));
    socket.on('close', () => this.closed(this.cause ?? new Error('the other side closed the connection')));
    this.handshakeTimer = setTimeout(
      () => this.destroy(new Error('no connection in time')),
      limits.connectTimeoutMs,
    );
    this.handshakeTimer.unref();
  }

  /** Whether the other side answers, as far as is known. */
  get isAnswering(): boolean {
    return this.state === 'ready' && !this.heartbeat?.isDoubtful;
  }

  /** Returns the number of calls without an answer; a silent peer counts as the busiest. */
  get load(): number {
    return this.calls.size + (this.heartbeat?.isDoubtful ? this.limits.callsPerSocket : 0);
  }

  get isReady(): boolean {
    return this.state === 'ready';
  }

  servesPort(port: string): boolean {
    return this.state === 'ready' && this.serves.has(port);
  }

  hasRoom(): boolean {
    return this.calls.size < this.limits.callsPerSocket && this.frames.queuedBytes < this.limits.queuedBytes;
  }

  send(call: PendingCall): void {
    this.calls.set(call.id, call);
    this.frames.send(call);
  }

  /** Ends calls whose deadline has passed. */
  dropLate(now: number): void {
    const late = [...this.calls.values()].filter(({ deadlineAt }) => deadlineAt <= now);
    for (const call of late) {
      this.calls.delete(call.id);
      call.fail('deadline', 'no answer in time');
    }
    if (late.length > 0) this.events.room();
    this.closeWhenDone();
  }

  /** Takes no more calls and closes after the last answer. */
  leave(): void {
    if (this.state === 'opening') return this.destroy();
    if (this.state !== 'ready') return;
    this.state = 'leaving';
    this.events.leaving();
    for (const frame of this.frames.takeUnsent()) {
      const call = frame as PendingCall;
      // Pings queue here too.
      if (this.calls.delete(call.id)) call.lost('the other side is leaving');
    }
    this.closeWhenDone();
  }

  destroy(cause?: Error): void {
    this.cause ??= cause;
    this.frames.socket.destroy();
  }

  private received(message: unknown): void {
    this.heartbeat?.heard();
    const kind = kindOf(message);
    switch (kind) {
      case 'number':
        return this.answered(message);
      case 'pong':
        return;
      case 'hello':
        return this.prove(message);
      case 'welcome':
        return this.welcomed(message);
      case 'goodbye':
        return this.leave();
      default:
        throw new ProtocolError(`${kind} is not for clients`);
    }
  }

  private prove(hello: unknown): void {
    if (this.serverNonce !== undefined || textAt(hello, 1) !== protocol)
      throw new ProtocolError('not our hello');
    this.serverNonce = textAt(hello, 2);
    const proof = proofOf(this.secret, 'client', { client: this.nonce, server: this.serverNonce });
    this.frames.sendMessage(['prove', this.nonce, proof]);
  }

  private welcomed(welcome: unknown): void {
    if (this.state !== 'opening' || this.serverNonce === undefined)
      throw new ProtocolError('welcome out of turn');
    const serves = portsOf(welcome);
    const nonces = { client: this.nonce, server: this.serverNonce };
    if (!isProof(textAt(welcome, 1), proofOf(this.secret, 'server', nonces, serves))) {
      throw new ProtocolError('the other side does not know the secret');
    }
    clearTimeout(this.handshakeTimer);
    this.serves = new Set(serves);
    this.frames.limitBytes = this.limits.frameBytes;
    this.heartbeat = new Heartbeat({
      everyMs: this.limits.heartbeatMs,
      silentBeats: this.limits.silentBeats,
      beat: () => this.frames.sendMessage(['ping']),
      gone: () => this.destroy(new Error('the other side is silent')),
    });
    this.state = 'ready';
    this.events.ready();
  }

  private answered(message: unknown): void {
    if (this.serverNonce === undefined || this.state === 'opening')
      throw new ProtocolError('answer out of turn');
    const answer = answerOf(message);
    const call = this.calls.get(answer[0]);
    // The caller has stopped waiting.
    if (!call) return;
    this.calls.delete(call.id);
    call.end(answer);
    this.events.room();
    this.closeWhenDone();
  }

  private closeWhenDone(): void {
    if (this.state === 'leaving' && this.calls.size === 0) this.destroy();
  }

  private closed(cause: Error): void {
    this.state = 'closed';
    clearTimeout(this.handshakeTimer);
    this.heartbeat?.stop();
    const lost = [...this.calls.values()];
    this.calls.clear();
    // The owner is notified first, so that no call is sent over this connection again.
    this.events.closed(cause);
    for (const call of lost) call.lost('its connection broke', cause);
  }
}
