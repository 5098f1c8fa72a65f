import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type Scrip, projectId, waitUntil } from '@scrip/testing';
import { callOf, openLoop, percentile } from '../load';
import type { Row } from '../row';

const perSecond = 20;
const warmUpSeconds = 15;

/** From a redemption's commit (the event's own time) until its webhook is received, at 20/s. */
export const webhookLatencyRows = async (scrip: Scrip, seconds: number): Promise<Row[]> => {
  const latenciesMs: number[] = [];
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const receivedAt = Date.now();
      const { event } = JSON.parse(Buffer.concat(chunks).toString()) as { event: { created_at: string } };
      latenciesMs.push(receivedAt - Date.parse(event.created_at));
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const webhook = await scrip.manage<{ id: string }>(
    'POST',
    `/management/v1/projects/${projectId}/webhooks`,
    {
      target_url: `http://127.0.0.1:${port}/`,
      events: ['redemption.succeeded'],
    },
  );
  const code = `HOOK-${Date.now()}`;
  const campaign = await scrip.ask<{ id: string }>('POST', '/v1/campaigns', {
    name: `Bench webhooks ${Date.now()}`,
    campaign_type: 'DISCOUNT_COUPONS',
    voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 100 } },
  });
  await scrip.ask('POST', `/v1/campaigns/${campaign.id}/vouchers/${code}`, {});
  const redeem = callOf(scrip, '/v1/redemptions', () => ({ redeemables: [{ object: 'voucher', id: code }] }));
  const measure = async (forSeconds: number): Promise<void> => {
    latenciesMs.length = 0;
    const load = await openLoop(redeem, perSecond, forSeconds);
    await waitUntil(() => latenciesMs.length >= load.latenciesMs.length, {
      timeoutMs: 30_000,
      what: 'every webhook',
    });
  };
  await measure(warmUpSeconds);
  await measure(seconds);
  await scrip.manage('DELETE', `/management/v1/projects/${projectId}/webhooks/${webhook.id}`);
  receiver.close();
  const p95 = percentile(latenciesMs, 0.95);
  return [
    {
      work: 'event appended → webhook received, 20/s',
      measured: `p50 ${percentile(latenciesMs, 0.5).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`,
      baseline: '–',
      bar: 'p95 ≤ 150 ms (expected)',
      met: p95 <= 150,
    },
  ];
};
