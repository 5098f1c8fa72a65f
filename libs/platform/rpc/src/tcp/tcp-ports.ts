import type { Deadlined, Port } from '@scrip/kernel';
import type { InternalTls } from '../internal-tls';
import type { PortTransport } from '../port-client';
import { type CircuitState, type ConnectionMetrics, noConnectionMetrics } from '../port-metrics';
import { AddressBook, type ResolveHost, type RpcAddress, resolveBySystem } from './address-book';
import { projectOf } from '../project-of';
import { frameOf } from './frame-socket';
import { Peer } from './peer';
import { PendingCall } from './pending-call';
import type { SocketAddress } from './port-connection';
import { PortRoute } from './port-route';
import { type TcpLimits, defaultLimits } from './tcp-limits';
import { sendable } from './wire';

export interface TcpPortsOptions {
  /** Both sides prove to each other that they know it; it is never sent. */
  secret: Buffer;
  /** Returns where a port is served; called once per port. */
  addressesOf: (port: string) => readonly RpcAddress[];
  /** Absent: nothing is encrypted. */
  tls?: InternalTls | null;
  metrics?: ConnectionMetrics;
  /** The operating system's resolver unless given. */
  resolve?: ResolveHost;
  limits?: Partial<TcpLimits>;
}

interface UsedPeer {
  peer: Peer;
  users: Set<PortRoute>;
}

const sweepMs = 100;

/** Calls ports that are served in other processes. It keeps two connections to every address of every port that was
 *  called. Source: architecture §7. */
export class TcpPorts {
  private readonly limits: TcpLimits;
  private readonly metrics: ConnectionMetrics;
  private readonly routes = new Map<string, PortRoute>();
  private readonly peers = new Map<string, UsedPeer>();
  private readonly books: AddressBook[] = [];
  private readonly sweep: NodeJS.Timeout;
  private readonly startedAt = performance.now();
  private lastId = 0;
  private isClosed = false;

  constructor(private readonly options: TcpPortsOptions) {
    this.limits = { ...defaultLimits, ...options.limits };
    this.metrics = options.metrics ?? noConnectionMetrics;
    this.sweep = setInterval(() => this.dropLate(), sweepMs).unref();
  }

  /** Connects with the first call. Calls throw `Fault` `unavailable` (at once while no address can be reached; or the
   *  connection broke and the call may have been executed), `overloaded`, `deadline`, and the faults of the owner.
   *  Any other error of the owner says only `… failed at its owner`. `RangeError` for a request above `frameBytes`. */
  transportTo(port: string): PortTransport {
    return {
      call: async ({ name, streams }: Port<object>, method, context: Deadlined, request) => {
        const route = this.routes.get(port) ?? this.open(port);
        const id = ++this.lastId;
        const what = `${name}.${method}`;
        const message = [id, name, method, sendable(context), request];
        const { body, bytes } = frameOf(message, this.limits.frameBytes, `the request of ${what}`);
        const again = (unsent: PendingCall): void => route.dispatch(unsent);
        const stream = streams?.[method]?.(request as never);
        const call = new PendingCall(
          id,
          what,
          context.deadlineAt,
          body,
          bytes,
          again,
          stream,
          projectOf(context),
        );
        route.dispatch(call);
        return call.answer;
      },
    };
  }

  /** Returns whether a port can be reached, as far as calls have found out. */
  circuitOf(port: string): CircuitState {
    return this.routes.get(port)?.circuit ?? 'opening';
  }

  /** Closes every connection. Calls in progress and later ones throw `Fault` `unavailable`. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    clearInterval(this.sweep);
    for (const book of this.books) book.close();
    for (const route of this.routes.values()) route.close();
    for (const { peer } of [...this.peers.values()]) peer.destroy();
  }

  private open(port: string): PortRoute {
    const route = new PortRoute(port, this.limits, this.metrics, this.startedAt);
    if (this.isClosed) {
      route.close();
      return route;
    }
    this.routes.set(port, route);
    const { addressesOf, resolve = resolveBySystem } = this.options;
    const book = new AddressBook(addressesOf(port), resolve, this.limits.resolveEveryMs, (addresses) =>
      this.use(route, addresses),
    );
    this.books.push(book);
    return route;
  }

  private use(route: PortRoute, addresses: readonly SocketAddress[]): void {
    const used = new Set(addresses.map((address) => this.peerAt(address, route)));
    route.use([...used].map(({ peer }) => peer));
    for (const entry of this.peers.values()) {
      if (used.has(entry) || !entry.users.delete(route)) continue;
      if (entry.users.size === 0) entry.peer.dismiss();
    }
  }

  private peerAt(address: SocketAddress, user: PortRoute): UsedPeer {
    const key = `[${address.ip}]:${address.port}`;
    const known = this.peers.get(key);
    if (known) {
      known.users.add(user);
      known.peer.want();
      return known;
    }
    const users = new Set([user]);
    const { secret, tls = null } = this.options;
    const peer = new Peer(
      address,
      { secret, limits: this.limits, tls },
      {
        changed: () => users.forEach((route) => route.changed()),
        room: () => users.forEach((route) => route.serveWaiting()),
        reconnected: () => users.forEach((route) => route.reconnected()),
        failed: (cause) => users.forEach((route) => route.failed(cause)),
        ended: () => this.peers.delete(key),
      },
    );
    const entry = { peer, users };
    this.peers.set(key, entry);
    return entry;
  }

  private dropLate(): void {
    const now = Date.now();
    for (const { peer } of this.peers.values()) {
      for (const connection of peer.connections) connection.dropLate(now);
    }
    for (const route of this.routes.values()) route.dropLate(now);
  }
}
