import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { SCRIP_CONFIG, type ScripConfig } from '@scrip/service';
import { LRUCache } from 'lru-cache';
import { Pool } from 'undici';
import { type EgressPolicy, isLoopbackAddress, isReachable } from './address-range';
import { type HostAddress, HostResolver } from './host-resolver';
import { hostOf } from './target-url';

/** An address that deliveries must not reach. Source: spec 06 §5.4.2. */
export class BlockedAddress extends Error {
  override readonly name = 'BlockedAddress';
}

/** No longer than receivers keep an idle connection. */
const keepAliveMs = 4_000;
const pooledTargets = 200;

/** Connections to endpoints, each bound to addresses that were checked: a second DNS answer cannot be used.
 *  Source: spec 06 §5.4. */
@Injectable()
export class TargetConnections implements OnApplicationShutdown {
  private readonly policy: EgressPolicy;
  private readonly pools = new LRUCache<string, Pool>({
    max: pooledTargets,
    // Requests under way end first.
    dispose: (pool) => void pool.close().catch(() => undefined),
  });

  constructor(
    @Inject(SCRIP_CONFIG) config: ScripConfig,
    private readonly resolver: HostResolver,
  ) {
    this.policy = config.webhookEgress;
  }

  /** Connections to the target's checked addresses; names are resolved again at every call. Throws `BlockedAddress`
   *  if any address must not be reached, and what resolving throws. */
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
    const pool = pinned(target.origin, addresses);
    this.pools.set(key, pool);
    return pool;
  }

  /** Jobs have ended by then, and with them the requests under way. */
  async onApplicationShutdown(): Promise<void> {
    const pools = [...this.pools.values()];
    await Promise.all(pools.map((pool) => pool.destroy().catch(() => undefined)));
  }

  private allows(target: URL, host: string, address: string): boolean {
    if (!this.policy.allowHosts.includes(host) && !isReachable(address, this.policy)) return false;
    if (target.protocol === 'https:' || this.policy.allowHttp) return true;
    // http by the loopback exception reaches loopback only.
    return this.policy.allowLoopback && isLoopbackAddress(address);
  }
}

/** Certificates are checked for the origin's name, whatever the address. No redirects, no proxies. */
const pinned = (origin: string, addresses: readonly HostAddress[]): Pool =>
  new Pool(origin, {
    connections: 10,
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    connect: {
      timeout: 10_000,
      minVersion: 'TLSv1.2',
      lookup: (_host, options, callback) => {
        const [first] = addresses as [HostAddress];
        if (options.all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
    },
  });
