import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import type { CallersSession, Principal } from '@scrip/contracts/auth';
import { client, dashboard, management, oauth, server } from '@scrip/contracts/registry';
import type { RequestContext } from '@scrip/kernel';
import type { InjectOptions } from 'fastify';
import type { BrowserCall } from '../access/browser-call';
import { Browser, Ctx, SessionOfCall } from '../request/request-decorators';
import { arrangements, edgeApplication, testKeys } from '../testing/edge-application';
import { fakeAuth, testPrincipal, testProject } from '../testing/fake-auth';

@Controller(['v1/things', 'client/v1/things'])
class Things {
  @Get()
  read(@Ctx() { channel, user, apiKey, role, project }: RequestContext): unknown {
    return { channel, user, apiKey, role, project: project.id };
  }

  @Post()
  write(): unknown {
    return {};
  }

  @Put()
  settings(): unknown {
    return {};
  }

  @Delete()
  remove(): unknown {
    return {};
  }
}

@Controller('v1/redemptions')
class Redemptions {
  @Post()
  redeem(): unknown {
    return {};
  }
}

@Controller('v1/oauth/token')
class Tokens {
  @Post()
  issue(): unknown {
    return {};
  }
}

@Controller('management/v1/projects/:projectId/keys')
class Keys {
  @Get()
  list(@SessionOfCall() session: BrowserCall['session']): unknown {
    return { session };
  }

  @Post()
  issue(): unknown {
    return {};
  }
}

@Controller('dashboard/api')
class Sessions {
  @Post('session')
  begin(@Browser() browser: BrowserCall): unknown {
    return browser;
  }

  @Get('session')
  current(@Browser() browser: BrowserCall): unknown {
    return browser;
  }

  @Get('log')
  log(@Ctx() { project }: RequestContext): unknown {
    return { project: project.id };
  }
}

const routes = [
  server('GET /v1/things', 'vouchers'),
  server('POST /v1/things', 'vouchers'),
  server('PUT /v1/things', 'vouchers', { permission: 'settings' }),
  server('DELETE /v1/things', 'vouchers'),
  server('POST /v1/redemptions', 'redemptions', { permission: 'redeem' }),
  client('GET /client/v1/things', 'client_vouchers'),
  client('POST /client/v1/things', 'client_vouchers'),
  client('PUT /client/v1/things', 'client_vouchers'),
  client('DELETE /client/v1/things', 'client_vouchers'),
  oauth('POST /v1/oauth/token'),
  management('GET /management/v1/projects/{projectId}/keys'),
  management('POST /management/v1/projects/{projectId}/keys', { passwordAgain: true }),
  dashboard('POST /dashboard/api/session', { beginsSession: true }),
  dashboard('GET /dashboard/api/session'),
  dashboard('GET /dashboard/api/log', { permission: 'read' }),
];

const ofUser = (role: string, session: Partial<CallersSession> = {}): Principal =>
  testPrincipal({
    ...{
      kind: 'session',
      key: { id: 'ses_1', name: 'ada' },
      role,
      trusted_domains: [],
      client_switches: null,
    },
    session: {
      ...{ id: 'ses_1', user_id: 'user_1', must_change_password: false, password_is_fresh: true },
      ...session,
    },
  });

const roles = ['ADMIN', 'USER', 'VIEWER', 'MERCHANT', 'USER_RESTRICTED', 'NONE'] as const;
const inProject = (token: string, principal: Principal) => ({
  [`session:${token}:proj_1`]: principal,
  [`session:${token}:`]: { ...principal, role: 'NONE', project: null },
});
const auth = fakeAuth({
  'server:app:secret': testPrincipal(),
  'client:web:secret': testPrincipal({ kind: 'client' }),
  'management:boss:secret': testPrincipal({ kind: 'management', project: null }),
  ...Object.assign({}, ...roles.map((role) => inProject(role, ofUser(role)))),
  ...inProject('first', ofUser('ADMIN', { must_change_password: true })),
  ...inProject('stale', ofUser('ADMIN', { password_is_fresh: false })),
});

const page = { host: 'localhost', 'x-scrip-dashboard': '1', 'sec-fetch-site': 'same-origin' };
const project = { 'x-scrip-project': testProject.id };
const cookie = (token: string, name = 'scrip') => ({ cookie: `theme=dark; ${name}=${token}` });
const ada = { ...page, ...project, ...cookie('ADMIN') };

