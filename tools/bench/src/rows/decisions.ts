import type { RunningChild, Scrip, Shape } from '@scrip/testing';
import { baselineMedian } from '../baseline-median';
import { type Call, callOf, openLoop, percentile } from '../load';
import { orderOfThreeLines } from '../order-of-three-lines';
import { type Row, latencyRow } from '../row';
import { twentyConditions } from '../twenty-conditions';

/** Highest accepted median of a voucher with a rule, as a multiple of S. Source: architecture §12. */
const timesSelect = { embedded: 8, distributed: 15 };
/** Highest accepted median of the largest request, in milliseconds. Source: architecture §12. */
const largestMaxMs = 60;

const ruledPerSecond = 50;
const largestPerSecond = 5;
/** Most redeemables of one request. */
const redeemables = 30;
const lines = 100;

/** Until every process has compiled what it runs often: nine of them take longer than one. */
const warmUpSeconds = { embedded: 5, distributed: 45 };

/** Validations of a voucher with a rule of 20 conditions, by a known customer who meets all of them. */
const ruledVoucher = async (scrip: Scrip): Promise<Call> => {
  const name = `bench-ruled-${Date.now()}`;
  const customer = await scrip.ask<{ id: string }>('POST', '/v1/customers', {
    ...{ source_id: name, metadata: { city: 'Kraków' } },
  });
  const segment = await scrip.ask<{ id: string }>('POST', '/v1/segments', {
    ...{ name, type: 'static', customers: [customer.id] },
  });
  const rule = await scrip.ask<{ id: string }>('POST', '/v1/validation-rules', {
    ...twentyConditions(segment.id),
    name,
  });
  await scrip.ask('POST', `/v1/vouchers/${name}`, {
    ...{ type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
    validation_rules: [rule.id],
  });
  return callOf(scrip, '/v1/validations', () => ({
    ...{ redeemables: [{ object: 'voucher', id: name }], customer: { source_id: name } },
    order: { ...orderOfThreeLines, metadata: { channel: 'app-ios' } },
  }));
};

/** Validations of as many vouchers as one request may name on 100 lines, all of which apply. */
const largestRequest = async (scrip: Scrip): Promise<Call> => {
  const path = `/management/v1/projects/${scrip.credentials.project_id}/stacking-rules`;
  await scrip.manage('POST', path, { applicable_redeemables_limit: redeemables });
  const codes = Array.from({ length: redeemables }, (_, nth) => `bench-largest-${nth}-${Date.now()}`);
  for (const [nth, code] of codes.entries())
    await scrip.ask('POST', `/v1/vouchers/${code}`, {
      type: 'DISCOUNT_VOUCHER',
      discount:
        nth % 2 === 0
          ? { type: 'PERCENT', percent_off: 1, effect: 'APPLY_TO_ITEMS' }
          : { type: 'AMOUNT', amount_off: 50, effect: 'APPLY_TO_ORDER' },
    });
  const items = Array.from({ length: lines }, (_, nth) => ({
    ...{ source_id: `line-${nth}`, related_object: 'sku', price: 500 + nth, quantity: 1 + (nth % 3) },
  }));
  return callOf(scrip, '/v1/validations', () => ({
    ...{ redeemables: codes.map((id) => ({ object: 'voucher', id })), order: { items } },
  }));
};

const latencies = async (call: Call, perSecond: number, seconds: number, shape: Shape) => {
  await openLoop(call, perSecond, warmUpSeconds[shape]);
  const { latenciesMs, refused } = await openLoop(call, perSecond, seconds);
  if (refused > 0) throw new Error(`${refused} validations were refused`);
  return { p50: percentile(latenciesMs, 0.5), p95: percentile(latenciesMs, 0.95) };
};

/** Validations that take most: of a rule with many conditions, and of as much as one request may hold. */
export const decisionRows = async (
  scrip: Scrip,
  baseline: RunningChild,
  { seconds, shape }: { seconds: number; shape: Shape },
): Promise<Row[]> => {
  const select = await baselineMedian(baseline, '/select', { perSecond: ruledPerSecond, seconds });
  const ruled = await latencies(await ruledVoucher(scrip), ruledPerSecond, seconds, shape);
  const largest = await latencies(await largestRequest(scrip), largestPerSecond, seconds, shape);
  return [
    latencyRow(
      `validation of 1 voucher with a rule of 20 conditions, ${ruledPerSecond}/s`,
      ...([ruled.p50, ruled.p95, 'S', select, timesSelect[shape]] as const),
    ),
    {
      work: `validation of ${redeemables} vouchers on ${lines} lines, ${largestPerSecond}/s`,
      measured: `p50 ${largest.p50.toFixed(0)} ms, p95 ${largest.p95.toFixed(0)} ms`,
      baseline: '–',
      bar: `p50 ≤ ${largestMaxMs} ms`,
      met: largest.p50 <= largestMaxMs,
    },
  ];
};
