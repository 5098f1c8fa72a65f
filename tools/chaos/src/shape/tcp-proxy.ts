import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

interface Carried {
  client: Socket;
  upstream: Socket;
  /** One side ended while nothing was forwarded: the other learns of it later. */
  ended: boolean;
}

/** Carries TCP connections to a port of this machine, and stops forwarding on demand, as a network does that drops every
 *  packet: nothing is closed, nothing arrives, and what was sent arrives when it works again. */
export class TcpProxy {
  private readonly carried = new Set<Carried>();
  private readonly server = createServer((client) => this.carry(client));
  private frozen = false;

  /** `targetPort` may change: new connections go to the new one. */
  constructor(public targetPort: number) {}

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async listen(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }

  freeze(): void {
    this.frozen = true;
    for (const one of this.carried) this.disjoin(one);
  }

  thaw(): void {
    this.frozen = false;
    for (const one of this.carried) {
      if (one.ended) this.drop(one);
      else this.join(one);
    }
  }

  /** Ends all connections, as the end of the other side does. */
  cut(): void {
    for (const one of this.carried) this.drop(one);
  }

  async close(): Promise<void> {
    this.server.close();
    this.cut();
  }

  private carry(client: Socket): void {
    const one = { client, upstream: connect(this.targetPort, '127.0.0.1'), ended: false };
    this.carried.add(one);
    for (const socket of [one.client, one.upstream]) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined); // 'close' follows.
      socket.on('close', () => this.sideClosed(one));
    }
    if (!this.frozen) this.join(one);
  }

  private join({ client, upstream }: Carried): void {
    client.pipe(upstream);
    upstream.pipe(client);
  }

  private disjoin({ client, upstream }: Carried): void {
    client.unpipe(upstream);
    upstream.unpipe(client);
  }

  private sideClosed(one: Carried): void {
    one.ended = true;
    if (!this.frozen) this.drop(one);
  }

  private drop(one: Carried): void {
    this.carried.delete(one);
    one.client.destroy();
    one.upstream.destroy();
  }
}
