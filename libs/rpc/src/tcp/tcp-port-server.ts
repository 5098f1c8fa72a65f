import type { AddressInfo, Socket } from 'node:net';
import { type CustomTransportStrategy, ServerTCP } from '@nestjs/microservices';
import type { Fault } from '@scrip/kernel';
import type { PortServer } from '../port-server';
import type { RpcAddress } from './address-book';
import { FrameSocket } from './frame-socket';
import { ServedConnection } from './served-connection';
import { type TcpLimits, defaultLimits } from './tcp-limits';

export interface TcpPortServerOptions {
  host: string;
  /** 0 for any free one. */
  port: number;
  /** Both sides prove to each other that they know it; it is never sent. */
  secret: Buffer;
  limits?: Partial<TcpLimits>;
  /** The `Fault` that an error stands for: the world fails, not the handler. By default errors that are no `Fault` are
   *  defects. */
  faultOf?: (error: unknown) => Fault | undefined;
}

/** Answers the calls of other processes' `TcpPorts`. Connect it with `app.connectMicroservice({ strategy })`; it listens
 *  from `app.startAllMicroservices()` to `app.close()`. Source: architecture §7. */
export class TcpPortServer extends ServerTCP implements CustomTransportStrategy {
  private readonly limits: TcpLimits;
  private readonly secret: Buffer;
  private readonly faultOf: (error: unknown) => Fault | undefined;
  private readonly connections = new Set<ServedConnection>();
  /** In the order of their arrival. */
  private readonly unproved = new Set<ServedConnection>();

  constructor(
    private readonly ports: PortServer,
    { host, port, secret, limits, faultOf = () => undefined }: TcpPortServerOptions,
  ) {
    super({ host, port, socketClass: FrameSocket });
    this.secret = secret;
    this.faultOf = faultOf;
    this.limits = { ...defaultLimits, ...limits };
  }

  /** Where it listens. Throws `Error` before it does. */
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
    const { ports: server, secret, limits, faultOf } = this;
    const connection = new ServedConnection(frames, { server, secret, limits, faultOf }, () =>
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

  /** Accepts no more connections, lets clients have the answers they wait for, and closes what is left after
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
