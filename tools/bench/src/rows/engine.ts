import { compileFormula } from '@scrip/formulas';
import { isRefused } from '@scrip/kernel';
import {
  type Discount,
  type OrderState,
  type Redeemable,
  calculate,
  defaultStackingSettings,
  normaliseOrder,
} from '@scrip/order-calculation';
import { evaluateRequest } from '@scrip/order-preview';
import { compileRule, evaluateRules } from '@scrip/rules';
import type { Row } from '../row';
import { ruledRequest } from '../ruled-request';
import { twentyConditions } from '../twenty-conditions';

/** Microseconds of one `work`, the median of batches after a warm-up. `work` gets a number that never repeats. */
const microsecondsOf = (work: (turn: number) => unknown): number => {
  const batches: number[] = [];
  const perBatch = 50;
  let turn = 0;
  for (const startedAt = performance.now(); performance.now() - startedAt < 3_000;) {
    const since = performance.now();
    for (let index = 0; index < perBatch; index += 1) work((turn += 1));
    batches.push(((performance.now() - since) * 1_000) / perBatch);
  }
  const warm = batches.slice(Math.floor(batches.length / 3)).sort((one, other) => one - other);
  return warm[Math.floor(warm.length / 2)] ?? NaN;
};

/** Measures one cold run of `work`, in milliseconds: the cost of hostile input. */
const millisecondsOnce = (work: () => unknown): number => {
  const since = performance.now();
  work();
  return performance.now() - since;
};

const orderOf = (lines: number): OrderState => {
  const order = normaliseOrder({
    items: Array.from({ length: lines }, (_, index) => ({
      product_id: `prod_${index % 20}`,
      quantity: 1 + (index % 3),
      price: 500 + index,
    })),
  });
  if (isRefused(order)) throw new Error(order.details);
  return order;
};

const everyKind: Discount[] = [
  { type: 'PERCENT', percent_off: 2, effect: 'APPLY_TO_ITEMS' },
  { type: 'AMOUNT', amount_off: 3, effect: 'APPLY_TO_ITEMS' },
  { type: 'AMOUNT', amount_off: 2, effect: 'APPLY_TO_ITEMS_BY_QUANTITY' },
  { type: 'AMOUNT', amount_off: 700, effect: 'APPLY_TO_ITEMS_PROPORTIONALLY' },
  { type: 'PERCENT', percent_off: 1.5, effect: 'APPLY_TO_ORDER' },
  { type: 'AMOUNT', amount_off: 50, effect: 'APPLY_TO_ORDER' },
];

const redeemables = (count: number): Redeemable[] =>
  Array.from({ length: count }, (_, index) => ({
    object: 'voucher',
    id: `V${index}`,
    incentive: { discount: everyKind[index % everyKind.length]! },
  }));

const settings = { ...defaultStackingSettings, applicable_redeemables_limit: 30 };

/** 500 characters; `turn` makes each of them new to the cache. */
const formulaText = (turn: number): string => {
  const term = 'IF(ORDER_AMOUNT > 100;ORDER_ITEMS_QUANTITY * 0.5;MAX(1;ORDER_UNITS_QUANTITY)) + ';
  return term.repeat(6) + String(turn).padStart(20, '1');
};

const ruleWork = () => {
  const rule = compileRule(twentyConditions('seg_vip'), 'val_1');
  if (isRefused(rule)) throw new Error(rule.details);
  const order = orderOf(3);
  const context = {
    now: new Date('2026-03-31T10:20:30.456Z'),
    timezone: 'Europe/Warsaw',
    customer: { segments: ['seg_vip'], tiers: [], metadata: { city: 'Kraków' }, holdsVoucher: true },
    order: { initial: order, before: order, after: order, metadata: { channel: 'app-ios' } },
    redemption: null,
    customEvent: null,
    counted: () => 0,
  };
  const rules = [rule];
  if (!evaluateRules(rules, context, 'FULL', { label: 'Discount Coupon' }).holds)
    throw new Error('it must hold');
  return () => evaluateRules(rules, context, 'FULL', { label: 'Discount Coupon' });
};

