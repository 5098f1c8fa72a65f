import { waitUntil } from '@scrip/testing';
import fastify from 'fastify';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { defaultReaderPatience } from './silent-readers';
import { useAnswerRooms } from './use-answer-rooms';

describe('a stream that answers a pipelined request', () => {
  const server = fastify({ forceCloseConnections: true });
  const stream = new Readable({ read: () => undefined });
  let isAsked = false;

  beforeAll(async () => {
    useAnswerRooms(server, defaultReaderPatience);
    server.get('/slow', () => new Promise(() => undefined));
    server.get('/file', (_request, reply) => {
      isAsked = true;
      return reply.send(stream);
    });
    await server.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => server.close());

  it('is destroyed when the connection ends before it is its turn', async () => {
    const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
    for (const path of ['/slow', '/file']) socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await waitUntil(() => isAsked, { what: 'both requests' });
    socket.destroy();
    await waitUntil(() => stream.destroyed, { what: 'the end of the stream', timeoutMs: 20_000 });
  });
});
