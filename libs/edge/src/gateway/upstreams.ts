import type { OwningContext } from '../nest/context-of';
import { ServiceAddresses, type ServiceHost } from './service-addresses';
import { Upstream } from './upstream';
import { noUpstreamMetrics, type UpstreamMetrics } from './upstream-metrics';

/** Where each service is. */
export type ServiceHosts = Readonly<Record<OwningContext, readonly ServiceHost[]>>;

/** All services behind a gateway. */
export class Upstreams {
  private readonly addresses: readonly ServiceAddresses[];
  private readonly byService: ReadonlyMap<string, Upstream>;

  constructor(services: Partial<ServiceHosts>, metrics: UpstreamMetrics = noUpstreamMetrics) {
    const known = Object.entries(services).map(
      ([service, hosts]) => [service, new ServiceAddresses(hosts)] as const,
    );
    this.addresses = known.map(([, addresses]) => addresses);
    this.byService = new Map(
      known.map(([service, addresses]) => [service, new Upstream(service, addresses, metrics)]),
    );
  }

  /** Throws `Error` for a service without an address in the configuration. */
  of(service: OwningContext): Upstream {
    const upstream = this.byService.get(service);
    if (!upstream) throw new Error(`the configuration has no address of ${service}`);
    return upstream;
  }

  async start(): Promise<void> {
    await Promise.all(this.addresses.map((addresses) => addresses.start()));
  }

  /** Lets requests under way end. */
  async close(): Promise<void> {
    await Promise.all(this.addresses.map((addresses) => addresses.close()));
  }
}
