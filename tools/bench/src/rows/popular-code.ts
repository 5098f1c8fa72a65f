import type { RunningChild, Scrip, Shape } from '@scrip/testing';
import { callOf, closedLoop, rateOf } from '../load';
import { type Row, rateRow } from '../row';

const callers = 64;

/** One unlimited code with 64 callers; the count must be exact. */
export const popularCodeRows = async (
  scrip: Scrip,
  baseline: RunningChild,
  { seconds, shape }: { seconds: number; shape: Shape },
): Promise<Row[]> => {
  const campaign = await scrip.ask<{ id: string }>('POST', '/v1/campaigns', {
    name: `Bench popular ${Date.now()}`,
    campaign_type: 'DISCOUNT_COUPONS',
    voucher: {
      type: 'DISCOUNT_VOUCHER',
      discount: { type: 'AMOUNT', amount_off: 100, effect: 'APPLY_TO_ORDER' },
    },
  });
  const code = `POPULAR-${Date.now()}`;
  await scrip.ask('POST', `/v1/campaigns/${campaign.id}/vouchers/${code}`, {});
  const plain = { origin: baseline.origin, path: '/redeem', headers: {}, body: () => '{}' };
  await closedLoop(plain, callers, 3);
  const base = rateOf(await closedLoop(plain, callers, seconds));
  const redeem = callOf(scrip, '/v1/redemptions', () => ({ redeemables: [{ object: 'voucher', id: code }] }));
  const warm = await closedLoop(redeem, callers, 5);
  const load = await closedLoop(redeem, callers, seconds);
  const { redemption } = await scrip.ask<{ redemption: { redeemed_quantity: number } }>(
    'GET',
    `/v1/vouchers/${code}`,
  );
  const answered = warm.latenciesMs.length + load.latenciesMs.length;
  return [
    shape === 'embedded'
      ? rateRow('one popular code, 64 callers', rateOf(load), 0.7 * base, `N = ${Math.round(base)}/s`)
      : {
          work: 'one popular code, 64 callers',
          measured: `${Math.round(rateOf(load)).toLocaleString('en')}/s`,
          baseline: `N = ${Math.round(base)}/s`,
          bar: '–',
          met: null,
        },
    {
      work: 'one popular code: uses counted against uses answered',
      measured: `${redemption.redeemed_quantity} counted, ${answered} answered 2xx, ${warm.refused + load.refused} refused`,
      baseline: '–',
      bar: 'equal',
      met: redemption.redeemed_quantity === answered,
    },
  ];
};
