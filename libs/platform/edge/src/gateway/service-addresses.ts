import { AddressBook, type InternalTls, resolveBySystem, type ResolveHost } from '@scrip/rpc';
import { UpstreamAddress } from './upstream-address';

/** Where a service listens for HTTP. A name stands for all addresses it resolves to. */
export interface ServiceHost {
  readonly host: string;
  readonly httpPort: number;
}

const lookUpEveryMs = 5_000;

const originOf = (scheme: string, ip: string, port: number): string =>
  `${scheme}://${ip.includes(':') ? `[${ip}]` : ip}:${port}`;

/** The addresses of one service, looked up again every 5 s, and whose turn it is. */
export class ServiceAddresses {
  private known = new Map<string, UpstreamAddress>();
  private book: AddressBook | undefined;
  private turn = 0;

  constructor(
    private readonly hosts: readonly ServiceHost[],
    readonly tls: InternalTls | null = null,
    private readonly resolve: ResolveHost = resolveBySystem,
    private readonly everyMs = lookUpEveryMs,
  ) {}

  /** Looks the names up. One that is not known yet may be later. */
  start(): Promise<void> {
    const names = this.hosts.map(({ host, httpPort }) => ({ host, port: httpPort }));
    return new Promise((started) => {
      this.book = new AddressBook(names, this.resolve, this.everyMs, (found) => {
        this.use(new Set(found.map(({ ip, port }) => originOf(this.tls ? 'https' : 'http', ip, port))));
        started();
      });
    });
  }

  async close(): Promise<void> {
    this.book?.close();
    await Promise.all([...this.known.values()].map((address) => address.close()));
  }

  /** Of all addresses that are known now. */
  origins(): string[] {
    return [...this.known.keys()];
  }

  /** The next address in turn that is not among `tried` nor known to be lost; else null. */
  next(tried: ReadonlySet<UpstreamAddress>): UpstreamAddress | null {
    const all = [...this.known.values()];
    this.turn = (this.turn + 1) % Math.max(all.length, 1);
    const inTurn = [...all.slice(this.turn), ...all.slice(0, this.turn)];
    return inTurn.find((address) => !tried.has(address) && !address.isLost) ?? null;
  }

  private use(origins: ReadonlySet<string>): void {
    const before = this.known;
    this.known = new Map(
      [...origins].map((origin) => [
        origin,
        before.get(origin) ?? new UpstreamAddress(origin, undefined, this.tls),
      ]),
    );
    for (const [origin, address] of before) if (!origins.has(origin)) void address.close();
  }
}
