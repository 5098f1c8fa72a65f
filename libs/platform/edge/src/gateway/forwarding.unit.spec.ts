import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { contextHeader, verifyContext } from '../signed-context/context-signature';
import { testKeys } from '../testing/edge-application';
import { bootGateway, type GatewayFixture, type PlainService, plainService } from './gateway.fixture';

interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

describe('what a gateway sends on', () => {
  let service: PlainService;
  let gateway: GatewayFixture;
  let received: Received[];
  let answer: RequestListener;

  const json = (response: ServerResponse, body: unknown, status = 200): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

  beforeAll(async () => {
    service = await plainService(async (incoming, response) => {
      const { method, url, headers } = incoming;
      received.push({ method, url, headers, body: await text(incoming) });
      answer(incoming, response);
    });
    gateway = await bootGateway([service.port]);
  });
  afterAll(async () => {
    await gateway.close();
    await service.kill();
  });
  beforeEach(() => {
    received = [];
    answer = (_request, response) => json(response, {});
  });

  /** A request as no honest client would make it. */
  const rawRequest = (
    headers: Record<string, string>,
    { path = '/v1/things', method = 'GET' } = {},
  ): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const outgoing = request({
        host: '127.0.0.1',
        port: gateway.port,
        path,
        method,
        headers: { ...testKeys.server, ...headers },
      });
      outgoing.once('response', (response) => {
        response.resume();
        response.once('end', () => resolve(response));
      });
      outgoing.once('error', reject).end();
    });

  it('is the body byte for byte, with what says how to read it', async () => {
    const body = '{ "name" : "Łódź",\n "broken": ';
    const headers = { 'content-type': 'application/json; charset=utf-8', 'idempotency-key': 'once' };
    await gateway.fetch('/v1/things', { method: 'POST', headers, body });
    expect(received[0]).toMatchObject({
      method: 'POST',
      url: '/v1/things',
      body,
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    });
  });

  it('is the target as it came', async () => {
    await gateway.fetch('/v1/things/a%2Fb%20c?filters[a]=%5B&x=1+2');
    expect(received[0]?.url).toBe('/v1/things/a%2Fb%20c?filters[a]=%5B&x=1+2');
  });

  it('is path and query only of a request line with a whole URL', async () => {
    await rawRequest({}, { path: 'http://elsewhere.example.com/v1/things?a=b' });
    expect(received[0]?.url).toBe('/v1/things?a=b');
  });

  it('has a context that counts for exactly this request', async () => {
    await gateway.fetch('/v1/things?limit=1');
    const [{ headers, url = '' }] = received as [Received];
    const verdict = verifyContext([gateway.contextKey], { method: 'GET', url }, headers[contextHeader]);
    expect(verdict).toMatchObject({
      call: { requestId: expect.stringMatching(/^v-[0-9a-f]{18}$/) as string },
      context: { project: { id: 'proj_1' }, role: 'ADMIN', channel: 'API' },
    });
  });

  it("has a context on open routes too, nobody's", async () => {
    await fetch(`${gateway.url}/v1/assets/a_1`);
    const [{ headers }] = received as [Received];
    const target = { method: 'GET', url: '/v1/assets/a_1' };
    expect(verifyContext([gateway.contextKey], target, headers[contextHeader])).toMatchObject({
      context: null,
    });
  });

  it('never is what a caller says in the name of a gateway', async () => {
    await rawRequest({
      [contextHeader]: '1.e30.x',
      'X-SCRIP-CONTEXT-REFUSED': 'forged',
      'x-scrip-anything': 'x',
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-host': 'evil.example.com',
      'x-forwarded-proto': 'https',
      'x-forwarded-user': 'boss',
      forwarded: 'for=203.0.113.9',
      'x-real-ip': '203.0.113.9',
      // Takes away what the gateway adds, if names in Connection were dropped last.
      connection: `close, ${contextHeader}, x-forwarded-for`,
    });
    const [{ headers, url = '' }] = received as [Received];
    expect(verifyContext([gateway.contextKey], { method: 'GET', url }, headers[contextHeader])).toMatchObject(
      {
        context: { role: 'ADMIN' },
      },
    );
    expect(headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': `127.0.0.1:${gateway.port}`,
      'x-forwarded-proto': 'http',
    });
    for (const name of [
      'x-scrip-context-refused',
      'x-scrip-anything',
      'x-forwarded-user',
      'forwarded',
      'x-real-ip',
    ])
      expect(headers).not.toHaveProperty(name);
  });

  it('leaves credentials and what concerns one connection behind', async () => {
    await rawRequest({
      authorization: 'Basic eA==',
      'x-service-oauth': 'nothing',
      cookie: 'a=b',
      te: 'trailers',
      'keep-alive': 'timeout=5',
      'proxy-authorization': 'Basic eA==',
      'x-hop': '1',
      connection: 'x-hop, keep-alive',
      'x-custom': 'stays',
    });
    const [{ headers }] = received as [Received];
    const secret = Object.keys(testKeys.server);
    for (const name of [
      ...secret,
      'authorization',
      'x-service-oauth',
      'cookie',
      'te',
      'proxy-authorization',
      'x-hop',
    ])
      expect(headers).not.toHaveProperty(name);
    expect(headers['x-custom']).toBe('stays');
  });

  it('is no body where none is due', async () => {
    await gateway.fetch('/v1/things/t_1', { method: 'DELETE' });
    expect(received[0]).toMatchObject({ method: 'DELETE', body: '' });
  });

  describe('and answers with', () => {
    it('status, headers and body of the service', async () => {
      answer = (_request, response) =>
        void response
          .writeHead(409, {
            'content-type': 'application/json; charset=utf-8',
            'x-custom': 'kept',
            'set-cookie': ['a=1', 'b=2'],
            connection: 'keep-alive, x-hop',
            'x-hop': '1',
            'x-scrip-internal': '1',
          })
          .end('{"code":409}');
      const got = await gateway.fetch('/v1/things');
      expect([got.status, await got.text()]).toEqual([409, '{"code":409}']);
      expect(got.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(got.headers.get('x-custom')).toBe('kept');
      expect(got.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
      expect(got.headers.has('x-hop')).toBe(false);
      expect(got.headers.has('x-scrip-internal')).toBe(false);
      expect(got.headers.get('x-rate-limit-limit')).toBe('1000000');
    });

    it('nothing to 204', async () => {
      answer = (_request, response) => void response.writeHead(204).end();
      const got = await gateway.fetch('/v1/things/t_1', { method: 'DELETE' });
      expect([got.status, await got.text()]).toEqual([204, '']);
      expect(got.headers.has('content-type')).toBe(false);
    });

    it('the head alone to HEAD', async () => {
      answer = (incoming, response) => {
        const body = '{"things":[]}';
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
        response.end(incoming.method === 'HEAD' ? undefined : body);
      };
      const got = await rawRequest({}, { method: 'HEAD' });
      expect(received[0]?.method).toBe('HEAD');
      expect([got.statusCode, got.headers['content-length']]).toEqual([200, '13']);
    });

    it('503 when the service refuses its context: the caller can do nothing about clocks and secrets', async () => {
      answer = (_request, response) =>
        void response
          .writeHead(403, { 'content-type': 'application/json', 'x-scrip-context-refused': 'expired' })
          .end('{"code":403}');
      const got = await gateway.fetch('/v1/things');
      expect(got.status).toBe(503);
      expect(await got.json()).toMatchObject({ code: 503, key: 'service_unavailable' });
      expect(got.headers.has('x-scrip-context-refused')).toBe(false);
    });
  });
});
