import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Scrip, projectId, startScrip, waitUntil, webhookSink } from '@scrip/testing';
import { nobodyYet, redeem } from './acknowledged';
import { type Reconciliation, reconcile } from './reconcile';

/** What one run showed. `readyMs`: start to ready after each kill. */
export interface EmbeddedKillResult extends Reconciliation {
  kills: number;
  acknowledged: number;
  unanswered: number;
  otherAnswers: string[];
  readyMs: number[];
}

const codesCount = 20;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const prepare = async (scrip: Scrip, target: string): Promise<string[]> => {
  await scrip.manage('POST', `/management/v1/projects/${projectId}/webhooks`, {
    target_url: target,
    events: ['redemption.succeeded'],
  });
  const campaign = await scrip.ask<{ id: string }>('POST', '/v1/campaigns', {
    name: 'Killed again and again',
    campaign_type: 'DISCOUNT_COUPONS',
    voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 500 } },
  });
  const codes = Array.from({ length: codesCount }, (_, index) => `CHAOS-${index + 1}`);
  for (const code of codes) await scrip.ask('POST', `/v1/campaigns/${campaign.id}/vouchers/${code}`, {});
  return codes;
};

/** `kill -9` of the embedded process every `everyMs` for `forMs` under `perSecond` redemptions, then a reconciliation
 *  once nothing is provisional any more. Source: the embedded shape's promise in docs/reliability.md. */
export const embeddedKill = async (
  forMs: number,
  everyMs: number,
  perSecond: number,
): Promise<EmbeddedKillResult> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'scrip-chaos-'));
  const sink = await webhookSink();
  const environment = { SCRIP_PORT: '0' };
  const told = nobodyYet();
  const readyMs: number[] = [];
  let scrip = await startScrip({ dataDir, environment });
  const codes = await prepare(scrip, sink.url);
  const startedAt = Date.now();
  const calls: Promise<void>[] = [];
  let kills = 0;
  let sent = 0;
  while (Date.now() - startedAt < forMs) {
    const killAt = Date.now() + everyMs;
    while (Date.now() < killAt) {
      calls.push(redeem(scrip, codes[(sent += 1) % codes.length] as string, told));
      await pause(1_000 / perSecond);
    }
    await scrip.kill();
    kills += 1;
    scrip = await startScrip({ dataDir, environment });
    readyMs.push(scrip.readyMs);
  }
  await Promise.all(calls);
  const delivered = () =>
    new Set(
      sink
        .received()
        .map((webhook) => webhook.json<{ data: { redemption: { id: string } } }>().data.redemption.id),
    );
  let result = await reconcile(scrip, codes, told, delivered());
  await waitUntil(
    async () => {
      result = await reconcile(scrip, codes, told, delivered());
      return result.drift === 0 && result.undelivered === 0;
    },
    { timeoutMs: 90_000, what: 'provisional uses settled and webhooks delivered' },
  ).catch(() => undefined); // What is still open then is what the result tells.
  await scrip.stop();
  await sink.close();
  rmSync(dataDir, { recursive: true, force: true });
  return {
    ...result,
    kills,
    acknowledged: told.redemptions.size,
    unanswered: told.unanswered,
    otherAnswers: [...told.refused].map(([answer, count]) => `${answer}: ${count}`),
    readyMs,
  };
};
