import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { SCRIP_CONFIG, type ScripConfig } from '@scrip/service';
import { LRUCache } from 'lru-cache';
import { Pool } from 'undici';
import { type EgressPolicy, isLoopbackAddress, isReachable } from './address-range';
import { type HostAddress, HostResolver } from './host-resolver';
import { ProxyTunnels } from './proxy-tunnel';
import { hostOf } from './target-url';

/** Thrown for an address that deliveries must not reach. Source: reference 06 §5.4 step 2. */
export class BlockedAddress extends Error {
  override readonly name = 'BlockedAddress';
}

/** Shorter than receivers usually keep an idle connection. */
const keepAliveMs = 4_000;
const pooledTargets = 200;

const secured = { timeout: 10_000, minVersion: 'TLSv1.2' } as const;

/** Connections to endpoints, each bound to addresses that were checked: a second DNS answer cannot be used.
 *  Source: reference 06 §5.4. */
@Injectable()
export class TargetConnections implements OnApplicationShutdown {
  private readonly policy: EgressPolicy;
  private readonly tunnels: ProxyTunnels | null;
  private readonly pools = new LRUCache<string, Pool>({
    max: pooledTargets,
    // Requests in progress end first.
    dispose: (pool) => void pool.close().catch(() => undefined),
  });

  constructor(
    @Inject(SCRIP_CONFIG) config: ScripConfig,
    private readonly resolver: HostResolver,
  ) {
    this.policy = config.webhookEgress;
    const { proxy } = config.webhookEgress;
    this.tunnels = proxy ? new ProxyTunnels(new URL(proxy.reveal())) : null;
  }

  /** Returns connections to the target's checked addresses; names are resolved again at every call. Throws
   *  `BlockedAddress` if any address must not be reached, and the errors of resolving. */
  async to(target: URL): Promise<Pool> {
    const host = hostOf(target);
    const addresses = await this.resolver.resolve(host);
    const blocked = addresses.find(({ address }) => !this.allows(target, host, address));
    if (blocked || addresses.length === 0) throw new BlockedAddress('blocked_address');
    const key = `${target.origin} ${addresses
      .map(({ address }) => address)
      .sort()
      .join()}`;
    const known = this.pools.get(key);
    if (known) return known;
    const pool = pinned(target, addresses, this.tunnels);
    this.pools.set(key, pool);
    return pool;
  }

  /** Jobs, and their requests, have ended before this. */
  async onApplicationShutdown(): Promise<void> {
    const pools = [...this.pools.values()];
    await Promise.all(pools.map((pool) => pool.destroy().catch(() => undefined)));
    await this.tunnels?.close();
  }

  private allows(target: URL, host: string, address: string): boolean {
    if (!this.policy.allowHosts.includes(host) && !isReachable(address, this.policy)) return false;
    if (target.protocol === 'https:' || this.policy.allowHttp) return true;
    // http that only the loopback exception allows reaches only loopback.
    return this.policy.allowLoopback && isLoopbackAddress(address);
  }
}

/** Certificates are checked for the origin's name, whatever the address. No redirects, and no proxy but the configured one. */
const pinned = (target: URL, addresses: readonly HostAddress[], tunnels: ProxyTunnels | null): Pool =>
  new Pool(target.origin, {
    connections: 10,
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    connect: tunnels?.connectorTo(target, addresses, secured) ?? {
      ...secured,
      lookup: (_host, options, callback) => {
        const [first] = addresses as [HostAddress];
        if (options.all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
    },
  });
