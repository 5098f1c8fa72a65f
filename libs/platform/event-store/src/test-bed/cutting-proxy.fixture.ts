import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** What happens to the first request that holds all markers:
 *  `before`: it never arrives; `after`: it arrives, its answer does not; `late`: it arrives when `deliver` says so,
 *  long after its sender was cut off. */
export type Cut = 'before' | 'after' | 'late';

/** A TCP proxy before PostgreSQL that cuts the connection of a chosen request, while the server's end stays open. */
export class CuttingProxy {
  private readonly sockets = new Set<Socket>();
  private armed: { markers: string[]; cut: Cut; done: () => void } | undefined;
  private withheld: (() => Promise<void>) | undefined;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(databaseUrl: string): Promise<CuttingProxy> {
    const target = new URL(databaseUrl);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(databaseUrl);
    url.port = String((server.address() as AddressInfo).port);
    url.hostname = '127.0.0.1';
    const proxy = new CuttingProxy(server, url.href);
    server.on('connection', (client) => proxy.join(client, connect(Number(target.port), target.hostname)));
    return proxy;
  }

  /** Cuts the next request that holds all `markers`; resolves when it has been cut. */
  cutNext(markers: string[], cut: Cut): Promise<void> {
    return new Promise((done) => {
      this.armed = { markers, cut, done };
    });
  }

  /** Hands the request that was cut `late` to the server; resolves when the server has answered it. */
  async deliver(): Promise<void> {
    await this.withheld?.();
    this.withheld = undefined;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(client: Socket, server: Socket): void {
    for (const socket of [client, server]) {
      this.sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined); // being cut off is what these sockets are for
      socket.on('close', () => this.sockets.delete(socket));
    }
    let isCut = false;
    server.on('data', (bytes) => void (client.destroyed || client.write(bytes)));
    server.on('close', () => client.destroy());
    client.on('close', () => isCut || server.destroy());
    client.on('data', (bytes) => {
      const armed = this.armed;
      if (!armed || !armed.markers.every((marker) => bytes.includes(marker))) {
        server.write(bytes);
        return;
      }
      this.armed = undefined;
      isCut = true;
      client.destroy();
      this.carryOut(armed.cut, server, bytes);
      armed.done();
    });
  }

  private carryOut(cut: Cut, server: Socket, bytes: Buffer): void {
    if (cut === 'before') server.destroy();
    if (cut === 'after') server.write(bytes);
    if (cut !== 'late') return;
    this.withheld = async () => {
      const answered = once(server, 'data');
      server.write(bytes);
      await answered;
      server.destroy();
    };
  }
}
