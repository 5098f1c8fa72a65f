import {
  type ExampleElsewhere,
  type WorkedExample,
  amount,
  bundle,
  cart,
  clothes,
  collection,
  fixed,
  item,
  missedBundle,
  only,
  percent,
  product,
  productById,
  vips,
  when,
} from './worked-example.fixture';

export const vip = { source_id: 'example-vip', metadata: { tier: 'VIP' } };
export const other = { source_id: 'example-other', metadata: { tier: 'NONE' } };
const order = { amount: 10000 };

/** Rules of which 1 holds, 2 and 3 do not. */
const firstOfThree = (logic: string) =>
  when(
    {
      1: ['order.initial_amount', '$is', 10000],
      2: ['order.initial_amount', '$is', 1],
      3: ['order.initial_amount', '$is', 2],
    },
    { logic },
  );

/** The rule that reference 02 §3.2 shows. */
export const vipsThreeMugs = {
  rule: {
    error: { message: 'Not eligible' },
    rules: {
      1: {
        name: 'customer.segment',
        conditions: { $is: [vips] },
        rules: {},
        error: { message: 'VIPs only' },
      },
      2: {
        name: 'order.items.any',
        rules: {
          1: {
            name: 'order.items.aggregated_quantity',
            conditions: { $more_than_or_equal: [3] },
            rules: {},
          },
          logic: '1',
        },
        conditions: { $is: [product('mug')] },
      },
      3: { name: 'order.initial_amount', conditions: { $more_than_or_equal: [10000] }, rules: {} },
      logic: '1 and (2 or 3)',
    },
  },
};

const texts = {
  rule: {
    error: { message: 'F' },
    rules: {
      1: { name: 'customer.segment', conditions: { $is: [vips] }, error: { message: 'T1' } },
      2: { name: 'product.id', conditions: { $is: [{ id: 'prod_example' }] } },
      logic: '1 AND 2',
    },
  },
};
const rightProduct = { order: { items: [{ product_id: 'prod_example', price: 1000 }] } };
const wrongProduct = { order: { items: [{ product_id: 'prod_other', price: 1000 }] } };

const between = when({
  1: ['order.amount', '$more_than', 1000],
  2: ['order.initial_amount', '$less_than', 1100],
});
const seesBoth = when({
  1: ['order.amount', '$is', 8000],
  2: ['order.initial_amount', '$is', 8000],
  3: ['order.total_amount', '$is', 7000],
});

