import {
  type ExampleElsewhere,
  type WorkedExample,
  amount,
  bundle,
  cart,
  collection,
  fixed,
  item,
  missedBundle,
  onSale,
  only,
  percent,
  product,
  productById,
  storedOrder,
  units,
} from './worked-example.fixture';

const byQuantity = 'APPLY_TO_ITEMS_BY_QUANTITY';
const proportionally = 'APPLY_TO_ITEMS_PROPORTIONALLY';
const toItems = 'APPLY_TO_ITEMS';

const c1 = cart(
  item('mug', 1000, 2),
  item('poster', 1500, 3),
  item('shirt', 2000, 3),
  item('bottle', 2500, 2),
);
const c1Scope = only(product('mug'), product('poster'), product('shirt'));
const c1Examples: readonly WorkedExample[] = (
  [
    ['AMOUNT 1000, to items', amount(1000, toItems), [1000, 1000, 1000], 14500],
    ['… by quantity', amount(1000, byQuantity), [2000, 3000, 3000], 9500],
    ['… proportionally', amount(1000, proportionally), [160, 360, 480], 16500],
    ['… proportionally by quantity', amount(1000, `${proportionally}_BY_QUANTITY`), [250, 375, 375], 16500],
    ['PERCENT 10, to items', percent(10, toItems), [200, 450, 600], 16250],
    ['FIXED 1000, to items', fixed(1000, toItems), [0, 1500, 3000], 13000],
  ] as const
).map(([quote, discount, lines, total]) => ({
  ...{ section: '01 §11', quote, ...c1, given: [{ ...discount, ...c1Scope }] },
  expected: { total, lines: [...lines, 0], order: { amount: 17500 } },
}));

const c2 = cart(
  ...[item('shirt', 2000, 3), item('poster', 1500, 5), item('mug', 1000, 2), item('socks', 500, 4)],
  item('bottle', 2500, 2),
);
const everySecond = (target: string) =>
  only(collection(onSale, { effect: 'APPLY_FROM_MOST_EXPENSIVE', skip_initially: 1, repeat: 2, target }));

const threeShirts = cart(item('shirt', 2000, 3));
const threeBottles = cart(item('bottle', 2500, 3));
const oneOf = (source_id: string) => only(product(source_id, { quantity_limit: 1 }));
const roundings: readonly (readonly [quote: string, formula: string, off: number])[] = [
  ['75.55 → `ROUND(;1)` 75.6', 'ROUND(75.55;1)', 7560],
  ['`ROUND(;0)` 76', 'ROUND(75.55;0)', 7600],
  ['`ROUND(;-1)` 80', 'ROUND(75.55;-1)', 8000],
  ['`FLOOR(;1)` 75.5', 'FLOOR(75.55;1)', 7550],
  ['`FLOOR(;-1)` 70', 'FLOOR(75.55;-1)', 7000],
  ['74.44 → `CEIL(;1)` 74.5', 'CEIL(74.44;1)', 7450],
  ['`CEIL(;-1)` 80', 'CEIL(74.44;-1)', 8000],
];

