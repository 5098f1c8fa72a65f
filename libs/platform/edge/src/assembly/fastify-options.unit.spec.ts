import { servingTls } from '@scrip/rpc';
import { makeCertificates, waitUntil } from '@scrip/testing';
import Fastify from 'fastify';
import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { edgeFastifyOptions } from './fastify-options';

describe('a server that shuts down', () => {
  it('still answers what arrives on a connection that is in use', async () => {
    const fastify = Fastify({ ...edgeFastifyOptions(), forceCloseConnections: 'idle' });
    const steps: string[] = [];
    const [first, second] = [
      'GET /first HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET /second HTTP/1.1\r\nHost: x\r\n\r\n',
    ];
    let received = 0;
    let serve: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (serve = resolve));
    fastify.get('/:name', async () => {
      received += 1;
      await released;
      return { served: true };
    });
    const connected = new Promise<Socket>((resolve) => fastify.server.on('connection', resolve));
    await fastify.listen({ host: '127.0.0.1', port: 0 });
    const socket = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('data', (chunk: Buffer) => steps.push(chunk.toString()));
    socket.write(first);
    await waitUntil(() => received === 1, { what: 'the first request' });
    const closed = fastify.close();
    socket.write(second);
    const { length } = first + second;
    const served = await connected;
    await waitUntil(() => served.bytesRead === length, { what: 'the second request' });
    serve();
    await once(socket, 'close');
    await closed;
    const answers = steps.join('');
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
  });
});

describe('a client that never ends its request', () => {
  it('has a minute', () => {
    expect(Fastify(edgeFastifyOptions()).server.requestTimeout).toBe(60_000);
  });

  it('is told so', async () => {
    const fastify = Fastify({
      ...edgeFastifyOptions(),
      requestTimeout: 100,
      http: { connectionsCheckingInterval: 20, headersTimeout: 100 },
    });
    fastify.post('/', async () => ({}));
    await fastify.listen({ host: '127.0.0.1', port: 0 });
    const socket = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1');
    const answer = text(socket);
    socket.write(
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"half',
    );
    expect(await answer).toMatch(/^HTTP\/1\.1 408 [^]*"key":"request_timeout"/);
    await fastify.close();
  });
});

describe('a client that never closes its connection', () => {
  const connectionsOf = (server: Server): Promise<number> =>
    new Promise((resolve, reject) =>
      server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );

  it.each<[string, string, object]>([
    ['after a malformed request', 'no HTTP\r\n\r\n', {}],
    ['and never begins the TLS handshake', '', { https: servingTls(makeCertificates('auth').auth, 50) }],
  ])('loses it %s', async (_when, sent, options) => {
    const fastify = Fastify({ ...edgeFastifyOptions(), ...options });
    await fastify.listen({ host: '127.0.0.1', port: 0 });
    const { server } = fastify as { server: Server };
    const refused = once(server, 'clientError');
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    await once(socket, 'connect');
    try {
      if (sent !== '') socket.write(sent);
      await refused;
      await waitUntil(async () => (await connectionsOf(server)) === 0, { what: 'the end of the connection' });
    } finally {
      socket.destroy();
      await fastify.close();
    }
  });
});