describe.each(arrangements)('calls with a session: %s', (arrangement) => {
  const boot = async (options: { baseUrl?: string; allowHttp?: boolean; callsOfUser?: number } = {}) => {
    const { baseUrl = 'http://127.0.0.1', allowHttp = false, callsOfUser = 600 } = options;
    const { app } = await edgeApplication(
      { controllers: [Things, Redemptions, Tokens, Keys, Sessions] },
      {
        ...{ auth, routes, dashboard: { baseUrl, allowHttp } },
        rateLimits: { dashboardCalls: [{ value: callsOfUser, durationS: 60 }] },
      },
      arrangement,
    );
    const call = async (method: InjectOptions['method'], url: string, headers: Record<string, string>) => {
      const {
        statusCode,
        headers: told,
        body,
      } = await app
        .getHttpAdapter()
        .getInstance()
        .inject({ method: method ?? 'GET', url, headers });
      return { status: statusCode, headers: told, body: JSON.parse(body) as Record<string, unknown> };
    };
    return { call, close: () => app.close() };
  };
  let edge: Awaited<ReturnType<typeof boot>>;

  beforeAll(async () => {
    edge = await boot({ callsOfUser: 1_000_000 });
  });
  afterAll(() => edge.close());

  const things = (headers: Record<string, string>) => edge.call('GET', '/v1/things', headers);

  it('tell the handler the user, the project and the channel, under an id of their own', async () => {
    const { status, body, headers } = await things(ada);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        ...{
          channel: 'USER_PORTAL',
          user: { id: 'user_1', login: 'ada' },
          apiKey: null,
          role: 'ADMIN',
          project: 'proj_1',
        },
      },
    });
    expect(headers['x-request-id']).toMatch(/^w-[0-9a-f]{18}$/);
  });

  describe('are let in', () => {
    test.each<[string, Record<string, string | undefined>, number, string | undefined]>([
      ['with all that is needed', {}, 200, undefined],
      ['without a cookie', { cookie: undefined }, 401, 'unauthorized'],
      ['with an unknown cookie', cookie('guess'), 401, 'unauthorized'],
      ['with the cookie of https by http', cookie('ADMIN', '__Host-scrip'), 401, 'unauthorized'],
      ['with a cookie longer than any', cookie('x'.repeat(257)), 401, 'unauthorized'],
      ['without the header of the dashboard', { 'x-scrip-dashboard': undefined }, 403, 'forbidden'],
      ['with another value of it', { 'x-scrip-dashboard': 'true' }, 403, 'forbidden'],
      ['from another site', { 'sec-fetch-site': 'cross-site' }, 403, 'forbidden'],
      ['from another host of the site', { 'sec-fetch-site': 'same-site' }, 403, 'forbidden'],
      ['typed into the address bar', { 'sec-fetch-site': 'none' }, 403, 'forbidden'],
      [
        'from another site that sends our Origin',
        { 'sec-fetch-site': 'cross-site', origin: 'http://localhost' },
        403,
        'forbidden',
      ],
      [
        'by an old browser from our page',
        { 'sec-fetch-site': undefined, origin: 'http://localhost' },
        200,
        undefined,
      ],
      [
        'by an old browser from a page of the base URL',
        { 'sec-fetch-site': undefined, origin: 'http://127.0.0.1' },
        200,
        undefined,
      ],
      [
        'by an old browser from another page',
        { 'sec-fetch-site': undefined, origin: 'https://evil.example' },
        403,
        'forbidden',
      ],
      ['by an old browser without Origin', { 'sec-fetch-site': undefined }, 403, 'forbidden'],
      ['by http to another machine', { host: 'scrip.example.com' }, 403, 'forbidden'],
      ['without a project', { 'x-scrip-project': undefined }, 400, 'invalid_payload'],
    ])('%s: %#', async (_name, change, status, key) => {
      const headers = Object.fromEntries(
        Object.entries({ ...ada, ...change }).filter((one): one is [string, string] => one[1] !== undefined),
      );
      const answer = await things(headers);
      expect([answer.status, answer.body.key]).toEqual([status, key]);
    });
  });

  it.each([
    ['a key', testKeys.server, 200, 'API'],
    ['a wrong key', { ...testKeys.server, 'x-app-token': 'guess' }, 401, undefined],
    ['half of a key', { 'x-app-id': 'app' }, 401, undefined],
    ['a wrong token', { authorization: 'Bearer guess' }, 401, undefined],
  ])('count for nothing beside %s', async (_name, headers, status, channel) => {
    const answer = await things({ ...ada, ...headers });
    expect([answer.status, answer.body.channel]).toEqual([status, channel]);
  });

  it.each([
    ['GET', '/client/v1/things'],
    ['POST', '/v1/oauth/token'],
  ] as const)('never reach %s %s', async (method, url) => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await edge.call(method, url, { ...ada, ...form })).status).toBe(401);
  });

  describe('may do what the role allows', () => {
    const calls = [
      ['GET', '/v1/things', 'read'],
      ['POST', '/v1/things', 'write'],
      ['DELETE', '/v1/things', 'write'],
      ['POST', '/v1/redemptions', 'redeem'],
      ['PUT', '/v1/things', 'settings'],
      ['GET', '/management/v1/projects/proj_1/keys', 'settings'],
      ['POST', '/management/v1/projects/proj_1/keys', 'settings'],
      ['GET', '/dashboard/api/log', 'read'],
      ['GET', '/dashboard/api/session', 'none'],
    ] as const;
    const allowed: Record<(typeof roles)[number], readonly string[]> = {
      ADMIN: ['read', 'write', 'redeem', 'settings', 'none'],
      USER: ['read', 'write', 'redeem', 'none'],
      VIEWER: ['read', 'none'],
      MERCHANT: ['read', 'redeem', 'none'],
      USER_RESTRICTED: ['none'],
      NONE: ['none'],
    };

    test.each(roles.flatMap((role) => calls.map((one) => [role, ...one] as const)))(
      '%s: %s %s (%s)',
      async (role, method, url, permission) => {
        const { status, body } = await edge.call(method, url, { ...page, ...project, ...cookie(role) });
        const may = allowed[role].includes(permission);
        expect([status, body.key]).toEqual(may ? [200, undefined] : [403, 'missing_required_permission']);
      },
    );
  });

  it('reach no project in which the user has no role', async () => {
    const other = { ...ada, 'x-scrip-project': 'proj_2' };
    expect((await things(other)).status).toBe(401);
    const answer = await edge.call('GET', '/management/v1/projects/proj_2/keys', ada);
    expect(answer.status).toBe(401);
  });

  it('reach nothing but themselves until the password is changed', async () => {
    const first = { ...page, ...project, ...cookie('first') };
    expect((await edge.call('GET', '/dashboard/api/session', first)).status).toBe(200);
    for (const url of ['/v1/things', '/dashboard/api/log', '/management/v1/projects/proj_1/keys'])
      expect(await edge.call('GET', url, first)).toMatchObject({
        status: 403,
        body: { key: 'forbidden', details: 'The password must be changed first' },
      });
  });

  test.each([
    ['POST', '/management/v1/projects/proj_1/keys', 403],
    ['GET', '/management/v1/projects/proj_1/keys', 200],
    ['DELETE', '/v1/things?force=true', 403],
    ['DELETE', '/v1/things?force=false', 200],
    ['DELETE', '/v1/things', 200],
  ] as const)('need the password again for what cannot be undone: %s %s: %s', async (method, url, status) => {
    const answer = await edge.call(method, url, { ...page, ...project, ...cookie('stale') });
    expect([answer.status, answer.body.key]).toEqual([
      status,
      status === 403 ? 'password_required' : undefined,
    ]);
    const fresh = await edge.call(method, url, ada);
    expect(fresh.status).toBe(200);
  });

  it('begin by a call without one, of our page', async () => {
    const begin = (headers: Record<string, string>) => edge.call('POST', '/dashboard/api/session', headers);
    expect(await begin(page)).toMatchObject({
      status: 200,
      body: { address: '127.0.0.1', isSecure: false, session: null },
    });
    expect((await begin({ ...page, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await begin({ ...page, 'x-scrip-dashboard': '0' })).status).toBe(403);
    expect((await begin({ ...page, host: 'scrip.example.com' })).status).toBe(403);
  });

  it('tell the handler of the dashboard the session', async () => {
    const { body } = await edge.call('GET', '/dashboard/api/session', { ...page, ...cookie('ADMIN') });
    expect(body).toEqual({
      ...{
        address: '127.0.0.1',
        isSecure: false,
        session: { id: 'ses_1', user_id: 'user_1', password_is_fresh: true },
      },
    });
  });

  it.each([true, false])(
    'tell a handler of management whether the password is fresh: %s',
    async (isFresh) => {
      const headers = { ...page, ...cookie(isFresh ? 'ADMIN' : 'stale') };
      const { body } = await edge.call('GET', '/management/v1/projects/proj_1/keys', headers);
      expect(body).toEqual({ session: { id: 'ses_1', user_id: 'user_1', password_is_fresh: isFresh } });
    },
  );

  it('are none where a management key calls', async () => {
    const { body } = await edge.call('GET', '/management/v1/projects/proj_1/keys', testKeys.management);
    expect(body).toEqual({ session: null });
  });

  it('have a limit of their own for each user', async () => {
    const { call, close } = await boot({ callsOfUser: 2 });
    const answers = [];
    for (let count = 0; count < 3; count += 1) answers.push(await call('GET', '/v1/things', ada));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers[2]?.headers['x-rate-limit-type']).toBe('dashboard_calls');
    expect((await call('GET', '/v1/things', testKeys.server)).status).toBe(200);
    await close();
  });

  it('have a cookie for https alone where the base URL is https', async () => {
    const { call, close } = await boot({ baseUrl: 'https://scrip.example.com' });
    const there = { ...ada, host: 'scrip.example.com' };
    expect((await call('GET', '/v1/things', { ...there, ...cookie('ADMIN', '__Host-scrip') })).status).toBe(
      200,
    );
    expect((await call('GET', '/v1/things', there)).status).toBe(401);
    await close();
  });

  it('come by http from other machines where that is allowed', async () => {
    const { call, close } = await boot({ allowHttp: true });
    expect((await call('GET', '/v1/things', { ...ada, host: 'scrip.example.com' })).status).toBe(200);
    await close();
  });
});