/** Examples of reference 02. */
export const ruleExamples: readonly WorkedExample[] = [
  {
    ...{ section: '02 §1.1', quote: '`1 or 2 and 3` with 1 true, 3 false is true', order },
    given: [{ ...amount(100), ...firstOfThree('1 or 2 and 3') }],
    expected: { total: 9900 },
  },
  {
    ...{ section: '02 §1.1', quote: '`(1 or 2) and 3` is false', order },
    given: [{ ...amount(100), ...firstOfThree('(1 or 2) and 3') }],
    expected: { refused: 'order_rules_violated' },
  },
  {
    ...{ section: '02 §1.3', quote: '5 on a 3-product collection = 5 of each' },
    ...cart(item('shirt', 1000, 6), item('socks', 1000, 7), item('mug', 1000, 8)),
    given: [
      {
        ...amount(100, 'APPLY_TO_ITEMS_BY_QUANTITY'),
        ...only(collection('pc_a11pr0dUc75', { product_in_collection_campaign_quantity_limit: 5 })),
      },
    ],
    expected: { lines: [500, 500, 500] },
  },
  {
    ...{
      section: '02 §1.4',
      quote: 'Example: 2 × product A and 5 × collection C = {T, S}; cart A×1, T×1, S×2.',
    },
    ...missedBundle,
  },
  {
    ...{ section: '02 §1.4', quote: 'With limit 3 and cart A×5, T×10: k = min(⌊5/2⌋, ⌊10/5⌋, 3) = 2.' },
    ...cart(item('bottle', 2500, 5), item('shirt', 2000, 10)),
    given: [{ ...amount(100), ...bundle(3, [productById('bottle'), 2], [collection(clothes), 5]) }],
    expected: { steps: [200], redeemables: [{ result: { bundle: { quantity: 2, limit: 3 } } }] },
  },
  {
    ...{ section: '02 §3.2', quote: 'Mugs on two lines of 2 and 1 units satisfy rule 2.', customer: vip },
    ...cart(item('mug', 1000, 2), item('mug', 1100)),
    given: [{ ...amount(100), ...vipsThreeMugs }],
    expected: { total: 3000 },
  },
  {
    ...{
      section: '02 §3.2',
      quote: 'with order.amount 8000 and one line of amount 12000, amount rules see 8000',
    },
    order: { amount: 8000, items: [item('shirt', 12000)] },
    given: [
      { ...amount(1000), ...seesBoth },
      {
        ...amount(500),
        rule: {
          rules: {
            1: {
              name: 'order.items.any',
              conditions: { $is: [product('shirt')] },
              rules: {
                1: { name: 'order.items.aggregated_amount', conditions: { $is: [12000] } },
                logic: '1',
              },
            },
          },
        },
      },
    ],
    expected: { total: 6500, steps: [1000, 500] },
  },
  {
    ...{ section: '02 §3.3', quote: '`$less_than_or_equal: [N]` therefore allows N redemptions', order },
    case: 'N is 2, of which one was',
    used: { order },
    given: [{ ...amount(100), ...when({ 1: ['campaign.redemptions.count', '$less_than_or_equal', 2] }) }],
    expected: { total: 9900 },
  },
  {
    ...{ section: '02 §3.3', quote: '`$less_than: [N]` N − 1', case: 'N is 2, of which one was', order },
    used: { order },
    given: [{ ...amount(100), ...when({ 1: ['campaign.redemptions.count', '$less_than', 2] }) }],
    expected: { refused: 'redemption_rules_violated' },
  },
  {
    section: '02 §3.3',
    quote: 'budget 5000, 3000 already given, next discount 2500 → 5500 violates; the discount is not trimmed',
    used: { order: { amount: 6000 } },
    order: { amount: 5000 },
    given: [
      { ...percent(50), ...when({ 1: ['campaign.orders.amount_discounted', '$less_than_or_equal', 5000] }) },
    ],
    expected: { refused: 'redemption_rules_violated' },
  },
  {
    section: '02 §4.1',
    quote: 'an unknown customer sent inline with `metadata.tier = VIP` is in the VIP segment',
    ...{ customer: { source_id: 'example-unknown', metadata: { tier: 'VIP' } }, order },
    given: [{ ...amount(100), ...when({ 1: ['customer.segment', '$is', vips] }) }],
    expected: { total: 9900 },
  },
  {
    ...{ section: '02 §4.3', quote: 'Coupon first: both hold.', order: { amount: 1050 } },
    given: [{ ...amount(50), ...between }, { gift: 100 }],
    expected: { total: 900, steps: [50, 100] },
  },
  {
    ...{ section: '02 §4.3', quote: 'Gift card first: order.amount = 950, initial_amount = 1050' },
    order: { amount: 1050 },
    given: [{ gift: 100 }, { ...amount(50), ...between }],
    expected: { refused: 'order_rules_violated' },
  },
  ...[5500, 6000].map((cartOf) => ({
    ...{ section: '02 §4.3', quote: 'Coupon of 5000 with `order.total_amount ≥ 1000`', case: `${cartOf}` },
    order: { amount: cartOf },
    given: [{ ...amount(5000), ...when({ 1: ['order.total_amount', '$more_than_or_equal', 1000] }) }],
    expected: cartOf === 6000 ? { total: 1000 } : { refused: 'order_rules_violated' },
  })),
  ...(
    [
      ['wrong segment, right product', { customer: other, ...rightProduct }, 'customer_rules_violated', 'T1'],
      ['right segment, wrong product', { customer: vip, ...wrongProduct }, 'order_rules_violated', 'F'],
      ['both wrong', { customer: other, ...wrongProduct }, 'customer_rules_violated', 'T1'],
    ] as const
  ).map(([what, asked, refused, text]) => ({
    ...{ section: '02 §4.4', quote: 'Worked case: rules 1 (segment, own text T1)', case: what, ...asked },
    given: [{ ...amount(100), ...texts }],
    expected: { refused, text },
  })),
  {
    ...{
      section: '02 §6',
      quote: '`ORDER_ITEM_PRICE * 0.01 + 1` gives 1.06 → 106 for a 600 item and 1.10 → 110',
    },
    ...cart(item('socks', 600), item('mug', 1000)),
    given: [
      {
        ...fixed(5000, 'APPLY_TO_ITEMS'),
        ...only(collection('pc_a11pr0dUc75', { price_formula: 'ORDER_ITEM_PRICE * 0.01 + 1' })),
      },
    ],
    expected: { total: 216, lines: [494, 890] },
  },
  {
    ...{ section: '02 §8', quote: '10 % then 500 off a 10000 cart → 1000, 500, total 8500', order },
    given: [{ stack: [percent(10), amount(500)] }],
    expected: { total: 8500, steps: [1000, 500] },
  },
];

const qualification = 'apps/scrip/src/redemption/qualification.e2e.spec.ts';
const examples = 'apps/scrip/src/worked-examples/worked-examples.e2e.spec.ts';

/** Examples of reference 02 that are of qualifications. */
export const rulesElsewhere: readonly ExampleElsewhere[] = [
  { section: '02 §4.5', quote: 'For the example of 3.2 under AUDIENCE_ONLY', shownBy: examples },
  { section: '02 §8', quote: 'Example: tier T1 10 % on the order for all', shownBy: qualification },
];
