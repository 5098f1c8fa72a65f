import { waitUntil } from '@scrip/testing';
import type { Fault } from '@scrip/kernel';
import type { RequestListener } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { testKeys } from '../testing/edge-application';
import {
  bootGateway,
  deadPort,
  type GatewayFixture,
  type PlainService,
  plainService,
} from './gateway.fixture';
import { UpstreamAddress } from './upstream-address';

const answers =
  (body: unknown): RequestListener =>
  (_request, response) =>
    void response
      .writeHead(200, {
        'content-type': 'application/json',
        'content-length': JSON.stringify(body).length,
      })
      .end(JSON.stringify(body));

/** A network between gateway and service that may swallow what goes over it, for ever on connections of that time. */
const roadTo = async (target: number) => {
  let swallows = false;
  const swallowed: string[] = [];
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const socket of [near, far]) open.add(socket.on('error', () => undefined));
    const carry = (from: Socket, to: Socket) =>
      from.on('data', (bytes: Buffer) => {
        if (!swallows) return to.write(bytes);
        swallowed.push(bytes.toString());
        from.removeAllListeners('data').resume();
      });
    carry(near, far);
    carry(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    swallow: (now: boolean) => void (swallows = now),
    /** What began to be swallowed, by connection. */
    swallowed,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };

const unavailable = {
  code: 503,
  key: 'service_unavailable',
  message: 'Service Unavailable',
  request_id: expect.stringMatching(/^v-/) as string,
};

