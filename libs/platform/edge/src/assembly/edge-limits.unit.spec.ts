import { Controller, Get, Param, Post } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { waitUntil } from '@scrip/testing';
import { connect } from 'node:net';
import { client, open, servedBy, server } from '@scrip/contracts/registry';
import type { AuthPort, Principal } from '@scrip/contracts/auth';
import { arrangements, edgeApplication, testKeys } from '../testing/edge-application';
import { fakeAuth, testPrincipal } from '../testing/fake-auth';

@Controller(['v1/things', 'client/v1/things'])
class Things {
  @Get()
  list(): object {
    return {};
  }

  @Post()
  try(): object {
    return {};
  }

  @Get(':id')
  one(@Param('id') id: string): object {
    return { id };
  }
}

@Controller('v1/open')
class Open {
  @Get()
  show(): object {
    return {};
  }
}

const routes = [
  server('GET /v1/things', 'vouchers'),
  server('GET /v1/things/{id}', 'vouchers', { bulk: true }),
  server('POST /v1/things', 'vouchers', { integrationKeysOnly: true }),
  ...servedBy('campaigns', [open('GET /v1/open')]),
  client('POST /client/v1/things', 'client_validations', { permission: 'validate' }),
  client('GET /client/v1/things', 'client_vouchers'),
  client('GET /client/v1/things/{id}', 'client_vouchers'),
];

