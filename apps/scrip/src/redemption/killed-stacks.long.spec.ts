import { type Scrip, createDatabase, startScripOnTestServers, waitUntil } from '@scrip/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';

/** Stacks whose call a kill cuts off. */
const cutOffAtLeast = 500;
const callers = 16;
const balance = 100_000_000;
const credits = 7;
const longMs = 1_800_000;

/** From a redemption that has just begun to several that have ended. */
const killedAfterMs = (kill: number): number => 20 + ((kill * 37) % 300);

describe('stacks of five whose process is killed', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'scrip-stacks-'));
  const codes = ['STACK-A', 'STACK-B'];
  const cards = ['CARD-A', 'CARD-B'];
  let tier: string;
  let databaseUrl: string;
  let scrip: Scrip;

  const start = (): Promise<Scrip> => startScripOnTestServers({ dataDir, databaseUrl, shape: 'embedded' });

  beforeAll(async () => {
    databaseUrl = await createDatabase('killed_stacks');
    scrip = await start();
    for (const code of codes)
      await scrip.ask('POST', `/v1/vouchers/${code}`, {
        ...{ type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
        redemption: { quantity: null },
      });
    for (const code of cards)
      await scrip.ask('POST', `/v1/vouchers/${code}`, {
        ...{ type: 'GIFT_VOUCHER', gift: { amount: balance }, redemption: { quantity: null } },
      });
    const { promotion } = await scrip.ask<{ promotion: { tiers: { id: string }[] } }>(
      'POST',
      '/v1/campaigns',
      {
        ...{ name: 'Stacked', campaign_type: 'PROMOTION' },
        promotion: { tiers: [{ name: 'Fifth', action: { discount: { type: 'AMOUNT', amount_off: 50 } } }] },
      },
    );
    tier = promotion.tiers[0]!.id;
  }, 240_000);

  afterAll(async () => {
    await scrip?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const body = () => ({
    redeemables: [
      ...codes.map((id) => ({ object: 'voucher', id })),
      ...cards.map((id) => ({ object: 'voucher', id, gift: { credits } })),
      { object: 'promotion_tier', id: tier },
    ],
    order: { amount: 10_000 },
  });

  const successes = async (filter: string): Promise<number> =>
    (await scrip.ask<{ total: number }>('GET', `/v1/redemptions?limit=1&result=SUCCESS${filter}`)).total;

  /** How many stacks each part of them knows of. */
  const stacksBy = async (): Promise<number[]> => {
    const vouchers = await Promise.all(
      [...codes, ...cards].map((code) => scrip.ask<any>('GET', `/v1/vouchers/${code}`)),
    );
    return [
      ...vouchers.map(({ redemption }) => redemption.redeemed_quantity as number),
      ...vouchers.flatMap(({ gift }) => (gift ? [(balance - gift.balance) / credits] : [])),
      await successes(`&filters[related_object_id][conditions][$is]=${tier}`),
      // Five children and their parent.
      (await successes('')) / 6,
    ];
  };

  it(
    `are redeemed as a whole or not at all, with ${cutOffAtLeast} of them cut off`,
    async () => {
      const answered: string[] = [];
      const unexpected: unknown[] = [];
      let cutOff = 0;
      for (let kill = 0; cutOff < cutOffAtLeast; kill += 1) {
        let isKilled = false;
        const call = async () => {
          while (!isKilled) {
            const answer = await scrip.call('POST', '/v1/redemptions', body()).catch(() => null);
            if (answer === null) cutOff += 1;
            else if (answer.status === 200) answered.push(answer.body.parent_redemption.id);
            else if (answer.status !== 503) unexpected.push(answer.body);
          }
        };
        const calls = Array.from({ length: callers }, call);
        await passed(killedAfterMs(kill));
        isKilled = true;
        await scrip.kill();
        await Promise.all(calls);
        scrip = await start();
      }
      expect(unexpected).toEqual([]);
      const whole = await waitUntil(
        async () => {
          const counts = await stacksBy();
          return counts.every((count) => count === counts[0]) && counts;
        },
        { what: 'every stack to be whole or gone', timeoutMs: 120_000, intervalMs: 1_000 },
      );
      expect(whole[0]).toBeGreaterThanOrEqual(answered.length);
      expect(whole[0]).toBeLessThanOrEqual(answered.length + cutOff);
      for (const id of answered)
        expect((await scrip.call('GET', `/v1/redemptions/${id}`)).body).toMatchObject({
          status: 'SUCCEEDED',
        });
    },
    longMs,
  );
});
