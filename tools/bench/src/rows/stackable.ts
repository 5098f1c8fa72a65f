import { baselineMedian } from '../baseline-median';
import { callOf, openLoop, percentile } from '../load';
import { orderOfThreeLines } from '../order-of-three-lines';
import { type Row, latencyRow } from '../row';
import { type RunningChild, type Scrip, type Shape, campaignOf } from '@scrip/testing';

const perSecond = 50;
const codes = 5_000;

const codesOf = async (scrip: Scrip, campaignId: string): Promise<string[]> => {
  const found: string[] = [];
  for (let page = 1; found.length < 2_000 && page <= 99; page += 1) {
    const { vouchers } = await scrip.ask<{ vouchers: { code: string }[] }>(
      'GET',
      `/v1/vouchers?campaign_id=${campaignId}&limit=100&page=${page}`,
    );
    found.push(...vouchers.map(({ code }) => code));
    if (vouchers.length < 100) break;
  }
  return found;
};

/** Highest accepted medians, as multiples of S and of C. Source: architecture §12. */
const bars = { embedded: { validation: 8, redemption: 4 }, distributed: { validation: 15, redemption: 9 } };

/** Until every process has compiled what it runs often: nine of them take longer than one. */
const warmUpSeconds = { embedded: 5, distributed: 45 };

/** Validation and redemption of one voucher on three items at 50/s. */
export const stackableRows = async (
  scrip: Scrip,
  baseline: RunningChild,
  { seconds, shape }: { seconds: number; shape: Shape },
): Promise<Row[]> => {
  const campaign = await campaignOf(scrip, `Bench stackable ${Date.now()}`, codes);
  const available = await codesOf(scrip, campaign.id);
  let next = 0;
  const body = () => ({
    redeemables: [{ object: 'voucher', id: available[(next += 1) % available.length] }],
    customer: { source_id: `shopper-${next % 500}` },
    order: orderOfThreeLines,
  });
  const measure = async (path: string) => {
    await openLoop(callOf(scrip, path, body), perSecond, warmUpSeconds[shape]);
    const { latenciesMs } = await openLoop(callOf(scrip, path, body), perSecond, seconds);
    return { p50: percentile(latenciesMs, 0.5), p95: percentile(latenciesMs, 0.95) };
  };
  const select = await baselineMedian(baseline, '/select', { perSecond, seconds });
  const validation = await measure('/v1/validations');
  const commit = await baselineMedian(baseline, '/commit', { perSecond, seconds });
  const redemption = await measure('/v1/redemptions');
  return [
    latencyRow(
      'stackable validation, 1 voucher, 3 items, 50/s',
      validation.p50,
      validation.p95,
      'S',
      select,
      bars[shape].validation,
    ),
    latencyRow(
      'stackable redemption, 1 voucher, 3 items, 50/s',
      redemption.p50,
      redemption.p95,
      'C',
      commit,
      bars[shape].redemption,
    ),
  ];
};
