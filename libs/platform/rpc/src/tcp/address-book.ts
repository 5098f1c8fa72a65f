import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Logger } from '@nestjs/common';
import type { SocketAddress } from './port-connection';

/** Where a port is served. A name stands for all addresses that it resolves to. */
export interface RpcAddress {
  host: string;
  port: number;
}

/** Returns all addresses of a host name; rejects when it has none. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** Resolves A and AAAA records by the operating system, /etc/hosts included. */
export const resolveBySystem: ResolveHost = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

const logger = new Logger('Rpc');
// A name that does not resolve yet is looked up more often than one that does.
const retryMs = 1_000;

/** Resolves names periodically. A name that cannot be resolved keeps its last addresses, so an outage of the name
 *  server breaks no connection. */
export class AddressBook {
  private readonly known = new Map<string, readonly string[]>();
  private readonly unresolved = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly names: readonly RpcAddress[],
    private readonly resolve: ResolveHost,
    private readonly everyMs: number,
    private readonly resolved: (addresses: SocketAddress[]) => void,
  ) {
    void this.refresh();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  private async refresh(): Promise<void> {
    const hosts = new Set(this.names.map(({ host }) => host));
    await Promise.all([...hosts].map((host) => this.lookUp(host)));
    if (this.isClosed) return;
    const addresses = this.names.flatMap(({ host, port }) =>
      (this.known.get(host) ?? []).map((ip) => ({ ip, port })),
    );
    this.resolved(addresses);
    const pauseMs = this.unresolved.size === 0 ? this.everyMs : Math.min(retryMs, this.everyMs);
    this.timer = setTimeout(() => void this.refresh(), pauseMs).unref();
  }

  private async lookUp(host: string): Promise<void> {
    try {
      this.known.set(host, isIP(host) ? [host] : await this.resolve(host));
      this.unresolved.delete(host);
    } catch (error) {
      if (!this.unresolved.has(host)) logger.warn(`${host} does not resolve: ${String(error)}`);
      this.unresolved.add(host);
    }
  }
}
