import {
  type ExampleElsewhere,
  type WorkedExample,
  amount,
  cart,
  item,
  percent,
  storedOrder,
  when,
} from './worked-example.fixture';

const above10000 = when({ 1: ['order.amount', '$more_than', 10000] });

/** Examples of reference 03. */
export const redemptionExamples: readonly WorkedExample[] = [
  ...(
    [
      ['DISCOUNTED_AMOUNT', [100, 39980, 8000], 151920],
      ['INITIAL_AMOUNT', [100, 40000, 8000], 151900],
    ] as const
  ).map(([mode, steps, total]) => ({
    section: '03 §4.6',
    quote: 'Order 200000; gift card with 100 credits, 20 % coupon, tier with 8000 off, DISCOUNTED_AMOUNT',
    case: mode,
    settings: { discount_calculation_mode: mode },
    order: { amount: 200000 },
    given: [{ gift: 100 }, percent(20), { ...amount(8000), tier: true as const }],
    expected: { total, steps, order: { discount_amount: 200000 - total } },
  })),
  {
    section: '03 §4.6',
    quote: 'Items 2000 and 700; coupon 1000 off each item (1000 + 700 capped = 1700)',
    case: 'without the reward, which has no amount',
    ...cart(item('shirt', 2000), item('socks', 700)),
    given: [amount(1000, 'APPLY_TO_ITEMS'), { gift: 100 }, percent(40), amount(30)],
    expected: { total: 510, steps: [1700, 100, 360, 30], order: { total_discount_amount: 2190 } },
  },
  {
    ...{
      section: '03 §4.6',
      quote: 'Stored order 10000 with 9200 discount; redeem 1000 off with `order: {id}`',
    },
    before: [{ given: [amount(9200)], order: { amount: 10000 } }],
    order: { id: storedOrder },
    given: [amount(1000)],
    expected: { total: 0, steps: [800], order: { discount_amount: 10000 } },
  },
  ...(
    [
      ['10 % first', [percent(10), { ...percent(20), ...above10000 }], { refused: 'order_rules_violated' }],
      ['20 % first', [{ ...percent(20), ...above10000 }, percent(10)], { total: 7560, steps: [2100, 840] }],
    ] as const
  ).map(([what, given, expected]) => ({
    section: '03 §4.6',
    quote: 'Amount 10500, 10 % coupon and 20 % coupon with rule `order.amount` more than 10000.',
    ...{ case: what, order: { amount: 10500 }, given, expected },
  })),
];

/** Examples of reference 03 that the API does not answer. */
export const redemptionElsewhere: readonly ExampleElsewhere[] = [
  {
    section: '03 §4.6',
    quote: 'Reward 100 points = 20.00, one point = 20 minor units.',
    awaits: 'loyalty cards',
  },
  { section: '03 §8', quote: 'So quantity 4 admits four sessions.', awaits: 'sessions' },
];
