import {
  type Scrip,
  discard,
  projectId,
  startScripOnTestServers,
  waitUntil,
  webhookSink,
} from '@scrip/testing';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const traceId = '0af7651916cd43dd8448eb211c80319c';

/** What each process must tell of the trace of one redemption. */
const expected: Record<string, string[]> = {
  'scrip-gateway': ['POST /v1/redemptions', 'gateway qualification', 'auth.authenticate'],
  'scrip-auth': ['auth.authenticate'],
  'scrip-qualification': [
    'POST /v1/redemptions',
    'campaigns.claim',
    'append redemption',
    'publish qualification',
  ],
  'scrip-campaigns': ['campaigns.claim'],
  'scrip-webhooks': ['consume scrip.qualification.redemption.v1', 'deliver redemption.succeeded'],
};

describe('a trace', () => {
  const told: Buffer[] = [];
  let receiver: Server;
  let scrip: Scrip;

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        told.push(Buffer.concat(parts));
        response.end();
      });
    });
    await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
    const endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    scrip = await startScripOnTestServers({
      shape: 'distributed',
      environment: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
    });
  }, 240_000);
  afterAll(async () => {
    if (scrip) await discard(scrip);
    receiver.close();
  }, 120_000);

  it('runs from the gateway through calls, appends and Kafka to the webhook', async () => {
    const sink = await webhookSink();
    await scrip.manage('POST', `/management/v1/projects/${projectId}/webhooks`, {
      target_url: sink.url,
      events: ['redemption.succeeded'],
    });
    const campaign = await scrip.ask<{ id: string }>('POST', '/v1/campaigns', {
      name: 'Traced',
      campaign_type: 'DISCOUNT_COUPONS',
      voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 100 } },
    });
    await scrip.ask('POST', `/v1/campaigns/${campaign.id}/vouchers/TRACED`, {});
    const redeemed = await fetch(`${scrip.origin}/v1/redemptions`, {
      method: 'POST',
      headers: {
        ...scrip.serverKeys,
        'content-type': 'application/json',
        traceparent: `00-${traceId}-b7ad6b7169203331-01`,
      },
      body: JSON.stringify({ redeemables: [{ object: 'voucher', id: 'TRACED' }], order: { amount: 1_000 } }),
    });
    expect(redeemed.status).toBe(200);
    await sink.waitFor(1);
    await sink.close();

    const id = Buffer.from(traceId, 'hex');
    const missing = () =>
      Object.entries(expected).flatMap(([service, steps]) => {
        const own = told.filter((body) => body.includes(id) && body.includes(service));
        return steps
          .filter((step) => !own.some((body) => body.includes(step)))
          .map((step) => `${service}: ${step}`);
      });
    await waitUntil(() => missing().length === 0, {
      what: 'every step of the trace',
      timeoutMs: 60_000,
    }).catch(() => undefined);
    expect(missing()).toEqual([]);
  });
});