/** Examples of reference 01. */
export const calculationExamples: readonly WorkedExample[] = [
  ...[undefined, toItems].map((effect) => ({
    ...{ section: '01 §2', quote: '10 % of 11499 = 1149.9 → **1150**', case: effect ?? 'of the order' },
    ...cart(item('shoe', 11499)),
    given: [percent(10, effect)],
    expected: { total: 10349, steps: [1150] },
  })),
  {
    ...{ section: '01 §2', quote: '300 over 3300 and 3400 → **148** and **152**' },
    ...cart(item('shirt', 3300), item('shoe', 3400)),
    given: [amount(300, proportionally)],
    expected: { total: 6400, lines: [148, 152] },
  },
  {
    ...{ section: '01 §3', quote: '3 × 1000, one freed, stored, one more freed: 1000' },
    before: [{ given: [units('ADD_MISSING_ITEMS', 1, 'mug')], ...cart(item('mug', 1000, 3)) }],
    order: { id: storedOrder },
    given: [units('ADD_MISSING_ITEMS', 1, 'mug')],
    expected: { total: 1000, steps: [1000], lines: [2000] },
  },
  {
    ...{ section: '01 §6', quote: 'Skip 1, repeat 3 on ten units covers 2, 5, 8.' },
    ...cart(item('mug', 1000, 10)),
    given: [
      {
        ...amount(100, byQuantity),
        ...only(
          product('mug', { skip_initially: 1, repeat: 3, target: 'UNIT', effect: 'APPLY_FROM_CHEAPEST' }),
        ),
      },
    ],
    expected: {
      lines: [300],
      redeemables: [{ applicable_to: { data: [{ order_item_units: [{ index: 0, units: [2, 5, 8] }] }] } }],
    },
  },
  {
    ...{ section: '01 §6', quote: 'with 1 unit left, one of three units is discounted' },
    used: cart(item('mug', 1000, 2)),
    ...cart(item('mug', 1000, 3)),
    given: [{ ...amount(100, byQuantity), ...only(product('mug', { product_campaign_quantity_limit: 3 })) }],
    expected: { lines: [100] },
  },
  {
    ...{
      section: '01 §8',
      quote: 'an order of 46500 is `ORDER_AMOUNT` 465; result 15 of an amount formula is 1500',
    },
    order: { amount: 46500 },
    given: [amount(1, undefined, { amount_off_formula: 'ORDER_AMOUNT - 450' })],
    expected: { total: 45000, steps: [1500] },
  },
  ...roundings.map(([quote, formula, off]) => ({
    ...{ section: '01 §8', quote, order: { amount: 10000 } },
    given: [amount(1, undefined, { amount_off_formula: formula })],
    expected: { total: 10000 - off, steps: [off] },
  })),
  {
    ...{
      section: '01 §9',
      quote: 'Example: 2 bottles + 5 of collection C; cart 1 bottle, 1 shirt(C), 2 socks(C)',
    },
    ...missedBundle,
  },
  {
    ...{
      section: '01 §9',
      quote: '20.00 off item subtotal, two bundles, three single-unit lines → 40.00 on each',
    },
    ...cart(item('shirt', 5000), item('poster', 6000), item('shoe', 7000)),
    given: [{ ...amount(2000, toItems), ...bundle(2, [collection('pc_a11pr0dUc75'), 1]) }],
    expected: { lines: [4000, 4000, 4000], redeemables: [{ result: { bundle: { quantity: 2 } } }] },
  },
  ...c1Examples,
  {
    ...{ section: '01 §11', quote: 'Target ITEM to items: poster 500, socks 500 → 21500.', ...c2 },
    given: [{ ...amount(500, toItems), ...everySecond('ITEM') }],
    expected: { total: 21500, lines: [0, 500, 0, 500, 0], order: { amount: 22500 } },
  },
  {
    ...{
      section: '01 §11',
      quote: 'Target UNIT by quantity: shirt 500, poster 1500, mug 500, socks 1000 → 19000.',
    },
    ...c2,
    given: [{ ...amount(500, byQuantity), ...everySecond('UNIT') }],
    expected: { total: 19000, lines: [500, 1500, 500, 1000, 0], order: { amount: 22500 } },
  },
  {
    ...{ section: '01 §11', quote: 'Order 200000: gift 100 credits, then 20 %, then 8000 off' },
    order: { amount: 200000 },
    given: [{ gift: 500, credits: 100 }, percent(20), amount(8000)],
    expected: { total: 151920, steps: [100, 39980, 8000], order: { discount_amount: 48080 } },
  },
  {
    ...{
      section: '01 §11',
      quote: 'Lines 2000 + 700: 1000 off per item; 100 credits; 40 % of order; 30 off',
    },
    ...cart(item('shirt', 2000), item('socks', 700)),
    given: [amount(1000, toItems), { gift: 100 }, percent(40), amount(30)],
    expected: { total: 510, steps: [1700, 100, 360, 30], lines: [1000, 700] },
  },
  ...(
    [
      ['DISCOUNTED_AMOUNT', [1000, 1800], 7200],
      ['INITIAL_AMOUNT', [1000, 2000], 7000],
    ] as const
  ).map(([mode, steps, total]) => ({
    ...{ section: '01 §11', quote: 'Order 10000: 10 % + 20 % of order', case: mode },
    settings: { discount_calculation_mode: mode },
    order: { amount: 10000 },
    given: [percent(10), percent(20)],
    expected: { total, steps },
  })),
  {
    ...{ section: '01 §11', quote: 'Stored order 10000 with discount 9200, then 1000 off' },
    before: [{ given: [amount(9200)], order: { amount: 10000 } }],
    order: { id: storedOrder },
    given: [amount(1000)],
    expected: { total: 0, steps: [800], order: { discount_amount: 10000 } },
  },
  {
    ...{ section: '01 §11', quote: 'Order 2900 + 3100; ADD_MISSING 1 of the first, ADD_NEW 1 of the second' },
    ...cart(item('first', 2900), item('second', 3100)),
    given: [units('ADD_MISSING_ITEMS', 1, 'first'), units('ADD_NEW_ITEMS', 1, 'second')],
    expected: {
      total: 3100,
      order: {
        ...{ amount: 9100, items_discount_amount: 6000 },
        items: [{ quantity: 1 }, { quantity: 2, discount_quantity: 1, subtotal_amount: 3100 }],
      },
    },
  },
  {
    ...{ section: '01 §11', quote: 'ADD_MISSING 5 of a 1500 line with quantity 1' },
    ...cart(item('poster', 1500)),
    given: [units('ADD_MISSING_ITEMS', 5, 'poster')],
    expected: {
      ...{ total: 0, lines: [7500] },
      order: { amount: 7500, items: [{ quantity: 5, discount_quantity: 5 }] },
    },
  },
  {
    ...{ section: '01 §11', quote: 'Upgrade one of three 2000 shirts to a 2500 shirt', ...threeShirts },
    given: [{ ...units('REPLACE_ITEMS', 1, 'fine-shirt'), ...oneOf('shirt') }],
    expected: {
      ...{ total: 6000, lines: [0, 500] },
      order: { amount: 6500, items: [{ amount: 4000 }, { amount: 2500 }] },
    },
  },
  ...(
    [
      [1, 6000, 6000, 0],
      [3, 8000, 7500, 500],
    ] as const
  ).map(([mugs, whole, total, off]) => ({
    ...{
      section: '01 §11',
      quote: 'Replace one of three 2500 bottles by one 1000 mug / by three',
      case: `${mugs}`,
    },
    ...threeBottles,
    given: [{ ...units('REPLACE_ITEMS', mugs, 'mug'), ...oneOf('bottle') }],
    expected: { total, lines: [0, off], order: { amount: whole } },
  })),
  {
    section: '01 §11',
    quote:
      'New price `IF(ORDER_AMOUNT > 300;ORDER_ITEM_PRICE * 0.8;ORDER_ITEM_PRICE)` on a 6500 line of a 46500 order',
    ...cart(item('shoe', 6500), item('shirt', 40000)),
    given: [
      {
        ...fixed(6500, toItems),
        ...only(
          product('shoe', {
            price_formula: 'IF(ORDER_AMOUNT > 300;ORDER_ITEM_PRICE * 0.8;ORDER_ITEM_PRICE)',
          }),
        ),
      },
    ],
    expected: { total: 45200, lines: [1300, 0], order: { items: [{ subtotal_amount: 5200 }, {}] } },
  },
  {
    section: '01 §11',
    quote: 'Percent 50 on lines 4000, 4000; `amount_limit` 1500, `aggregated_amount_limit` 2000',
    ...cart(item('shirt', 4000), item('shoe', 4000)),
    given: [percent(50, toItems, { amount_limit: 1500, aggregated_amount_limit: 2000 })],
    expected: { total: 6000, lines: [1500, 500] },
  },
  {
    ...{ section: '01 §11', quote: '5 % per bundle, 5 bundles, limit 5', ...cart(item('mug', 1000, 7)) },
    given: [{ ...percent(5, 'APPLY_TO_ORDER'), ...bundle(5, [productById('mug'), 1]) }],
    expected: {
      total: 5250,
      redeemables: [{ result: { discount: { percent_off: 5 }, bundle: { quantity: 5 } } }],
    },
  },
];

/** Examples of reference 01 that the API does not answer. */
export const calculationElsewhere: readonly ExampleElsewhere[] = [
  {
    section: '01 §7',
    quote: 'T = 45000, 20 per 100 points: 2250 would do, **2300** are taken.',
    awaits: 'points',
  },
];
