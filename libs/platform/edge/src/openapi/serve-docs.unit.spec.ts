import fastify from 'fastify';
import { serveDocs } from './serve-docs';

const documents = ['/openapi.json', '/openapi.sdk.json', '/docs', '/docs/start.js', '/docs/swagger-ui.css'];

describe('documents', () => {
  it.each(documents)('are the same bytes for all who read them: %s', async (url) => {
    const server = fastify();
    const sent: unknown[] = [];
    server.addHook('onSend', async (_request, _reply, payload) => void sent.push(payload));
    serveDocs(server);
    for (const reader of ['first', 'second']) {
      const { statusCode } = await server.inject({ url, headers: { 'user-agent': reader } });
      expect(statusCode).toBe(200);
    }
    await server.close();
    expect(Buffer.isBuffer(sent[0])).toBe(true);
    // Not `toBe` for both: the message of a failure would spell all bytes.
    expect(sent[1] === sent[0]).toBe(true);
  });
});