describe.each(arrangements)('limits at the edge: %s', (arrangement) => {
  let app: NestFastifyApplication;
  let known: Record<string, Principal>;

  beforeEach(async () => {
    const rateLimits = {
      apiCalls: [{ value: 2, durationS: 3_600 }],
      bulkApiCalls: [{ value: 1, durationS: 60 }],
      rejectedCalls: [{ value: 4, durationS: 60 }],
      openCalls: [{ value: 3, durationS: 60 }],
    };
    known = { 'server:app:secret': testPrincipal(), 'client:web:secret': testPrincipal({ kind: 'client' }) };
    ({ app } = await edgeApplication(
      { controllers: [Things, Open] },
      { auth: fakeAuth(known), routes, rateLimits },
      arrangement,
    ));
  });
  afterEach(() => {
    jest.useRealTimers();
    return app.close();
  });

  const get = (url: string, headers: Record<string, string>, remoteAddress = '192.0.2.1') =>
    app.getHttpAdapter().getInstance().inject({ method: 'GET', url, headers, remoteAddress });

  it('hold per project, with headers on every answer', async () => {
    const first = await get('/v1/things', testKeys.server);
    expect(first.headers).toMatchObject({ 'x-rate-limit-limit': '2', 'x-rate-limit-remaining': '1' });
    expect(first.headers).not.toHaveProperty('retry-after');
    const unknown = await get('/v1/nothing', testKeys.server);
    expect(unknown.statusCode).toBe(404);
    expect(unknown.headers).toMatchObject({
      'x-rate-limit-remaining': '0',
      'x-rate-limit-type': 'api_calls',
    });
    const refused = await get('/v1/things', testKeys.server);
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toEqual({ code: 429, message: 'Too many requests hit the API too quickly.' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_500);
    expect(Number(refused.headers['x-rate-limit-retry'])).toBeGreaterThan(Date.now() / 1_000 + 3_500);
  });

  it('hold per cycle, for bulk and other calls together; a call that another limit refuses is none of it', async () => {
    await app.close();
    const told: object[] = [];
    const auth = {
      ...fakeAuth(known),
      countCalls: (async (_, added) => {
        told.push(added);
        return { calls: [...added.calls] };
      }) satisfies AuthPort['countCalls'],
    };
    const rateLimits = { bulkApiCalls: [{ value: 1, durationS: 60 }], apiCallsPerCycle: 2 };
    ({ app } = await edgeApplication(
      { controllers: [Things, Open] },
      { auth, routes, rateLimits },
      arrangement,
    ));
    const [bulk, bulkAgain, last, refused] = [
      await get('/v1/things/1', testKeys.server),
      await get('/v1/things/1', testKeys.server),
      await get('/v1/things', testKeys.server),
      await get('/v1/things', testKeys.server),
    ];
    expect([bulk.statusCode, bulkAgain.statusCode, last.statusCode, refused.statusCode]).toEqual([
      200, 429, 200, 429,
    ]);
    expect(bulkAgain.headers['x-rate-limit-type']).toBe('bulk_api_calls');
    expect(refused.headers).toMatchObject({
      'x-rate-limit-limit': '2',
      'x-rate-limit-remaining': '0',
      'x-rate-limit-type': 'api_calls_cycle',
    });
    expect(refused.json()).toEqual({ code: 429, message: 'Too many requests hit the API too quickly.' });
    await app.close();
    expect(told).toEqual([
      { cycle: expect.any(String) as string, calls: [{ project_id: 'proj_1', calls: 2 }] },
    ]);
  });

  it('count calls of integrations apart, by no cycle', async () => {
    await app.close();
    const shop = { 'server:app:secret': testPrincipal({ integration: true }) };
    const webhookCalls = [{ value: 1, durationS: 86_400 }];
    const rateLimits = { webhookCalls, apiCallsPerCycle: 1 };
    ({ app } = await edgeApplication(
      { controllers: [Things, Open] },
      { auth: fakeAuth(shop), routes, rateLimits },
      arrangement,
    ));
    const post = () =>
      app
        .getHttpAdapter()
        .getInstance()
        .inject({ method: 'POST', url: '/v1/things', headers: testKeys.server });
    expect((await post()).headers).toMatchObject({
      'x-rate-limit-limit': '1',
      'x-rate-limit-remaining': '0',
    });
    const refused = await post();
    expect([refused.statusCode, refused.headers['x-rate-limit-type']]).toEqual([429, 'webhook_calls']);
    expect((await get('/v1/things', testKeys.server)).statusCode).toBe(200);
  });

  it('count bulk routes apart', async () => {
    expect((await get('/v1/things/1', testKeys.server)).statusCode).toBe(200);
    const refused = await get('/v1/things/1', testKeys.server);
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['x-rate-limit-type']).toBe('bulk_api_calls');
    expect((await get('/v1/things', testKeys.server)).statusCode).toBe(200);
  });

  it('let an IP address make 5 client-side calls in 5 seconds', async () => {
    const statuses: number[] = [];
    const real = [
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'clearImmediate',
    ] as const;
    jest.useFakeTimers({ now: Date.now(), doNotFake: [...real] });
    for (let call = 0; call < 6; call += 1)
      statuses.push((await get('/client/v1/things', testKeys.client)).statusCode);
    jest.useRealTimers();
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it('charge a browser for each redeemable that it names', async () => {
    const post = (count: number) =>
      app
        .getHttpAdapter()
        .getInstance()
        .inject({
          method: 'POST',
          url: '/client/v1/things',
          headers: { ...testKeys.client, 'content-type': 'application/json' },
          payload: JSON.stringify({ redeemables: Array.from({ length: count }, () => 'CODE') }),
        });
    const first = await post(30);
    expect(first.statusCode).toBe(200);
    expect(first.headers).not.toHaveProperty('x-scrip-redeemables');
    await waitUntil(async () => (await post(1)).statusCode === 429, { what: 'the charge' });
    expect(Number((await post(1)).headers['retry-after'])).toBeGreaterThan(20);
  });

  it('stop an address that keeps presenting wrong credentials, whatever comes next', async () => {
    for (let call = 0; call < 4; call += 1) expect((await get('/v1/things', wrong)).statusCode).toBe(401);
    for (const headers of [wrong, testKeys.server]) {
      const refused = await get('/v1/things', headers);
      expect(refused.statusCode).toBe(429);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50);
    }
  });

  const wrong = { 'x-app-id': 'app', 'x-app-token': 'guess' };
  const guessUntilRefused = async (remoteAddress?: string) => {
    const statuses: number[] = [];
    while (statuses.at(-1) !== 429) statuses.push((await get('/v1/things', wrong, remoteAddress)).statusCode);
    return statuses.length - 1;
  };

  it('let credentials pass that were right at the address lately, and nowhere else', async () => {
    const other = '192.0.2.2';
    expect((await get('/v1/things', testKeys.server)).statusCode).toBe(200);
    expect([await guessUntilRefused(), await guessUntilRefused(other)]).toEqual([4, 4]);
    expect((await get('/v1/things', testKeys.server, other)).statusCode).toBe(429);
    expect((await get('/v1/things', testKeys.server)).statusCode).toBe(200);
  });

  it('refuse a key that was blocked since it was right, and count it like any wrong one', async () => {
    expect((await get('/v1/things', testKeys.server)).statusCode).toBe(200);
    expect(await guessUntilRefused()).toBe(4);
    delete known['server:app:secret'];
    expect((await get('/v1/things', testKeys.server)).statusCode).toBe(401);
    expect((await get('/v1/things', testKeys.server)).statusCode).toBe(429);
  });

  it('hold per address on open routes that a context serves', async () => {
    const statuses: number[] = [];
    for (let call = 0; call < 4; call += 1) statuses.push((await get('/v1/open', {})).statusCode);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  it('do not count calls of nobody', async () => {
    for (let call = 0; call < 3; call += 1) expect((await get('/v1/things', {})).statusCode).toBe(401);
    expect((await get('/v1/things', testKeys.server)).statusCode).toBe(200);
  });

  it('answer an empty path parameter as an unknown route', async () => {
    const answer = await get('/v1/things/', testKeys.server);
    expect(answer.json()).toMatchObject({ code: 404, key: 'not_found' });
  });

  it('answer HEAD like GET, without a body', async () => {
    const fastify = app.getHttpAdapter().getInstance();
    const answer = await fastify.inject({ method: 'HEAD', url: '/v1/things', headers: testKeys.server });
    expect([answer.statusCode, answer.body]).toEqual([200, '']);
  });

  it('answer what is no HTTP in the error shape', async () => {
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.getHttpServer().address() as { port: number };
    const text = await new Promise<string>((resolve, reject) => {
      const chunks: Buffer[] = [];
      const socket = connect(port, '127.0.0.1', () =>
        socket.write('GET /v1/things HTTP/1.1\r\nbad header\0: x\r\n\r\n'),
      );
      socket.on('data', (chunk) => chunks.push(chunk));
      socket.on('end', () => resolve(Buffer.concat(chunks).toString()));
      socket.on('error', reject);
    });
    const [head, body] = text.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[^]*\r\nContent-Type: application\/json/);
    expect(JSON.parse(body ?? '')).toMatchObject({
      code: 400,
      key: 'invalid_payload',
      request_id: expect.stringMatching(/^v-/) as string,
    });
  });
});

describe('a route without a row', () => {
  it('stops the start', async () => {
    await expect(edgeApplication({ controllers: [Things] }, { routes: routes.slice(1) })).rejects.toThrow(
      'routes without a row in the route table: GET /v1/things',
    );
  });
});
