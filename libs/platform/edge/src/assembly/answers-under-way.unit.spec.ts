import { Controller, Get, Logger, Post, Query } from '@nestjs/common';
import { waitUntil } from '@scrip/testing';
import { client, open, server } from '@scrip/contracts/registry';
import { connect, type Socket } from 'node:net';
import {
  type Arrangement,
  arrangements,
  type EdgeApplication,
  edgeApplication,
  testKeys,
} from '../testing/edge-application';
import { fakeAuth, testPrincipal, testProject } from '../testing/fake-auth';

let release: () => void;
let held: Promise<void>;
let started = 0;

class Wanted {
  wait?: string;
}

/** More than the buffers of two sockets take. */
const large = { text: 'x'.repeat(9 * 1_048_576) };

@Controller(['v1/things', 'client/v1/things'])
class Things {
  @Get('large')
  async large(@Query() { wait }: Wanted): Promise<object> {
    await this.answer(wait);
    return large;
  }

  @Get()
  list(@Query() { wait }: Wanted): Promise<object> {
    return this.answer(wait);
  }

  @Post()
  create(@Query() { wait }: Wanted): Promise<object> {
    return this.answer(wait);
  }

  private async answer(wait: string | undefined): Promise<object> {
    started += 1;
    if (wait !== undefined) await held;
    return {};
  }
}

@Controller('healthz')
class Health {
  @Get()
  ok(): string {
    return 'ok';
  }
}

const routes = [
  server('GET /v1/things', 'vouchers'),
  server('GET /v1/things/large', 'vouchers'),
  server('POST /v1/things', 'vouchers'),
  client('GET /client/v1/things', 'client_vouchers'),
  client('GET /client/v1/things/large', 'client_vouchers'),
  client('POST /client/v1/things', 'client_vouchers'),
  open('GET /healthz'),
];

const otherKeys = { 'x-app-id': 'other', 'x-app-token': 'secret' };
const auth = fakeAuth({
  'server:app:secret': testPrincipal(),
  'server:other:secret': testPrincipal({ project: { ...testProject, id: 'proj_2' } }),
  'client:web:secret': testPrincipal({ kind: 'client' }),
});

const answerBudget = {
  total: 67_108_864,
  perHolder: 1_000,
  addresses: { total: 1_000, perHolder: 1_000 },
};

const listening = async (
  arrangement: Arrangement,
  options: object,
): Promise<{ edge: EdgeApplication; port: number }> => {
  const edge = await edgeApplication(
    { controllers: [Things, Health] },
    { auth, routes, rateLimits: { clientCalls: [] }, ...options },
    arrangement,
  );
  await edge.app.listen({ host: '127.0.0.1', port: 0 });
  return { edge, port: (edge.app.getHttpServer().address() as { port: number }).port };
};

/** Asks, and reads nothing. */
const askInSilence = (port: number, path: string, keys: object): Socket => {
  const socket = connect(port, '127.0.0.1').pause();
  const lines = Object.entries(keys).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n`);
  return socket.on('error', () => undefined);
};

const refused = {
  status: 503,
  retryAfter: '1',
  body: expect.objectContaining({
    key: 'service_unavailable',
    details: 'Too many answers are under way that were not read yet. Read them, and try again.',
  }) as object,
};

describe.each(arrangements)('answers under way: %s', (arrangement) => {
  let edge: EdgeApplication;
  let port: number;
  let silent: Socket | undefined;

  beforeAll(async () => {
    ({ edge, port } = await listening(arrangement, { answerBudget }));
  });
  beforeEach(() => {
    held = new Promise((resolve) => (release = resolve));
  });
  afterEach(async () => {
    release();
    silent?.destroy();
    await waitUntil(async () => (await call('/v1/things')).status === 200, { what: 'room given back' });
  });
  afterAll(() => edge.app.close());

  const call = async (path: string, headers: object = testKeys.server, method = 'GET') => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers: { ...headers } });
    return {
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
      body: (await answer.json()) as unknown,
    };
  };
  /** Returns once an unread answer has filled the share of `keys`. */
  const fill = async (path = '/v1/things', keys: object = testKeys.server): Promise<void> => {
    silent = askInSilence(port, `${path}/large`, keys);
    await waitUntil(async () => (await call(path, keys)).status === 503, { what: 'a full share' });
  };

  it('have a share of a project: who reads nothing gets no more, and others do', async () => {
    await fill();
    expect(await call('/v1/things')).toEqual(refused);
    const before = started;
    expect(await call('/v1/things', testKeys.server, 'POST')).toEqual(refused);
    expect(started).toBe(before);
    expect((await call('/v1/things', otherKeys)).status).toBe(200);
    silent?.destroy();
    await waitUntil(async () => (await call('/v1/things')).status === 200, { what: 'room given back' });
  });

  it('of one who reads may be larger than the share', async () => {
    expect((await call('/v1/things/large')).body).toEqual(large);
  });

  it('of reads are refused when they are made, and those of commands are not', async () => {
    const before = started;
    const read = call('/v1/things?wait=yes');
    const command = call('/v1/things?wait=yes', testKeys.server, 'POST');
    await waitUntil(() => started === before + 2, { what: 'both requests in their handlers' });
    await fill();
    release();
    expect(await read).toEqual(refused);
    expect((await command).status).toBe(200);
  });

  it('are not counted where their caller left before they were made', async () => {
    const before = started;
    const opened: Socket[] = [];
    edge.app.getHttpServer().once('connection', (socket: Socket) => opened.push(socket));
    silent = askInSilence(port, '/v1/things/large?wait=yes', testKeys.server);
    await waitUntil(() => started > before, { what: 'the request in its handler' });
    silent.destroy();
    await waitUntil(() => opened[0]?.closed === true, { what: 'the end of the connection' });
    release();
    expect((await call('/v1/things')).status).toBe(200);
    expect((await call('/v1/things')).status).toBe(200);
  });

  it('of browsers take nothing from their project', async () => {
    await fill('/client/v1/things', testKeys.client);
    expect(await call('/client/v1/things', testKeys.client)).toEqual(refused);
    expect((await call('/v1/things')).status).toBe(200);
  });
});

describe('answers of the process itself', () => {
  it('are not counted: health is told where there is no room', async () => {
    const none = { total: 0, perHolder: 0 };
    const { edge, port } = await listening('one process', { answerBudget: { ...none, addresses: none } });
    const statusOf = async (path: string) =>
      (await fetch(`http://127.0.0.1:${port}${path}`, { headers: testKeys.server })).status;
    const statuses = [await statusOf('/v1/things'), await statusOf('/healthz')];
    await edge.app.close();
    expect(statuses).toEqual([503, 200]);
  });
});

describe.each(arrangements)('answers that are not read: %s', (arrangement) => {
  let edge: EdgeApplication;
  let silent: Socket;

  afterEach(async () => {
    silent.destroy();
    await edge.app.close();
    jest.restoreAllMocks();
  });

  it('end with their connection', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const started = await listening(arrangement, { readerPatience: { beats: 3, everyMs: 100 } });
    edge = started.edge;
    const opened: Socket[] = [];
    edge.app.getHttpServer().on('connection', (socket: Socket) => opened.push(socket));
    silent = askInSilence(started.port, '/v1/things/large', testKeys.server);
    await waitUntil(() => opened[0]?.destroyed === true, { what: 'the end of the connection' });
    expect(warned).toHaveBeenCalledWith('ended 1 connections whose readers took nothing of their answers');
  });
});
