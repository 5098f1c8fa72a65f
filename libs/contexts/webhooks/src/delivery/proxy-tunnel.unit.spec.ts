import { servingTls } from '@scrip/rpc';
import { Secret } from '@scrip/kernel';
import type { ScripConfig } from '@scrip/service';
import { makeCertificates, type WebhookSink, webhookSink } from '@scrip/testing';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { HostAddress } from './host-resolver';
import { HttpDelivery } from './http-delivery';
import { TargetConnections } from './target-connections';

const ipv4: HostAddress = { address: '127.0.0.1', family: 4 };
const ipv6: HostAddress = { address: '::1', family: 6 };
const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;

/** A proxy as companies run them: it answers CONNECT, and nothing else. */
class Proxy {
  asked: { place: string; headers: IncomingHttpHeaders }[] = [];
  refuses = false;
  private readonly open = new Set<Socket>();
  private readonly server: Server = createServer((_request, response) => response.writeHead(405).end());

  async start(): Promise<void> {
    this.server.on('connect', ({ url = '', headers }, socket: Socket) => {
      this.asked.push({ place: url, headers });
      this.open.add(socket.on('error', () => undefined));
      if (this.refuses) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      const { hostname, port } = new URL(`http://${url}`);
      const there = connect(Number(port), hostname.replace(/[[\]]/g, ''));
      socket.once('close', () => there.destroy());
      there.once('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
      there.once('connect', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        socket.pipe(there).pipe(socket);
      });
    });
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${portOf(this.server)}`;
  }

  get places(): string[] {
    return this.asked.map(({ place }) => place);
  }

  async close(): Promise<void> {
    for (const socket of this.open) socket.destroy();
    this.server.closeAllConnections();
    if (this.server.listening) await new Promise((resolve) => this.server.close(resolve));
  }
}

describe('deliveries through a proxy (reference 06 §5.4)', () => {
  let sink: WebhookSink;
  let proxy: Proxy;
  const opened: TargetConnections[] = [];

  beforeAll(async () => {
    sink = await webhookSink();
  });
  beforeEach(async () => {
    sink.clear();
    proxy = new Proxy();
    await proxy.start();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((connections) => connections.onApplicationShutdown()));
    await proxy.close();
  });
  afterAll(() => sink.close());

  const deliveryTo = (addresses: HostAddress[], { url = proxy.url, allowLoopback = true } = {}) => {
    const webhookEgress = {
      allowHttp: true,
      allowHosts: [],
      allowCidrs: [],
      allowLoopback,
      proxy: new Secret(url),
    };
    const config = { webhookEgress } as unknown as ScripConfig;
    const connections = new TargetConnections(config, { resolve: async () => addresses });
    opened.push(connections);
    return new HttpDelivery(connections);
  };
  const sinkPort = () => new URL(sink.url).port;
  const target = () => `http://shop.example.com:${sinkPort()}/hook`;
  const post = (delivery: HttpDelivery, url = target()) => delivery.post(url, '{}', { 'x-shop': 'seven' });

  it('ask it for the address that was checked, and tell it nothing else', async () => {
    expect(await post(deliveryTo([ipv4]))).toMatchObject({ status: 200, error: null });
    expect(proxy.places).toEqual([`127.0.0.1:${sinkPort()}`]);
    expect(JSON.stringify(proxy.asked)).not.toMatch(/shop|seven/);
    const [received] = sink.received();
    expect(received).toMatchObject({
      path: '/hook',
      headers: { host: `shop.example.com:${sinkPort()}`, 'x-shop': 'seven' },
    });
  });

  it('ask for nothing that deliveries must not reach', async () => {
    const delivery = deliveryTo([ipv4], { allowLoopback: false });
    expect(await post(delivery)).toMatchObject({ status: null, error: 'blocked_address' });
    expect([proxy.asked, sink.received()]).toEqual([[], []]);
  });

  it('prove themselves to it, and to it alone', async () => {
    const url = proxy.url.replace('://', '://scrip:p%40ss@');
    expect(await post(deliveryTo([ipv4], { url }))).toMatchObject({ status: 200 });
    const told = proxy.asked[0]?.headers['proxy-authorization'];
    expect(told).toBe(`Basic ${Buffer.from('scrip:p@ss').toString('base64')}`);
    expect(sink.received()[0]?.headers).not.toHaveProperty('proxy-authorization');
  });

  it('go to the next address where the proxy does not reach one', async () => {
    expect(await post(deliveryTo([ipv6, ipv4]))).toMatchObject({ status: 200 });
    expect(proxy.places).toEqual([`[::1]:${sinkPort()}`, `127.0.0.1:${sinkPort()}`]);
  });

  it.each<[string, () => Promise<void>]>([
    ['that refuses', async () => void (proxy.refuses = true)],
    ['that is not there', () => proxy.close()],
  ])('fail by a proxy %s, and leave by no other way', async (_which, change) => {
    const delivery = deliveryTo([ipv4]);
    await change();
    expect(await post(delivery)).toMatchObject({ status: null, error: 'proxy_error' });
    expect(sink.received()).toEqual([]);
  });

  it('are encrypted to the target itself, whose certificate is checked', async () => {
    const names: string[] = [];
    const server = createTlsServer({
      ...servingTls(makeCertificates('stranger').stranger, 2_000),
      SNICallback: (name, done) => {
        names.push(name);
        done(null);
      },
    });
    server.on('tlsClientError', () => undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `https://shop.example.com:${portOf(server)}/`;
    expect(await post(deliveryTo([ipv4]), url)).toMatchObject({ status: null, error: 'tls_error' });
    expect([proxy.places, names]).toEqual([[`127.0.0.1:${portOf(server)}`], ['shop.example.com']]);
    server.close();
  });
});
