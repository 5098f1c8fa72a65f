import type { ProcessPlan } from '@scrip/services';
import { TcpProxy } from './tcp-proxy';

/** Proxies in front of the ports of every service: others reach it through them. */
export class ServiceProxies {
  private constructor(
    private readonly plans: readonly ProcessPlan[],
    private readonly proxies: ReadonlyMap<number, TcpProxy>,
  ) {}

  static async inFrontOf(plans: readonly ProcessPlan[]): Promise<ServiceProxies> {
    const ports = plans.flatMap(({ httpPort, rpcPort }) => (rpcPort === null ? [] : [httpPort, rpcPort]));
    const proxies = await Promise.all(
      ports.map(async (port) => [port, await new TcpProxy(port).listen()] as const),
    );
    return new ServiceProxies(plans, new Map(proxies));
  }

  /** The plan with the ports under which others reach that process. */
  reachedAt(plan: ProcessPlan): ProcessPlan {
    const through = (port: number): number => this.proxies.get(port)?.port ?? port;
    return {
      ...plan,
      httpPort: through(plan.httpPort),
      rpcPort: plan.rpcPort === null ? null : through(plan.rpcPort),
    };
  }

  /** Of all replicas of a service: what the gateway calls (`http`), or what other services call (`rpc`). */
  of(name: ProcessPlan['name'], port: 'http' | 'rpc'): TcpProxy[] {
    return this.plans.flatMap((plan) => {
      const proxy =
        plan.name === name && this.proxies.get((port === 'http' ? plan.httpPort : plan.rpcPort) ?? 0);
      return proxy ? [proxy] : [];
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.proxies.values()].map((proxy) => proxy.close()));
  }
}
