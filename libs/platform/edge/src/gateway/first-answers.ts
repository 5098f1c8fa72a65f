import { takesRequests } from './health-question';
import type { ServiceAddresses } from './service-addresses';

/** Within the time that a readiness check has. */
const patienceMs = 1_500;

/** Knows which services took requests at least once. A gateway is not ready before all of them did, so that its first
 *  callers get no 503; a service that is lost later takes no gateway out, because the others are still served by it. */
export class FirstAnswers {
  private readonly awaited: Map<string, ServiceAddresses>;

  constructor(services: ReadonlyMap<string, ServiceAddresses>) {
    this.awaited = new Map(services);
  }

  /** Asks the services that are still awaited. Returns null when there are none left, else a text that names them. */
  async complaint(): Promise<string | null> {
    await Promise.all([...this.awaited].map(([service, addresses]) => this.ask(service, addresses)));
    return this.awaited.size === 0 ? null : `not ready yet: ${[...this.awaited.keys()].join(', ')}`;
  }

  private async ask(service: string, addresses: ServiceAddresses): Promise<void> {
    const { tls } = addresses;
    const answers = await Promise.all(
      addresses.origins().map((origin) => takesRequests(origin, AbortSignal.timeout(patienceMs), tls)),
    );
    if (answers.includes(true)) this.awaited.delete(service);
  }
}