const deepRules = (levels: number): object => {
  let rules: object = { 1: { name: 'order.amount', conditions: { $more_than: [1] } } };
  for (let level = 0; level < levels; level += 1) {
    rules = { 1: { name: 'order.items.any', conditions: {}, rules } };
  }
  return { name: 'deep', rules };
};

const tooDeep = deepRules(10_000);

const hostileInput: Record<string, () => unknown> = {
  'a tree of 10,000 levels': () => compileRule(tooDeep, 'val_1'),
  'logic of 100,000 characters': () =>
    compileRule({ name: 'long', rules: { logic: '('.repeat(100_000) } }, 'val_1'),
  'a formula of 100,000 characters': () => compileFormula('1+'.repeat(50_000)),
  'a formula of 1,900 brackets': () => compileFormula('('.repeat(1_900)),
  'text that makes careless patterns backtrack': () =>
    compileFormula(`ROUND(${'1 '.repeat(900)}`) && compileFormula(`"${'\\"'.repeat(600)}`),
};

const speedRow = (work: string, measuredUs: number, baseline: string, mostUs: number): Row => ({
  work,
  measured: `${measuredUs.toFixed(1)} µs`,
  baseline,
  bar: `≤ ${mostUs.toLocaleString('en')} µs`,
  met: measuredUs <= mostUs,
});

/** A whole request, with rules, scopes and unit budgets: the verdicts and the order alone, and with every view that an
 *  answer may show. */
const requestRows = (): Row[] => {
  const request = ruledRequest();
  const everything = JSON.stringify(evaluateRequest(request));
  if (!evaluateRequest(request).redeemables.every(({ status }) => status === 'APPLICABLE'))
    throw new Error('all must apply');
  const parsed = JSON.parse(everything) as unknown;
  const base = microsecondsOf(() => JSON.stringify(parsed));
  const work = 'engine: 30 × voucher with rules, scopes and budgets on 100 items';
  const baseline = `writing all of it as JSON (${Math.round(everything.length / 1_000)} kB) ${base.toFixed(1)} µs`;
  const shown = () => {
    const { redeemables } = evaluateRequest(request);
    return redeemables.map((one) => (one.status === 'APPLICABLE' ? { ...one } : one));
  };
  return [
    speedRow(
      work,
      microsecondsOf(() => evaluateRequest(request)),
      baseline,
      6_000,
    ),
    speedRow(`${work}, every view read`, microsecondsOf(shown), baseline, 10_000),
  ];
};

/** The calculation by itself, in this process, beside writing and reading the same request as JSON. */
export const engineRows = (): Row[] => {
  const rows: Row[] = [];
  for (const [count, lines, mostUs] of [
    [1, 3, 20],
    [30, 100, 2_000],
  ] as const) {
    const order = orderOf(lines);
    const list = redeemables(count);
    const base = microsecondsOf(() => JSON.parse(JSON.stringify({ order, list })));
    const measured = microsecondsOf(() => calculate(order, list, settings));
    const baseline = `the request through JSON ${base.toFixed(1)} µs`;
    rows.push(speedRow(`engine: ${count} × voucher on ${lines} items`, measured, baseline, mostUs));
  }
  rows.push(...requestRows());
  rows.push(speedRow('engine: a compiled rule of 20 conditions', microsecondsOf(ruleWork()), '–', 5));
  rows.push(
    speedRow(
      'engine: compiling a formula of 500 characters',
      microsecondsOf((turn) => compileFormula(formulaText(turn))),
      '–',
      100,
    ),
  );
  for (const [what, work] of Object.entries(hostileInput)) {
    const measuredMs = millisecondsOnce(work);
    rows.push({
      work: `engine: refusing ${what}`,
      measured: `${measuredMs.toFixed(2)} ms`,
      baseline: '–',
      bar: '< 5 ms',
      met: measuredMs < 5,
    });
  }
  return rows;
};
