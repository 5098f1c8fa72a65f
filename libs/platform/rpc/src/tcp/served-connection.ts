import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { type Port, definedPorts, Fault, traced } from '@scrip/kernel';
import type { PortServer } from '../port-server';
import { type FrameSocket, ProtocolError, frameOf } from './frame-socket';
import { isProof, newNonce, proofOf, protocol } from './handshake';
import { Heartbeat } from './heartbeat';
import type { TcpLimits } from './tcp-limits';
import { type Answer, type Call, callOf, failureOf, kindOf, textAt } from './wire';

const logger = new Logger('Rpc');

// A server may notice late that a client is gone, because no caller waits for it; a client that was paused for
// seconds keeps its connection.
const patience = 2;

const portNamed = (name: string): Port<object> => {
  const port = definedPorts().find((defined) => defined.name === name);
  if (!port) throw new Fault('unavailable', `nobody knows ${name} here`);
  return port;
};

/** What all sockets of a server share. */
interface Serving {
  server: PortServer;
  /** The client must know one of them. */
  secrets: readonly Buffer[];
  limits: TcpLimits;
  faultOf: (error: unknown) => Fault | undefined;
}

/** The server's end of one socket, from accepting to closing. Until the client has proved the secret, the only
 *  message accepted from it is that proof. */
export class ServedConnection {
  private readonly nonce = newNonce();
  private isProved = false;
  private heartbeat: Heartbeat | undefined;
  private readonly handshakeTimer: NodeJS.Timeout;
  private readonly socket: Socket;
  private readonly client: string;
  private readonly server: PortServer;
  private readonly secrets: readonly Buffer[];
  private readonly limits: TcpLimits;
  private readonly faultOf: Serving['faultOf'];

  constructor(
    private readonly frames: FrameSocket,
    { server, secrets, limits, faultOf }: Serving,
    private readonly proved: () => void,
  ) {
    this.server = server;
    this.secrets = secrets;
    this.limits = limits;
    this.faultOf = faultOf;
    this.socket = frames.socket;
    this.client = this.socket.remoteAddress ?? 'a client that is gone';
    this.socket.setNoDelay(true);
    this.socket.on('error', (error) => this.failed(error));
    this.socket.on('close', () => this.closed());
    frames.on('message', (message: unknown) => this.received(message));
    this.handshakeTimer = setTimeout(() => this.socket.destroy(), limits.handshakeTimeoutMs);
    this.handshakeTimer.unref();
    frames.sendMessage(['hello', protocol, this.nonce]);
  }

  /** Asks the client to send no more calls and to close after its last answer. Closes a connection without proof at
   *  once. */
  sayGoodbye(): void {
    if (this.isProved) this.frames.sendMessage(['goodbye']);
    else this.socket.destroy();
  }

  destroy(): void {
    this.socket.destroy();
  }

  private received(message: unknown): void {
    const kind = kindOf(message);
    if (!this.isProved) return this.prove(kind, message);
    this.heartbeat?.heard();
    switch (kind) {
      case 'number':
        return void this.serve(callOf(message));
      case 'ping':
        return this.frames.sendMessage(['pong']);
      default:
        throw new ProtocolError(`${kind} is not for servers`);
    }
  }

  private prove(kind: string, message: unknown): void {
    if (kind !== 'prove') throw new ProtocolError('nothing is served before the proof');
    const nonces = { client: textAt(message, 1), server: this.nonce };
    const given = textAt(message, 2);
    const secret = this.secrets.find((known) => isProof(given, proofOf(known, 'client', nonces)));
    if (!secret) throw new ProtocolError('the other side does not know the secret');
    clearTimeout(this.handshakeTimer);
    this.isProved = true;
    this.frames.limitBytes = this.limits.frameBytes;
    this.frames.readsBelowBytes = this.limits.queuedBytes;
    this.heartbeat = new Heartbeat({
      everyMs: this.limits.heartbeatMs,
      silentBeats: patience * this.limits.silentBeats,
      beat: () => undefined,
      gone: () => this.socket.destroy(),
    });
    const serves = definedPorts()
      .filter((port) => this.server.serves(port))
      .map(({ name }) => name);
    this.frames.sendMessage(['welcome', proofOf(secret, 'server', nonces, serves), serves]);
    this.proved();
  }

  private async serve([id, portName, method, context, request]: Call): Promise<void> {
    const what = `${portName}.${method}`;
    try {
      const value = await traced({ name: what, kind: 'SERVER' }, context, (span) =>
        this.server.serve(portNamed(portName), method, span, request),
      );
      const answer: Answer = value === undefined ? [id, 'answer'] : [id, 'answer', value];
      this.frames.send(frameOf(answer, this.limits.frameBytes, `the answer of ${what}`));
    } catch (thrown) {
      const error = this.faultOf(thrown) ?? thrown;
      if (!(error instanceof Fault)) {
        const { requestId } = context as { requestId?: unknown };
        logger.error(`${what} failed`, { request_id: requestId }, error);
      }
      this.frames.sendMessage(failureOf(id, error));
    }
  }

  private failed(error: NodeJS.ErrnoException): void {
    if (error instanceof ProtocolError) {
      logger.warn(`closed the connection of ${this.client}: ${error.message}`);
    } else if (error.code === undefined) {
      logger.error(`the connection of ${this.client} failed`, {}, error);
    }
  }

  private closed(): void {
    clearTimeout(this.handshakeTimer);
    this.heartbeat?.stop();
  }
}
