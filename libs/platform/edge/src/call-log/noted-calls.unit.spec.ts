import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { NotedCall } from '@scrip/contracts/operations';
import { client, management, server } from '@scrip/contracts/registry';
import { waitUntil } from '@scrip/testing';
import { connect } from 'node:net';
import { arrangements, edgeApplication, testKeys } from '../testing/edge-application';
import { fakeAuth, testPrincipal } from '../testing/fake-auth';
import { CallNotes } from './call-notes';

let isSlowReached = false;
let endSlow = (): void => undefined;

@Controller(['v1/things', 'client/v1/things', 'management/v1/projects/:projectId/things'])
class Things {
  @Get()
  list(): object {
    return {};
  }

  @Get(':id')
  async one(@Param('id') id: string): Promise<object> {
    if (id !== 'slow') return { id };
    isSlowReached = true;
    return new Promise((resolve) => (endSlow = () => resolve({ id })));
  }

  @Post()
  @HttpCode(201)
  create(): object {
    return {};
  }
}

const routes = [
  server('GET /v1/things', 'vouchers'),
  server('GET /v1/things/{id}', 'vouchers'),
  server('POST /v1/things', 'vouchers'),
  client('GET /client/v1/things', 'client_vouchers'),
  client('GET /client/v1/things/{id}', 'client_vouchers'),
  client('POST /client/v1/things', 'client_validations'),
  management('GET /management/v1/projects/{projectId}/things'),
  management('GET /management/v1/projects/{projectId}/things/{id}'),
  management('POST /management/v1/projects/{projectId}/things'),
];

describe.each(arrangements)('calls in the log: %s', (arrangement) => {
  let app: NestFastifyApplication;
  let noted: NotedCall[];
  let callNotes: CallNotes;

  beforeEach(async () => {
    noted = [];
    const known = {
      'server:app:secret': testPrincipal(),
      'token:wide': testPrincipal({ kind: 'token', scopes: null }),
      'server:viewer:secret': testPrincipal({ role: 'VIEWER', key: { id: 'eu1-viewer', name: 'Viewer' } }),
      'client:web:secret': testPrincipal({ kind: 'client', key: { id: 'eu1-web', name: 'Browser' } }),
      'management:boss:secret': testPrincipal({ kind: 'management', project: null }),
      'session:cookie:proj_1': testPrincipal({
        kind: 'session',
        session: { id: 'ses_1', user_id: 'user_1', must_change_password: false, password_is_fresh: true },
      }),
    };
    callNotes = new CallNotes({
      store: async (calls) => void noted.push(...calls),
      lost: () => undefined,
    });
    ({ app } = await edgeApplication(
      { controllers: [Things] },
      { auth: fakeAuth(known), routes, callNotes, rateLimits: { apiCalls: [{ value: 3, durationS: 60 }] } },
      arrangement,
    ));
  });
  afterEach(() => {
    endSlow();
    return app.close();
  });

  const call = (method: 'GET' | 'POST' | 'PUT', url: string, headers: Record<string, string>) =>
    app.getHttpAdapter().getInstance().inject({ method, url, headers });
  const told = async (): Promise<NotedCall[]> => {
    await app.close();
    return noted;
  };
  const common = {
    id: expect.stringMatching(/^log_[0-9a-f]{32}$/) as string,
    created_at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    request_id: expect.stringMatching(/^v-/) as string,
    project_id: 'proj_1',
  };

  it('have what the call was, without what it named', async () => {
    await call('GET', '/v1/things/ada@example.com?limit=5&email=ada@example.com', testKeys.server);
    const answer = await call('POST', '/v1/things', { 'x-service-oauth': 'Bearer wide' });
    await call('GET', '/client/v1/things', testKeys.client);
    expect(await told()).toEqual([
      {
        ...common,
        ...{ status: 200, channel: 'API', method: 'GET', endpoint: '/v1/things/{id}' },
        ...{ url: '/v1/things/***?limit=5&...', app_id: 'eu1-app', client_app_id: null },
      },
      {
        ...common,
        request_id: answer.headers['x-request-id'],
        ...{ status: 201, channel: 'API', method: 'POST', endpoint: '/v1/things' },
        ...{ url: '/v1/things', app_id: 'eu1-app', client_app_id: null },
      },
      {
        ...common,
        ...{ status: 200, channel: 'CLIENT_API', method: 'GET', endpoint: '/client/v1/things' },
        ...{ url: '/client/v1/things', app_id: null, client_app_id: 'eu1-web' },
      },
    ]);
  });

  it('are also those that were refused, once the caller is known', async () => {
    await call('POST', '/v1/things', { 'x-app-id': 'viewer', 'x-app-token': 'secret' });
    await call('GET', '/v1/thongs/SUMMER', testKeys.server);
    await call('PUT', '/v1/things/SUMMER', testKeys.server);
    await call('GET', '/v1/things', testKeys.server);
    expect(
      (await told()).map(({ status, endpoint, url, app_id }) => [status, endpoint, url, app_id]),
    ).toEqual([
      [403, '/v1/things', '/v1/things', 'eu1-viewer'],
      [404, null, '/v1/***/***', 'eu1-app'],
      [405, null, '/v1/things/***', 'eu1-app'],
      [429, '/v1/things', '/v1/things', 'eu1-app'],
    ]);
  });

  it('are none of callers who are not known, of managers and of users', async () => {
    const session = {
      ...{ cookie: 'scrip=cookie', 'x-scrip-project': 'proj_1' },
      ...{ 'x-scrip-dashboard': '1', 'sec-fetch-site': 'same-origin' },
    };
    const statuses = [
      await call('GET', '/v1/things', { ...testKeys.server, 'x-app-token': 'guess' }),
      await call('GET', '/v1/things', {}),
      await call('GET', '/management/v1/projects/proj_1/things', testKeys.management),
      await call('GET', '/v1/things', session),
    ].map(({ statusCode }) => statusCode);
    expect(statuses).toEqual([401, 401, 200, 200]);
    expect(await told()).toEqual([]);
  });

  it('have no status where the caller left before the answer', async () => {
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.getHttpServer().address() as { port: number };
    isSlowReached = false;
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /v1/things/slow HTTP/1.1\r\nhost: x\r\nx-app-id: app\r\nx-app-token: secret\r\n\r\n');
    await waitUntil(async () => isSlowReached, { what: 'the handler' });
    socket.destroy();
    await waitUntil(
      async () => {
        await callNotes.settle();
        return noted.length > 0;
      },
      { what: 'the note' },
    );
    endSlow();
    expect(noted).toMatchObject([{ status: null, url: '/v1/things/***', endpoint: '/v1/things/{id}' }]);
  });
});
