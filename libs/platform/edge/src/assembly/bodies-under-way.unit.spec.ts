import { Body, Controller, Post } from '@nestjs/common';
import { waitUntil } from '@scrip/testing';
import { client, server } from '@scrip/contracts/registry';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  type Arrangement,
  arrangements,
  type EdgeApplication,
  edgeApplication,
  testKeys,
} from '../testing/edge-application';

let release: () => void;
let held: Promise<void>;
let started = 0;

@Controller(['v1/things', 'client/v1/things'])
class Things {
  @Post()
  async create(@Body() body: { wait?: boolean }): Promise<object> {
    started += 1;
    if (body.wait) await held;
    return {};
  }
}

const routes = [
  server('POST /v1/things', 'vouchers'),
  client('POST /client/v1/things', 'client_validations', {
    permission: 'validate',
    bodyLimitBytes: 300,
  }),
];

const bodyBudget = { total: 1_000, perHolder: 1_000, addresses: { total: 400, perHolder: 300 } };

const rateLimits = { clientCalls: [] };

const bytesOf = (body: object, bytes: number): string => {
  const json = JSON.stringify(body);
  return json + ' '.repeat(bytes - json.length);
};

const listening = async (
  arrangement: Arrangement,
  deadlineMs: number,
): Promise<[EdgeApplication, number]> => {
  const edge = await edgeApplication(
    { controllers: [Things] },
    { routes, bodyBudget, rateLimits, deadlineMs },
    arrangement,
  );
  await edge.app.listen({ host: '127.0.0.1', port: 0 });
  return [edge, (edge.app.getHttpServer().address() as { port: number }).port];
};

const poster = (port: () => number) => async (path: keyof typeof keysOf, body: object, bytes: number) => {
  const answer = await fetch(`http://127.0.0.1:${port()}${path}`, {
    method: 'POST',
    headers: { ...keysOf[path], 'content-type': 'application/json' },
    body: bytesOf(body, bytes),
  });
  return {
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    body: await answer.json(),
  };
};

const keysOf = { '/v1/things': testKeys.server, '/client/v1/things': testKeys.client };

const refused = {
  status: 503,
  retryAfter: '1',
  body: expect.objectContaining({
    key: 'service_unavailable',
    details: 'Too many request bodies are under way. Try again.',
  }) as object,
};

describe.each(arrangements)('bodies under way: %s', (arrangement) => {
  let edge: EdgeApplication;
  let port: number;
  const post = poster(() => port);

  beforeAll(async () => {
    [edge, port] = await listening(arrangement, 60_000);
  });
  afterAll(() => edge.app.close());
  beforeEach(() => {
    held = new Promise((resolve) => (release = resolve));
  });

  it('are bounded, until their requests are over', async () => {
    const before = started;
    const waiting = post('/v1/things', { wait: true }, 600);
    try {
      await waitUntil(() => started > before, { what: 'the first request in its handler' });
      expect(await post('/v1/things', {}, 500)).toEqual(refused);
      expect((await post('/v1/things', {}, 400)).status).toBe(200);
    } finally {
      // Also where an expectation failed: closing waits for the request.
      release();
    }
    expect((await waiting).status).toBe(200);
    await waitUntil(async () => (await post('/v1/things', {}, 1_000)).status === 200, {
      what: 'room given back',
    });
  });

  it('of browsers take nothing from their project', async () => {
    const before = started;
    const waiting = post('/client/v1/things', { wait: true }, 300);
    try {
      await waitUntil(() => started > before, { what: 'the first request in its handler' });
      expect(await post('/client/v1/things', {}, 10)).toEqual(refused);
      expect((await post('/v1/things', {}, 700)).status).toBe(200);
    } finally {
      release();
    }
    expect((await waiting).status).toBe(200);
  });
});

describe.each(arrangements)('bodies of pipelined requests: %s', (arrangement) => {
  let edge: EdgeApplication;
  let port: number;
  const post = poster(() => port);

  beforeAll(async () => {
    [edge, port] = await listening(arrangement, 60_000);
  });
  afterAll(() => edge.app.close());

  it('give their room back when the connection ends before it is their turn', async () => {
    held = new Promise((resolve) => (release = resolve));
    const headers = Object.entries({ ...testKeys.server, 'content-type': 'application/json' });
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const request = (body: object): string =>
      `POST /v1/things HTTP/1.1\r\nHost: x\r\n${lines}Content-Length: 400\r\n\r\n${bytesOf(body, 400)}`;
    const before = started;
    const socket = connect(port, '127.0.0.1');
    try {
      socket.write(request({ wait: true }) + request({}));
      await waitUntil(() => started === before + 2, { what: 'both requests in their handlers' });
      expect((await post('/v1/things', {}, 300)).status).toBe(503);
    } finally {
      socket.destroy();
      release();
    }
    await waitUntil(async () => (await post('/v1/things', {}, 1_000)).status === 200, {
      what: 'room given back',
    });
  });
});

describe.each(arrangements)('bodies that do not arrive: %s', (arrangement) => {
  let edge: EdgeApplication;
  let port: number;
  const post = poster(() => port);

  beforeAll(async () => {
    [edge, port] = await listening(arrangement, 200);
  });
  afterEach(() => socket.destroy());
  afterAll(() => edge.app.close());

  let socket: Socket;

  const begin = (lengthHeader: string): Socket => {
    socket = connect(port, '127.0.0.1');
    const headers = Object.entries({ ...testKeys.client, 'content-type': 'application/json' });
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.write(`POST /client/v1/things HTTP/1.1\r\nHost: x\r\n${lines}${lengthHeader}\r\n\r\n`);
    return socket;
  };

  it.each([
    ['of an announced length', 'Content-Length: 300', '{"half'],
    ['in chunks', 'Transfer-Encoding: chunked', '6\r\n{"half\r\n'],
  ])('%s end their requests at the deadline, and their room is given back', async (_, length, half) => {
    const before = started;
    const answer = text(begin(length));
    socket.write(half);
    expect(await answer).toMatch(/^HTTP\/1\.1 408 [^]*"key":"request_timeout"/);
    expect(started).toBe(before);
    await waitUntil(async () => (await post('/client/v1/things', {}, 300)).status === 200, {
      what: 'room given back',
    });
  });
});
