import type { Socket } from 'node:net';
import { buildConnector, Pool } from 'undici';
import type { HostAddress } from './host-resolver';

/** Thrown where the proxy cannot be reached, or gives no connection. */
export class ProxyFailed extends Error {
  override readonly name = 'ProxyFailed';
}

const timeoutMs = 10_000;

const authorizationOf = ({ username, password }: URL): Record<string, string> => {
  if (username === '') return {};
  const [user, secret] = [username, password].map(decodeURIComponent);
  return { 'proxy-authorization': `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}` };
};

const placeOf = ({ address, family }: HostAddress, { protocol, port }: URL): string =>
  `${family === 6 ? `[${address}]` : address}:${port || (protocol === 'https:' ? 443 : 80)}`;

/** Connections through a proxy (`CONNECT`) to addresses that were checked. The proxy is given no names: it would resolve them
 *  itself, and could reach what the check refuses. Certificates are checked for the target's name. */
export class ProxyTunnels {
  private readonly proxy: Pool;
  private readonly headers: Record<string, string>;

  /** `url`: http or https, with the user and password that the proxy asks for. */
  constructor(url: URL) {
    this.proxy = new Pool(url.origin, { connect: { timeout: timeoutMs }, headersTimeout: timeoutMs });
    this.headers = authorizationOf(url);
  }

  /** Returns how a pool of the target's connects; addresses are tried in turn. Its errors are `ProxyFailed`, and those of
   *  the target's TLS. `tls`: for https targets. */
  connectorTo(
    target: URL,
    addresses: readonly HostAddress[],
    tls: buildConnector.BuildOptions,
  ): buildConnector.connector {
    const secured = buildConnector(tls);
    return (options, callback) => {
      this.tunnelTo(addresses.map((address) => placeOf(address, target))).then(
        (httpSocket) => {
          if (options.protocol === 'https:') secured({ ...options, httpSocket }, callback);
          else callback(null, httpSocket);
        },
        (error: unknown) => callback(error as Error, null),
      );
    };
  }

  close(): Promise<void> {
    return this.proxy.destroy();
  }

  private async tunnelTo(places: readonly string[]): Promise<Socket> {
    let cause: unknown;
    for (const place of places) {
      try {
        return await this.tunnel(place);
      } catch (error) {
        cause = error;
      }
    }
    throw new ProxyFailed('the proxy gives no connection', { cause });
  }

  private async tunnel(place: string): Promise<Socket> {
    const { socket, statusCode } = await this.proxy.connect({
      path: place,
      headers: { host: place, ...this.headers },
    });
    if (statusCode === 200) return socket as Socket;
    socket.on('error', () => undefined).destroy();
    throw new Error(`the proxy answers ${statusCode}`);
  }
}
