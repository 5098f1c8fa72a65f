import { traced } from '@scrip/kernel';
import { waitUntil } from '@scrip/testing';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTracing } from './tracing';

const caller = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };

describe('tracing', () => {
  const received: { path: string; body: Buffer }[] = [];
  let receiver: Server;
  let endpoint: string;

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        received.push({ path: request.url ?? '', body: Buffer.concat(parts) });
        response.end();
      });
    });
    await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
    endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((closed) => receiver.close(closed)));

  it('sends the steps of this process to the configured receiver, also those that wait when it stops', async () => {
    const stop = await startTracing('campaigns', { endpoint: `${endpoint}/`, sampledShare: 1 });
    await traced({ name: 'campaigns.claim', kind: 'SERVER' }, caller, async () => null);
    await stop();
    await waitUntil(() => received.length > 0, { what: 'the trace' });
    const [{ path, body }] = received as [{ path: string; body: Buffer }];
    expect(path).toBe('/v1/traces');
    expect(body.includes('scrip-campaigns')).toBe(true);
    expect(body.includes('campaigns.claim')).toBe(true);
    expect(body.includes(Buffer.from('0af7651916cd43dd8448eb211c80319c', 'hex'))).toBe(true);
  });

  it('records nothing of callers who asked for that, and nothing after it stopped', async () => {
    received.length = 0;
    const stop = await startTracing('campaigns', { endpoint, sampledShare: 1 });
    await traced(
      { name: 'unsampled' },
      { traceparent: caller.traceparent.replace(/01$/, '00') },
      async () => null,
    );
    await stop();
    await traced({ name: 'late' }, caller, async () => null);
    expect(received).toEqual([]);
  });

  it('stops in time although the receiver is away', async () => {
    const stop = await startTracing('campaigns', { endpoint: 'http://127.0.0.1:1', sampledShare: 1 });
    await traced({ name: 'unheard' }, caller, async () => null);
    const startedAt = performance.now();
    await stop();
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});
