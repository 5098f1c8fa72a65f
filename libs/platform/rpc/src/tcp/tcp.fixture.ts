import { once } from 'node:events';
import { type AddressInfo, type Server, Socket, createServer } from 'node:net';
import { type Port, definePort, Fault, refuse } from '@scrip/kernel';
import { PortServer } from '../port-server';
import { noPortMetrics } from '../port-metrics';
import type { RpcAddress } from './address-book';
import type { InternalTls } from '../internal-tls';
import type { TcpLimits } from './tcp-limits';
import { TcpPortServer } from './tcp-port-server';

/** Stands for another process that serves ports. */
export interface Owner {
  address: RpcAddress;
  /** Number of open sockets. */
  sockets(): Promise<number>;
  /** Ends it as `kill -9` does. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

class KillableServer extends TcpPortServer {
  kill(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const socket of this.openSockets) socket.resetAndDestroy();
    return closed;
  }

  sockets(): Promise<number> {
    return new Promise((resolve, reject) =>
      this.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  }
}

export interface OwnerOptions {
  secret: Buffer;
  acceptedSecrets?: readonly Buffer[];
  tls?: InternalTls;
  host?: string;
  port?: number;
  limits?: Partial<TcpLimits>;
  maxInFlight?: number;
  faultOf?: (error: unknown) => Fault | undefined;
}

export const startOwner = async (
  handlers: ReadonlyMap<Port<object>, object>,
  {
    secret,
    acceptedSecrets = [],
    tls,
    host = '127.0.0.1',
    port = 0,
    limits = {},
    maxInFlight = 1_000,
    faultOf,
  }: OwnerOptions,
): Promise<Owner> => {
  const ports = new PortServer((asked) => handlers.get(asked), {
    maxInFlight,
    checkJson: false,
    metrics: noPortMetrics,
  });
  const server = new KillableServer(ports, {
    host,
    port,
    secret,
    acceptedSecrets,
    tls: tls ?? null,
    limits,
    ...(faultOf ? { faultOf } : {}),
  });
  await new Promise<void>((resolve, reject) => server.listen((error) => (error ? reject(error) : resolve())));
  const { address } = server;
  return {
    address,
    sockets: () => server.sockets(),
    kill: () => server.kill(),
    close: () => server.close(),
  };
};

/** A TCP proxy that can discard bytes silently, as a network does that drops packets. */
export interface Network {
  address: RpcAddress;
  drop(): void;
  /** Stops reading too, so that senders fill their buffers. */
  stall(): void;
  heal(): void;
  close(): Promise<void>;
}

export const networkTo = async (target: RpcAddress): Promise<Network> => {
  let isDropping = false;
  const sockets = new Set<Socket>();
  const forward = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on('data', (chunk) => void (isDropping || to.write(chunk)));
    from.on('error', () => undefined);
    // An end of the connection is a packet too.
    from.on('close', () => void (sockets.delete(from), isDropping || to.destroy()));
  };
  const server: Server = createServer((near) => {
    const far = new Socket();
    forward(near, far);
    forward(far, near);
    if (!isDropping) far.connect(target.port, target.host);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: { host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    drop: () => void (isDropping = true),
    stall: () => {
      for (const socket of sockets) socket.pause();
    },
    // Discarded bytes stay lost, so earlier connections cannot recover.
    heal: () => void (isDropping = false),
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
};

/** A peer that sends valid frames but breaks the rules of the protocol. */
export class RawPeer {
  readonly received: unknown[][] = [];
  isClosed = false;
  private data = Buffer.alloc(0);

  constructor(readonly socket: Socket) {
    socket.on('error', () => undefined);
    socket.on('close', () => (this.isClosed = true));
    socket.on('data', (chunk) => {
      this.data = Buffer.concat([this.data, chunk]);
      while (this.data.length >= 4 && this.data.length >= 4 + this.data.readUInt32BE(0)) {
        const end = 4 + this.data.readUInt32BE(0);
        this.received.push(JSON.parse(this.data.toString('utf8', 4, end)) as unknown[]);
        this.data = this.data.subarray(end);
      }
    });
  }

  static async to({ host, port }: RpcAddress): Promise<RawPeer> {
    const socket = new Socket();
    const peer = new RawPeer(socket);
    socket.connect(port, host);
    await once(socket, 'connect');
    return peer;
  }

  send(...message: unknown[]): void {
    const body = Buffer.from(JSON.stringify(message));
    const header = Buffer.alloc(4);
    header.writeUInt32BE(body.length);
    this.socket.write(Buffer.concat([header, body]));
  }
}

export interface ShopContext {
  deadlineAt: number;
  requestId: string;
}

/** What the specs call. */
export interface ShopPort {
  echo(context: ShopContext, request: unknown): Promise<unknown>;
  /** Answers when the owner's `release` is called. */
  hold(context: ShopContext, request: unknown): Promise<unknown>;
  fail(context: ShopContext, request: { as: string }): Promise<unknown>;
}

export const shopPort = definePort<ShopPort>('shop', ['echo', 'hold', 'fail']);

/** Handlers that record their calls. */
export class ShopHandlers implements ShopPort {
  readonly asked: unknown[] = [];
  private held: (() => void)[] = [];

  constructor(readonly name = 'shop') {}

  async echo(_context: ShopContext, request: unknown): Promise<unknown> {
    this.asked.push(request);
    return request === 'who' ? this.name : request;
  }

  hold(_context: ShopContext, request: unknown): Promise<unknown> {
    this.asked.push(request);
    return new Promise((resolve) => this.held.push(() => resolve(this.name)));
  }

  async fail(_context: ShopContext, { as }: { as: string }): Promise<unknown> {
    switch (as) {
      case 'refusal':
        return refuse('not_found', 'no such voucher', { resourceId: 'v_1' });
      case 'nothing':
        return undefined;
      case 'overloaded':
        throw new Fault('overloaded', 'internal detail', { retryable: false });
      case 'huge':
        return 'x'.repeat(1_048_576);
      default:
        throw new Error('column "secret" of relation vouchers');
    }
  }

  get holding(): number {
    return this.held.length;
  }

  release(): void {
    for (const answer of this.held.splice(0)) answer();
  }
}

export const soon = (ms = 30_000): ShopContext => ({ deadlineAt: Date.now() + ms, requestId: 'v-1' });

/** How a call ended, and after how long. */
export const endOf = async (call: Promise<unknown>): Promise<{ end: string; afterMs: number }> => {
  const startedAt = performance.now();
  const end = await call.then(
    () => 'answered',
    (error: unknown) => (error instanceof Fault ? error.kind : String(error)),
  );
  return { end, afterMs: performance.now() - startedAt };
};

/** How a call ended within this turn of the event loop, in which nothing of the network can happen; `waits` where it did
 *  not. */
export const endAtOnce = async (call: Promise<unknown>): Promise<string> => {
  let end = 'waits';
  void endOf(call).then((known) => (end = known.end));
  await new Promise(setImmediate);
  return end;
};
