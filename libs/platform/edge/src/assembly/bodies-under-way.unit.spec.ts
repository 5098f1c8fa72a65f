import { Body, Controller, Post } from '@nestjs/common';
import { waitUntil } from '@scrip/testing';
import { server } from '@scrip/contracts/registry';
import { arrangements, type EdgeApplication, edgeApplication, testKeys } from '../testing/edge-application';

let release: () => void;
let held: Promise<void>;
let started = 0;

@Controller('v1/things')
class Things {
  @Post()
  async create(@Body() body: { wait?: boolean }): Promise<object> {
    started += 1;
    if (body.wait) await held;
    return {};
  }
}

describe.each(arrangements)('bodies under way: %s', (arrangement) => {
  let edge: EdgeApplication;
  let url: string;

  beforeAll(async () => {
    edge = await edgeApplication(
      { controllers: [Things] },
      {
        routes: [server('POST /v1/things', 'vouchers')],
        bodyBudget: { total: 1_000, perHolder: 1_000 },
      },
      arrangement,
    );
    await edge.app.listen({ host: '127.0.0.1', port: 0 });
    url = `http://127.0.0.1:${(edge.app.getHttpServer().address() as { port: number }).port}/v1/things`;
  });
  afterAll(() => edge.app.close());

  const post = async (body: object, bytes: number) => {
    const text = JSON.stringify(body);
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...testKeys.server, 'content-type': 'application/json' },
      body: text + ' '.repeat(bytes - text.length),
    });
    return {
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
      body: await answer.json(),
    };
  };

  it('are bounded, until their requests are over', async () => {
    held = new Promise((resolve) => (release = resolve));
    const before = started;
    const waiting = post({ wait: true }, 600);
    try {
      await waitUntil(() => started > before, { what: 'the first request in its handler' });
      expect(await post({}, 500)).toEqual({
        status: 503,
        retryAfter: '1',
        body: expect.objectContaining({
          key: 'service_unavailable',
          details: 'Too many request bodies are under way. Try again.',
        }) as object,
      });
      expect((await post({}, 400)).status).toBe(200);
    } finally {
      // Also where an expectation failed: closing waits for the request.
      release();
    }
    expect((await waiting).status).toBe(200);
    await waitUntil(async () => (await post({}, 1_000)).status === 200, { what: 'room given back' });
  });
});