describe('a gateway before services that fail', () => {
  const services: PlainService[] = [];
  const roads: { close(): Promise<void> }[] = [];
  let gateway: GatewayFixture;

  const service = async (listener: RequestListener, port?: number): Promise<PlainService> => {
    const started = await plainService(listener, port);
    services.push(started);
    return started;
  };
  const boot = async (ports: readonly number[], options?: { deadlineMs: number }): Promise<void> => {
    gateway = await bootGateway(ports, options);
  };
  const timed = async (init?: RequestInit) => {
    const startedAt = performance.now();
    const response = await gateway.fetch('/v1/things', init);
    const tookMs = performance.now() - startedAt;
    return { status: response.status, body: await response.json(), headers: response.headers, tookMs };
  };

  afterEach(async () => {
    await gateway.close();
    await Promise.all(roads.splice(0).map((one) => one.close()));
    await Promise.all(services.splice(0).map((one) => one.kill()));
  });

  it('answers 503 long before the deadline where nobody listens', async () => {
    await boot([await deadPort()], { deadlineMs: 60_000 });
    await timed();
    for (const init of [undefined, post]) {
      const { status, body, headers, tookMs } = await timed(init);
      expect(status).toBe(503);
      expect(body).toEqual({
        ...unavailable,
        details: 'A part of the service is unavailable. Try again later.',
      });
      expect(headers.get('retry-after')).toBe('1');
      expect(tookMs).toBeLessThan(30_000);
    }
    expect(new Set(gateway.outcomes)).toEqual(new Set(['unavailable']));
  });

  it('spreads requests over the addresses of a service', async () => {
    const counts = [0, 0, 0];
    const replicas = await Promise.all(
      counts.map((_, index) =>
        service((request, response) => {
          counts[index]! += 1;
          answers({})(request, response);
        }),
      ),
    );
    await boot(replicas.map(({ port }) => port));
    for (let call = 0; call < 12; call += 1) await gateway.fetch('/v1/things');
    expect(counts).toEqual([4, 4, 4]);
  });

  it('sends on to another address what an address did not take, commands too', async () => {
    let received = 0;
    const living = await service((request, response) => {
      received += 1;
      answers({})(request, response);
    });
    await boot([await deadPort(), living.port]);
    for (let call = 0; call < 6; call += 1) expect((await timed(post)).status).toBe(200);
    expect(received).toBe(6);
  });

  it('sends no command twice whose connection broke, nor a GET that may hold something', async () => {
    let received = 0;
    const breaking: RequestListener = (request) => {
      received += 1;
      request.socket.destroy();
    };
    const replicas = [await service(breaking), await service(breaking)];
    await boot(replicas.map(({ port }) => port));
    expect(await timed(post)).toMatchObject({ status: 503, body: unavailable });
    expect(received).toBe(1);
    expect((await gateway.fetch('/v1/trials')).status).toBe(503);
    expect(received).toBe(2);
  });

  it('asks once more where a question found a broken connection', async () => {
    let received = 0;
    const replica = await service((request, response) => {
      received += 1;
      if (received === 1) request.socket.destroy();
      else answers({ received })(request, response);
    });
    await boot([replica.port]);
    expect(await timed()).toMatchObject({ status: 200, body: { received: 2 } });
  });

  it('asks no more than twice', async () => {
    let received = 0;
    const replica = await service((request) => {
      received += 1;
      request.socket.destroy();
    });
    await boot([replica.port]);
    expect(await timed()).toMatchObject({ status: 503, body: unavailable });
    expect(received).toBe(2);
  });

  it('answers 503 to a command whose JSON answer broke off', async () => {
    const replica = await service((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"things": [', () => response.destroy());
    });
    await boot([replica.port]);
    expect(await timed(post)).toMatchObject({ status: 503, body: unavailable });
  });

  it('answers 503 soon after the deadline where a service does not answer', async () => {
    const silent = await service(() => undefined);
    await boot([silent.port], { deadlineMs: 100 });
    const { status, body, tookMs } = await timed(post);
    expect(status).toBe(503);
    expect(body).toEqual({ ...unavailable, details: 'The request took too long. Try again.' });
    expect(tookMs).toBeGreaterThanOrEqual(595);
    expect(tookMs).toBeLessThan(20_000);
    expect(gateway.outcomes).toEqual(['deadline']);
  });

  it('ends what waits for a silent network within seconds, tries nothing on it, and goes on when it speaks', async () => {
    const replica = await service(answers({}));
    const road = await roadTo(replica.port);
    roads.push(road);
    await boot([road.port], { deadlineMs: 60_000 });
    expect((await timed()).status).toBe(200);
    road.swallow(true);
    const [question, command] = await Promise.all([timed(), timed(post)]);
    for (const { status, body, tookMs } of [question, command]) {
      expect([status, body]).toEqual([503, expect.objectContaining(unavailable)]);
      expect(tookMs).toBeLessThan(30_000);
    }
    road.swallowed.splice(0);
    expect((await timed(post)).status).toBe(503);
    expect(road.swallowed.filter((bytes) => !bytes.startsWith('GET /healthz '))).toEqual([]);
    road.swallow(false);
    await waitUntil(async () => (await timed(post)).status === 200, { what: 'the network' });
  });

  it('takes no more requests for an address than it may, and half of them for one project', async () => {
    const silent = await service(() => undefined);
    await boot([]);
    const address = new UpstreamAddress(`http://127.0.0.1:${silent.port}`, 2);
    const leaving = new AbortController();
    const send = (project: string | null = null) =>
      address.send(
        {
          ...{
            method: 'GET',
            mayRepeat: true,
            url: '/',
            headers: {},
            body: null,
            deadlineAt: Date.now() + 60_000,
            project,
          },
          takeRoom: () => undefined,
        },
        leaving.signal,
      );
    const isBusy = { kind: 'overloaded' } satisfies Partial<Fault>;
    const noisy = send('noisy');
    await expect(send('noisy')).rejects.toMatchObject(isBusy);
    const waiting = Promise.allSettled([noisy, send('quiet')]);
    await expect(send()).rejects.toMatchObject(isBusy);
    leaving.abort();
    await waiting;
    await expect(send()).rejects.toThrow('aborted');
    await address.close();
  });

  it('leaves a service the time to answer a passed deadline itself', async () => {
    const late = await service((request, response) => {
      setTimeout(() => answers({ own: true })(request, response), 150);
    });
    await boot([late.port], { deadlineMs: 100 });
    // Again where this process stood still for the rest of the time.
    const answer = await waitUntil(
      async () => {
        const { status, body } = await timed(post);
        return status === 200 && body;
      },
      { what: 'the answer of the service' },
    );
    expect(answer).toEqual({ own: true });
  });

  it('serves again after a service was killed and came back, without an error by its idle connections', async () => {
    const first = await service(answers({ life: 1 }));
    await boot([first.port]);
    await Promise.all(Array.from({ length: 20 }, () => gateway.fetch('/v1/things')));
    await first.kill();
    const second = await service(answers({ life: 2 }), first.port);
    for (let call = 0; call < 20; call += 1) {
      expect(await timed(call % 2 === 0 ? post : undefined)).toMatchObject({
        status: 200,
        body: { life: 2 },
      });
    }
    await second.kill();
    expect((await timed(post)).status).toBe(503);
    await service(answers({ life: 3 }), first.port);
    await waitUntil(async () => (await timed(post)).status === 200, { what: 'the third life' });
    expect((await timed(post)).body).toEqual({ life: 3 });
  });

  it('ends the request to the service when its caller goes away', async () => {
    let isUnderWay = false;
    let hasEnded = false;
    const silent = await service((request) => {
      isUnderWay = true;
      request.socket.once('close', () => (hasEnded = true));
    });
    await boot([silent.port]);
    const leaving = new AbortController();
    const answer = gateway.fetch('/v1/things', { ...post, signal: leaving.signal });
    await waitUntil(() => isUnderWay, { what: 'the request at the service' });
    leaving.abort();
    await expect(answer).rejects.toThrow('aborted');
    await waitUntil(() => hasEnded, { what: 'the end of the request at the service' });
    expect(gateway.outcomes).toEqual(['cancelled']);
  });

  it('keeps its other callers when one sends half a body and goes away', async () => {
    const replica = await service(answers({}));
    await boot([replica.port]);
    const head = Object.entries({
      ...testKeys.server,
      'content-type': 'application/json',
      'content-length': '1000',
    });
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(
      `POST /v1/things HTTP/1.1\r\nHost: x\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n{"half`,
      () => socket.destroy(),
    );
    expect((await timed(post)).status).toBe(200);
    expect(gateway.outcomes).toEqual(['answered']);
  });
});
