import type { AddressInfo, Socket } from 'node:net';
import { type CustomTransportStrategy, ServerTCP } from '@nestjs/microservices';
import { Logger } from '@nestjs/common';
import type { Fault } from '@scrip/kernel';
import { type InternalTls, servingTls } from '../internal-tls';
import type { PortServer } from '../port-server';
import type { RpcAddress } from './address-book';
import { FrameSocket } from './frame-socket';
import { ServedConnection } from './served-connection';
import { type TcpLimits, defaultLimits } from './tcp-limits';

const logger = new Logger('Rpc');

export interface TcpPortServerOptions {
  host: string;
  /** 0 takes a free port. */
  port: number;
  /** Both sides prove to each other that they know it; it is never sent. */
  secret: Buffer;
  /** Further secrets that clients may know instead. */
  acceptedSecrets?: readonly Buffer[];
  /** Absent: nothing is encrypted. Given: clients need a certificate of its authority. */
  tls?: InternalTls | null;
  limits?: Partial<TcpLimits>;
  /** Returns the `Fault` that an error of the handler means, such as a lost database connection. By default every
   *  error that is no `Fault` is a defect. */
  faultOf?: (error: unknown) => Fault | undefined;
}

/** Serves the calls of other processes' `TcpPorts`. Connect it with `app.connectMicroservice({ strategy })`; it
 *  listens from `app.startAllMicroservices()` to `app.close()`. Source: architecture §7. */
export class TcpPortServer extends ServerTCP implements CustomTransportStrategy {
  private readonly limits: TcpLimits;
  private readonly secrets: readonly Buffer[];
  private readonly faultOf: (error: unknown) => Fault | undefined;
  private readonly connections = new Set<ServedConnection>();
  /** In the order of their arrival. */
  private readonly unproved = new Set<ServedConnection>();

  constructor(
    private readonly ports: PortServer,
    {
      host,
      port,
      secret,
      acceptedSecrets = [],
      tls = null,
      limits,
      faultOf = () => undefined,
    }: TcpPortServerOptions,
  ) {
    const timeoutMs = limits?.handshakeTimeoutMs ?? defaultLimits.handshakeTimeoutMs;
    super({
      host,
      port,
      socketClass: FrameSocket,
      ...(tls ? { tlsOptions: servingTls(tls, timeoutMs) } : {}),
    });
    // Node leaves the socket of a failed handshake open, and a server would wait for it when it closes.
    this.server.on('tlsClientError', (error: Error, socket: Socket) => {
      logger.warn(
        `refused a connection of ${socket.remoteAddress ?? 'a client that is gone'}: ${error.message}`,
      );
      socket.destroy();
    });
    this.secrets = [secret, ...acceptedSecrets];
    this.faultOf = faultOf;
    this.limits = { ...defaultLimits, ...limits };
  }

  /** Returns the address it listens on. Throws `Error` before it listens. */
  get address(): RpcAddress {
    const address = this.server.address() as AddressInfo | null;
    if (!address) throw new Error('the RPC server does not listen');
    return { host: address.address, port: address.port };
  }

  override listen(callback: (error?: unknown) => void): void {
    this.server.once('error', callback);
    this.server.listen(this.port, this.host, () => {
      this.server.off('error', callback);
      callback();
    });
  }

  /** Called for each accepted socket. */
  override bindHandler(socket: Socket): void {
    this.trackOpenSocket(socket);
    const frames = this.getSocketInstance(socket) as FrameSocket;
    const { ports: server, secrets, limits, faultOf } = this;
    const connection = new ServedConnection(frames, { server, secrets, limits, faultOf }, () =>
      this.unproved.delete(connection),
    );
    this.connections.add(connection);
    this.unproved.add(connection);
    socket.on('close', () => {
      this.connections.delete(connection);
      this.unproved.delete(connection);
    });
    const [oldest] = this.unproved;
    if (this.unproved.size > this.limits.unproved) oldest?.destroy();
  }

  /** Accepts no more connections, sends the answers that clients wait for, and closes the remaining connections after
   *  `drainMs`. */
  override async close(): Promise<void> {
    this.isManuallyTerminated = true;
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const connection of this.connections) connection.sayGoodbye();
    const patience = setTimeout(() => this.closeOpenSockets(), this.limits.drainMs);
    await closed;
    clearTimeout(patience);
  }
}
