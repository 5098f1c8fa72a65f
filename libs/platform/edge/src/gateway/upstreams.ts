import type { ContextName } from '@scrip/contracts/registry';
import type { InternalTls } from '@scrip/rpc';
import { FirstAnswers } from './first-answers';
import { ServiceAddresses, type ServiceHost } from './service-addresses';
import { Upstream } from './upstream';
import { noUpstreamMetrics, type UpstreamMetrics } from './upstream-metrics';

/** Where each service is. */
export type ServiceHosts = Readonly<Record<ContextName, readonly ServiceHost[]>>;

/** All services behind a gateway. */
export class Upstreams {
  /** Which services took requests already. */
  readonly firstAnswers: FirstAnswers;
  private readonly addresses: readonly ServiceAddresses[];
  private readonly byService: ReadonlyMap<string, Upstream>;

  constructor(
    services: Partial<ServiceHosts>,
    metrics: UpstreamMetrics = noUpstreamMetrics,
    tls: InternalTls | null = null,
  ) {
    const known = Object.entries(services).map(
      ([service, hosts]) => [service, new ServiceAddresses(hosts, tls)] as const,
    );
    this.firstAnswers = new FirstAnswers(new Map(known));
    this.addresses = known.map(([, addresses]) => addresses);
    this.byService = new Map(
      known.map(([service, addresses]) => [service, new Upstream(service, addresses, metrics)]),
    );
  }

  /** Throws `Error` for a service without an address in the configuration. */
  of(service: ContextName): Upstream {
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
