import type { ScripConfig } from '@scrip/service';
import { type WebhookSink, webhookSink } from '@scrip/testing';
import type { EgressPolicy } from './address-range';
import type { HostAddress } from './host-resolver';
import { HttpDelivery, deliveryTimeoutMs } from './http-delivery';
import { TargetConnections } from './target-connections';

const loopback: HostAddress = { address: '127.0.0.1', family: 4 };
const open: HostAddress = { address: '93.184.216.34', family: 4 };

describe('a delivery over HTTP (reference 06 §5.2, §5.4)', () => {
  let sink: WebhookSink;
  const opened: TargetConnections[] = [];

  beforeAll(async () => {
    sink = await webhookSink();
  });
  beforeEach(() => sink.clear());
  afterEach(async () => {
    sink.answer({});
    await Promise.all(opened.splice(0).map((connections) => connections.onApplicationShutdown()));
  });
  afterAll(() => sink.close());

  // Answers the next of `answers` at each call, as a name server does that changes its mind.
  const deliveryTo = (answers: HostAddress[][], policy: Partial<EgressPolicy> = {}): HttpDelivery => {
    const strict = { allowHttp: true, allowHosts: [], allowCidrs: [], allowLoopback: false };
    const config = { webhookEgress: { ...strict, ...policy } } as unknown as ScripConfig;
    const connections = new TargetConnections(config, { resolve: async () => answers.shift() ?? [] });
    opened.push(connections);
    return new HttpDelivery(connections);
  };
  const target = () => sink.url.replace('127.0.0.1', 'shop.example.com');
  const post = (delivery: HttpDelivery, url = target()) => delivery.post(url, '{}', { 'x-shop': 'seven' });

  it('connects to the address that was checked, whatever the name says elsewhere', async () => {
    const end = await post(deliveryTo([[loopback]], { allowCidrs: ['127.0.0.0/8'] }));
    expect(end).toEqual({ status: 200, error: null, excerpt: '', retryAfter: null });
    expect(sink.received()[0]?.headers).toMatchObject({ host: new URL(target()).host, 'x-shop': 'seven' });
  });

  it.each([
    ['the only address', [loopback]],
    ['one of several addresses', [open, loopback]],
    ['an IPv4-mapped address', [{ address: '::ffff:127.0.0.1', family: 6 }]],
    ['no address at all', []],
  ])('is blocked by %s', async (_what, addresses) => {
    expect(await post(deliveryTo([addresses]))).toMatchObject({ status: null, error: 'blocked_address' });
    expect(sink.received()).toEqual([]);
  });

  it('checks names anew at every attempt, so that a rebound one reaches nothing', async () => {
    const delivery = deliveryTo([[loopback], [{ address: '169.254.169.254', family: 4 }]], {
      allowCidrs: ['127.0.0.0/8'],
    });
    expect(await post(delivery)).toMatchObject({ status: 200 });
    expect(await post(delivery)).toMatchObject({ status: null, error: 'blocked_address' });
    expect(sink.received()).toHaveLength(1);
  });

  it('by the loopback exception uses http to loopback, and to nothing else', async () => {
    const policy = { allowHttp: false, allowLoopback: true };
    expect(await post(deliveryTo([[loopback]], policy), sink.url)).toMatchObject({ status: 200 });
    expect(await post(deliveryTo([[open]], policy))).toMatchObject({ error: 'blocked_address' });
  });

  it('follows no redirect', async () => {
    sink.answer({ status: 302, headers: { location: `${sink.url}/other` } });
    expect(await post(deliveryTo([[loopback]], { allowLoopback: true }))).toMatchObject({
      status: 302,
      error: null,
    });
    expect(sink.received()).toHaveLength(1);
  });

  it('logs 4 KiB of a long answer, without NUL', async () => {
    sink.answer({ body: `\0${'x'.repeat(1_000_000)}` });
    const end = await post(deliveryTo([[loopback]], { allowLoopback: true }));
    expect(end).toMatchObject({ status: 200, error: null, excerpt: 'x'.repeat(4_095) });
  });

  it('gives an answer ten seconds from the start', async () => {
    expect(deliveryTimeoutMs).toBe(10_000);
    sink.answer({ delayMs: 5_000 });
    const end = await deliveryTo([[loopback]], { allowLoopback: true }).post(target(), '{}', {}, 100);
    expect(end).toMatchObject({ status: null, error: 'timeout' });
  });

  it('does not wait for a name server longer than for anything else', async () => {
    const connections = new TargetConnections({ webhookEgress: {} } as unknown as ScripConfig, {
      resolve: () => new Promise<never>(() => undefined),
    });
    expect(await new HttpDelivery(connections).post(target(), '{}', {}, 100)).toMatchObject({
      error: 'timeout',
    });
  });

  it.each([
    ['connection_reset', 'hang up' as const],
    ['connection_refused', null],
  ])('tells %s', async (error, answer) => {
    if (answer) sink.answer(answer);
    const url = answer ? target() : 'http://shop.example.com:9';
    expect(await post(deliveryTo([[loopback]], { allowLoopback: true }), url)).toMatchObject({
      status: null,
      error,
    });
  });
});
