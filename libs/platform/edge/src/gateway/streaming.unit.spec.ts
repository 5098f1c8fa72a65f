import { waitUntil } from '@scrip/testing';
import { once } from 'node:events';
import { get, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { bootGateway, type GatewayFixture, type PlainService, plainService } from './gateway.fixture';

const mebibyte = 1_048_576;
const fileBytes = 50 * mebibyte;

describe('files through a gateway', () => {
  let service: PlainService;
  let gateway: GatewayFixture;
  let listener: RequestListener;

  beforeAll(async () => {
    service = await plainService((request, response) => listener(request, response));
    gateway = await bootGateway([service.port]);
  });
  afterAll(async () => {
    await gateway.close();
    await service.kill();
  });

  const download = async (): Promise<IncomingMessage> => {
    const asked = get(`${gateway.url}/v1/assets/a_1`);
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    return response;
  };

  const chunksOf = function* (wrote: (bytes: number) => void): Generator<Buffer> {
    const chunk = Buffer.alloc(mebibyte / 4, 1);
    for (let sent = chunk.length; sent <= fileBytes; sent += chunk.length) {
      wrote(sent);
      yield chunk;
    }
  };

  /** Writes the file as fast as its reader takes it. */
  const sendFile = (response: ServerResponse, wrote: (bytes: number) => void = () => undefined): void => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': fileBytes });
    Readable.from(chunksOf(wrote)).pipe(response);
  };

  it('arrive whole, and no faster than their reader takes them', async () => {
    let written = 0;
    listener = (_request, response) => sendFile(response, (bytes) => (written = bytes));
    const response = await download();
    expect(response.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(fileBytes),
    });
    let before = -1;
    await waitUntil(
      () => {
        const stands = written === before;
        before = written;
        return stands;
      },
      { what: 'the service to wait for the reader', intervalMs: 200 },
    );
    // What stands between the two are buffers of sockets, which the kernel sizes.
    expect(written).toBeLessThan(fileBytes / 2);
    let read = 0;
    for await (const chunk of response) read += (chunk as Buffer).length;
    expect([read, written]).toEqual([fileBytes, fileBytes]);
  });

  it('are watched by few enough listeners that Node warns of none', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
    listener = (_request, response) => sendFile(response);
    const response = await download();
    for await (const chunk of response) expect(chunk).toBeDefined();
    expect(warned.mock.calls).toEqual([]);
    warned.mockRestore();
  });

  it('end at the service when their reader goes away', async () => {
    let isClosed = false;
    listener = (_request, response) => {
      response.once('close', () => (isClosed = true));
      sendFile(response);
    };
    const response = await download();
    response.destroy();
    await waitUntil(() => isClosed, { what: 'the end at the service' });
  });

  it('end at the service when their reader goes away, also behind another answer', async () => {
    const asked: ServerResponse[] = [];
    let isClosed = false;
    listener = (request, response) => {
      asked.push(response);
      if (request.url === '/v1/assets/slow') return;
      response.once('close', () => (isClosed = true));
      sendFile(response);
    };
    const socket = connect(gateway.port, '127.0.0.1');
    for (const id of ['slow', 'file']) socket.write(`GET /v1/assets/${id} HTTP/1.1\r\nHost: x\r\n\r\n`);
    try {
      await waitUntil(() => asked.length === 2, { what: 'both requests at the service' });
      socket.destroy();
      await waitUntil(() => isClosed, { what: 'the end at the service', timeoutMs: 20_000 });
    } finally {
      // Also where it was not ended: closing the gateway waits for its requests.
      for (const response of asked) response.destroy();
    }
  });

  it('break off for their reader when they break off at the service', async () => {
    listener = (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': fileBytes });
      response.write(Buffer.alloc(mebibyte), () => response.destroy());
    };
    const response = await download();
    const read = async () => {
      for await (const chunk of response) void chunk;
    };
    await expect(read()).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('are not waited for longer than their head', async () => {
    const slow = await bootGateway([service.port], { deadlineMs: 1_000 });
    listener = (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png' });
      response.write('first ');
      setTimeout(() => response.end('second'), 2_000);
    };
    // Again where this process stood still before the head.
    const answer = await waitUntil(
      async () => {
        const { status, body } = await fetch(`${slow.url}/v1/assets/a_1`);
        return status === 200 && text(body!);
      },
      { what: 'the whole file' },
    );
    expect(answer).toBe('first second');
    await slow.close();
  });
});

describe('JSON through a gateway', () => {
  let service: PlainService;
  let gateway: GatewayFixture;
  const asked: ServerResponse[] = [];

  beforeAll(async () => {
    service = await plainService((request, response) => {
      if (request.method === 'POST') return void response.end();
      asked.push(response.writeHead(200, { 'content-type': 'application/json', 'content-length': 2_000 }));
      response.write('"');
    });
    const sizes = { total: 1_000, perHolder: 1_000 };
    gateway = await bootGateway([service.port], { answerBudget: { ...sizes, addresses: sizes } });
  });
  afterAll(async () => {
    await gateway.close();
    await service.kill();
  });

  it('is counted before it is read', async () => {
    const whole = gateway.fetch('/v1/things');
    await waitUntil(() => asked.length === 1, { what: 'the first request at the service' });
    await waitUntil(async () => (await gateway.fetch('/v1/things', { method: 'POST' })).status === 503, {
      what: 'a full share',
    });
    asked[0]!.end(`${'x'.repeat(1_998)}"`);
    expect(await (await whole).json()).toHaveLength(1_998);
  });
});
