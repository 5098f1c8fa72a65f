import { type WebhookSink, webhookSink } from './webhook-sink';

describe('webhookSink', () => {
  let sink: WebhookSink;
  beforeEach(async () => {
    sink = await webhookSink();
  });
  afterEach(() => sink.close());

  const post = (path: string, body: string) => fetch(`${sink.url}${path}`, { method: 'POST', body });

  it('records method, path, headers and the raw body', async () => {
    await fetch(`${sink.url}/hook?a=1`, {
      method: 'PUT',
      body: '{ "a":1 }',
      headers: { 'webhook-id': 'msg_1' },
    });
    const [webhook] = sink.received();
    expect(webhook).toMatchObject({ method: 'PUT', path: '/hook?a=1', rawBody: Buffer.from('{ "a":1 }') });
    expect(webhook!.headers['webhook-id']).toBe('msg_1');
    expect(webhook!.json()).toEqual({ a: 1 });
  });

  it('answers 200 until told otherwise', async () => {
    expect((await post('/', '')).status).toBe(200);
    sink.answer({ status: 503, body: 'later', headers: { 'retry-after': '7' } });
    const answer = await post('/', '');
    expect([answer.status, answer.headers.get('retry-after'), await answer.text()]).toEqual([
      503,
      '7',
      'later',
    ]);
  });

  it('answers by rule, hangs up and delays', async () => {
    sink.answer((webhook, count) =>
      count === 1 ? 'hang up' : { status: webhook.path === '/ok' ? 204 : 500, delayMs: 30 },
    );
    await expect(post('/ok', '')).rejects.toThrow();
    const startedAt = Date.now();
    expect((await post('/ok', '')).status).toBe(204);
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(25);
  });

  it('waits for a number of requests of a kind', async () => {
    const waiting = sink.waitFor(2, { filter: ({ path }) => path === '/b' });
    for (const path of ['/b', '/a', '/b']) await post(path, path);
    expect((await waiting).map(({ path }) => path)).toEqual(['/b', '/b']);
    expect(sink.received()).toHaveLength(3);
    sink.clear();
    expect(sink.received()).toEqual([]);
  });

  it('says what did not come', async () => {
    await expect(sink.waitFor(1, { timeoutMs: 30, what: 'the retry' })).rejects.toThrow('the retry');
  });
});
