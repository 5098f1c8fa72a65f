import Fastify from 'fastify';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { edgeFastifyOptions } from './fastify-options';

describe('a server that shuts down', () => {
  it('still answers what arrives on a connection that is in use', async () => {
    const fastify = Fastify({ ...edgeFastifyOptions(), forceCloseConnections: 'idle' });
    const steps: string[] = [];
    fastify.get('/:name', async () => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      return { served: true };
    });
    await fastify.listen({ host: '127.0.0.1', port: 0 });
    const socket = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('data', (chunk: Buffer) => steps.push(chunk.toString()));
    const request = (name: string): void => void socket.write(`GET /${name} HTTP/1.1\r\nHost: x\r\n\r\n`);
    request('first');
    await new Promise((resolve) => setTimeout(resolve, 30));
    const closed = fastify.close();
    request('second');
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
