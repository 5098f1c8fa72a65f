import {
  amount,
  appliedBy,
  calculated,
  cart,
  fixed,
  percent,
  redeemables,
  refusals,
  units,
  voucher,
} from './calculation.fixture';
import { Catalogue } from './catalogue/catalogue';
import type { ItemScope } from './scoping/item-scope';

const lineDiscounts = (order: ReturnType<typeof calculated>['order']) =>
  order?.items.map(({ discount_amount: discount = 0 }) => discount);

const product = (id: string, price: number, quantity = 1) => ({ product_id: id, price, quantity });
const included = (...ids: string[]): ItemScope => ({
  included: ids.map((id) => ({ object: 'product', id })),
  excluded: [],
  included_all: false,
});

describe('rounding (spec 01 §2)', () => {
  test('10 % of 11499 is 1150: half up', () => {
    expect(calculated(cart({ amount: 11499 }), redeemables(percent(10))).order).toMatchObject({
      discount_amount: 1150,
      total_amount: 10349,
    });
  });

  test('300 over 3300 and 3400 is 148 and 152: by running total', () => {
    const { order } = calculated(
      cart({ items: [{ price: 3300 }, { price: 3400 }] }),
      redeemables(amount(300, { effect: 'APPLY_TO_ITEMS_PROPORTIONALLY' })),
    );
    expect(lineDiscounts(order)).toEqual([148, 152]);
  });
});

describe('cart C1 (spec 01 §11): everything but the bottle in scope', () => {
  const c1 = cart({
    items: [
      product('mug', 1000, 2),
      product('poster', 1500, 3),
      product('shirt', 2000, 3),
      product('bottle', 2500, 2),
    ],
  });
  test.each([
    { discount: amount(1000, { effect: 'APPLY_TO_ITEMS' }), lines: [1000, 1000, 1000], total: 14500 },
    {
      discount: amount(1000, { effect: 'APPLY_TO_ITEMS_BY_QUANTITY' }),
      lines: [2000, 3000, 3000],
      total: 9500,
    },
    {
      discount: amount(1000, { effect: 'APPLY_TO_ITEMS_PROPORTIONALLY' }),
      lines: [160, 360, 480],
      total: 16500,
    },
    {
      discount: amount(1000, { effect: 'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY' }),
      lines: [250, 375, 375],
      total: 16500,
    },
    { discount: percent(10, { effect: 'APPLY_TO_ITEMS' }), lines: [200, 450, 600], total: 16250 },
    { discount: fixed(1000, { effect: 'APPLY_TO_ITEMS' }), lines: [0, 1500, 3000], total: 13000 },
  ])('$discount', ({ discount, lines, total }) => {
    const { order } = calculated(c1, [
      voucher('C', { discount }, { scope: included('mug', 'poster', 'shirt') }),
    ]);
    expect(order?.amount).toBe(17500);
    expect(lineDiscounts(order)).toEqual([...lines, 0]);
    expect(order?.total_amount).toBe(total);
  });
});

describe('cart C2 (spec 01 §11): from most expensive, skip 1, repeat 2', () => {
  const c2 = cart({
    items: [
      { ...product('shirt', 2000, 3) },
      { ...product('poster', 1500, 5) },
      { ...product('mug', 1000, 2) },
      { ...product('socks', 500, 4) },
      { ...product('bottle', 2500, 2) },
    ],
  });
  const records = ['shirt', 'poster', 'mug', 'socks'].map((id) => ({ id, collections: ['pc_sale'] }));
  const scope = (target: 'ITEM' | 'UNIT'): ItemScope => ({
    included: [
      {
        object: 'products_collection',
        id: 'pc_sale',
        effect: 'APPLY_FROM_MOST_EXPENSIVE',
        skip_initially: 1,
        repeat: 2,
        target,
      },
    ],
    excluded: [],
    included_all: false,
  });
  const order = cart(
    { items: c2.lines.map(({ echo, quantity }) => ({ ...echo, quantity })) as never },
    {
      records: { products: records },
    },
  );
  test.each([
    { target: 'ITEM', effect: 'APPLY_TO_ITEMS', lines: [0, 500, 0, 500, 0], total: 21500 },
    { target: 'UNIT', effect: 'APPLY_TO_ITEMS_BY_QUANTITY', lines: [500, 1500, 500, 1000, 0], total: 19000 },
  ] as const)('target $target', ({ target, effect, lines, total }) => {
    const calculation = calculated(order, [
      voucher('C', { discount: amount(500, { effect }) }, { scope: scope(target) }),
    ]);
    expect(calculation.order?.amount).toBe(22500);
    expect(lineDiscounts(calculation.order)).toEqual(lines);
    expect(calculation.order?.total_amount).toBe(total);
  });
});

describe('cases of spec 01 §11 and spec 03 §4.6', () => {
  const giftOf100 = voucher('GIFT', { gift: { balance: 100, credits: 100 } });

  test('order 200000: gift 100 credits, then 20 %, then 8000 off', () => {
    const calculation = calculated(cart({ amount: 200000 }), [
      giftOf100,
      ...redeemables(percent(20), amount(8000)),
    ]);
    expect(appliedBy(calculation)).toEqual([100, 39980, 8000]);
    expect(
      calculation.redeemables.map((one) => one.status === 'APPLICABLE' && one.order?.discount_amount),
    ).toEqual([100, 40080, 48080]);
    expect(calculation.order?.total_amount).toBe(151920);
    expect(calculation.consumption).toEqual({
      credits: [{ id: 'GIFT', credits: 100 }],
      points: [],
      units: [],
    });
  });

  test('the same with the initial amount as base', () => {
    const calculation = calculated(
      cart({ amount: 200000 }),
      [giftOf100, ...redeemables(percent(20), amount(8000))],
      { discount_calculation_mode: 'INITIAL_AMOUNT' },
    );
    expect(appliedBy(calculation)).toEqual([100, 40000, 8000]);
    expect(calculation.order).toMatchObject({ discount_amount: 48100, total_amount: 151900 });
  });

  test('lines 2000 + 700: 1000 off per item, a material reward, 100 credits, 40 % of the order, 30 off', () => {
    const calculation = calculated(cart({ items: [{ price: 2000 }, { price: 700 }] }), [
      voucher('A', { discount: amount(1000, { effect: 'APPLY_TO_ITEMS' }) }),
      voucher('CARD', { reward: { type: 'OTHER', points: 4, balance: 4 } }),
      giftOf100,
      voucher('B', { discount: percent(40) }),
      voucher('C', { discount: amount(30) }),
    ]);
    expect(appliedBy(calculation)).toEqual([1700, undefined, 100, 360, 30]);
    expect(lineDiscounts(calculation.order)).toEqual([1000, 700]);
    expect(calculation.order?.total_amount).toBe(510);
    expect(calculation.consumption.points).toEqual([{ id: 'CARD', points: 4 }]);
  });

  test.each([
    { mode: 'DISCOUNTED_AMOUNT', applied: [1000, 1800], discount: 2800 },
    { mode: 'INITIAL_AMOUNT', applied: [1000, 2000], discount: 3000 },
  ] as const)('order 10000: 10 % + 20 % of the order, $mode', ({ mode, applied, discount }) => {
    const calculation = calculated(cart({ amount: 10000 }), redeemables(percent(10), percent(20)), {
      discount_calculation_mode: mode,
    });
    expect(appliedBy(calculation)).toEqual(applied);
    expect(calculation.order?.discount_amount).toBe(discount);
  });

  test('amount 10500: 20 % first, then 10 %', () => {
    const calculation = calculated(cart({ amount: 10500 }), redeemables(percent(20), percent(10)));
    expect(appliedBy(calculation)).toEqual([2100, 840]);
    expect(calculation.order?.total_amount).toBe(7560);
  });

  test('stored order 10000 with discount 9200, then 1000 off', () => {
    const stored = { amount: 10000, discount_amount: 9200, total_amount: 800, items: [] };
    expect(calculated(cart({}, { stored }), redeemables(amount(1000))).order).toEqual({
      amount: 10000,
      initial_amount: 10000,
      discount_amount: 10000,
      total_discount_amount: 10000,
      total_amount: 0,
      applied_discount_amount: 800,
      total_applied_discount_amount: 800,
      items: [],
    });
  });

  test('order 2900 + 3100: ADD_MISSING 1 of the first, ADD_NEW 1 of the second', () => {
    const { order } = calculated(
      cart({ items: [product('first', 2900), product('second', 3100)] }),
      redeemables(units('ADD_MISSING_ITEMS', 1, 'first'), units('ADD_NEW_ITEMS', 1, 'second')),
    );
    expect(order).toMatchObject({ amount: 9100, items_discount_amount: 6000, total_amount: 3100 });
    expect(order?.items[1]).toMatchObject({ quantity: 2, discount_quantity: 1, subtotal_amount: 3100 });
  });

  test('ADD_MISSING 5 of a 1500 line with quantity 1', () => {
    const { order } = calculated(
      cart({ items: [product('mug', 1500)] }),
      redeemables(units('ADD_MISSING_ITEMS', 5, 'mug')),
    );
    expect(order?.items).toEqual([
      {
        object: 'order_item',
        product_id: 'mug',
        price: 1500,
        quantity: 5,
        initial_quantity: 1,
        discount_quantity: 5,
        applied_discount_quantity: 5,
        applied_quantity: 4,
        applied_quantity_amount: 6000,
        amount: 7500,
        initial_amount: 1500,
        discount_amount: 7500,
        applied_discount_amount: 7500,
        subtotal_amount: 0,
      },
    ]);
  });

  test.each([
    {
      name: 'an upgrade',
      from: [2000, 3],
      to: ['new', 2500, 1],
      amounts: [4000, 2500],
      discount: 500,
      amount: 6500,
      total: 6000,
    },
    {
      name: 'a cheaper target',
      from: [2500, 3],
      to: ['new', 1000, 1],
      amounts: [5000, 1000],
      discount: 0,
      amount: 6000,
      total: 6000,
    },
    {
      name: 'three for one',
      from: [2500, 3],
      to: ['new', 1000, 3],
      amounts: [5000, 3000],
      discount: 500,
      amount: 8000,
      total: 7500,
    },
  ] as const)('replacing one of three: $name', ({ from, to, amounts, discount, amount: whole, total }) => {
    const [target, price, unitOff] = to;
    const { order } = calculated(
      cart({ items: [product('old', from[0], from[1])] }),
      [
        voucher(
          'UPGRADE',
          { discount: units('REPLACE_ITEMS', unitOff, target) },
          {
            scope: {
              included: [{ object: 'product', id: 'old', quantity_limit: 1 }],
              excluded: [],
              included_all: false,
            },
          },
        ),
      ],
      {},
      { catalogue: new Catalogue({ products: [{ id: target, price }] }) },
    );
    expect(order?.items.map((line) => line.amount)).toEqual(amounts);
    expect(order?.items[1]?.discount_amount ?? 0).toBe(discount);
    expect(order).toMatchObject({ amount: whole, total_amount: total });
  });

  test('a new price by formula on a 6500 line of a 46500 order', () => {
    const { order } = calculated(cart({ items: [product('shoe', 6500), product('coat', 40000)] }), [
      voucher(
        'NEW-PRICE',
        { discount: fixed(0, { effect: 'APPLY_TO_ITEMS' }) },
        {
          scope: {
            included: [
              {
                object: 'product',
                id: 'shoe',
                price: 6000,
                price_formula: 'IF(ORDER_AMOUNT > 300;ORDER_ITEM_PRICE * 0.8;ORDER_ITEM_PRICE)',
              },
            ],
            excluded: [],
            included_all: false,
          },
        },
      ),
    ]);
    expect(order?.items[0]).toMatchObject({ discount_amount: 1300, subtotal_amount: 5200 });
  });

  test('percent 50 on lines 4000, 4000 with amount_limit 1500 and aggregated_amount_limit 2000', () => {
    const { order } = calculated(
      cart({ items: [{ price: 4000 }, { price: 4000 }] }),
      redeemables(
        percent(50, { effect: 'APPLY_TO_ITEMS', amount_limit: 1500, aggregated_amount_limit: 2000 }),
      ),
    );
    expect(lineDiscounts(order)).toEqual([1500, 500]);
  });

  test('5 % per bundle, five bundles, limit 5: 25 % off the order', () => {
    const { order, redeemables: list } = calculated(cart({ items: [product('mug', 1000, 7)] }), [
      voucher(
        'BUNDLE',
        { discount: percent(5, { effect: 'APPLY_TO_ORDER' }) },
        {
          bundle: {
            components: [{ object: 'product', id: 'mug', quantity: 1 }],
            limit: 5,
            scaling: 'MULTIPLY',
          },
        },
      ),
    ]);
    expect(order?.discount_amount).toBe(1750);
    expect(list[0]).toMatchObject({
      result: { discount: { percent_off: 5 }, bundle: { quantity: 5, limit: 5 } },
    });
  });
});

describe('bundles (spec 01 §9, spec 02 §1.4)', () => {
  const records = {
    products: [{ id: 'A' }, { id: 'T', collections: ['C'] }, { id: 'S', collections: ['C'] }],
  };
  const bundle = (limit: number) => ({
    components: [
      { object: 'product' as const, id: 'A', quantity: 2 },
      { object: 'products_collection' as const, id: 'C', quantity: 5 },
    ],
    limit,
    scaling: 'MULTIPLY' as const,
  });

  test('a partial bundle tells what is there and what is missing', () => {
    const order = cart({ items: [product('A', 100), product('T', 100), product('S', 100, 2)] }, { records });
    const calculation = calculated(order, [voucher('B', { discount: percent(5) }, { bundle: bundle(1) })]);
    expect(refusals(calculation)).toEqual(['order_rules_violated']);
    expect(calculation.redeemables[0]).toMatchObject({
      bundle: {
        quantity: 0,
        limit: 1,
        identified: [
          { id: 'A', object: 'product', item_index: 0, item_quantity: 1 },
          { id: 'T', object: 'product', item_index: 1, item_quantity: 1 },
          { id: 'S', object: 'product', item_index: 2, item_quantity: 2 },
        ],
        missing: [
          { id: 'A', object: 'product', item_quantity: 1 },
          { id: 'C', object: 'products_collection', item_quantity: 2 },
        ],
      },
    });
  });

  test('A×5 and T×10 hold two bundles', () => {
    const order = cart({ items: [product('A', 100, 5), product('T', 100, 10)] }, { records });
    const { redeemables: list } = calculated(order, [
      voucher('B', { discount: percent(5) }, { bundle: bundle(3) }),
    ]);
    expect(list[0]).toMatchObject({ status: 'APPLICABLE', result: { bundle: { quantity: 2, limit: 3 } } });
  });

  test('20.00 off the item subtotal, two bundles, three single-unit lines: 40.00 on each', () => {
    const order = cart({ items: [product('A', 5000), product('B', 5000), product('D', 5000, 1)] });
    const { order: after } = calculated(order, [
      voucher(
        'B',
        { discount: amount(2000, { effect: 'APPLY_TO_ITEMS' }) },
        {
          bundle: {
            components: [{ object: 'products_collection', id: 'pc_a11pr0dUc75', quantity: 1 }],
            limit: 2,
            scaling: 'MULTIPLY',
          },
        },
      ),
    ]);
    expect(lineDiscounts(after)).toEqual([4000, 4000, 4000]);
  });
});

describe('pay with points (spec 01 §7, spec 03 §4.6): 20.00 per 100 points', () => {
  const card = (balance: number, points?: number) =>
    voucher('CARD', {
      reward: {
        type: 'COIN',
        exchange_ratio: 20,
        points_ratio: 100,
        balance,
        ...(points === undefined ? {} : { points }),
      },
    });
  test.each([
    {
      name: 'left open: whole multiples that cover the order',
      balance: 5000,
      points: undefined,
      taken: 2300,
      discount: 45000,
    },
    { name: '300 points are 6000', balance: 5000, points: 300, taken: 300, discount: 6000 },
    { name: '10 points are 200', balance: 5000, points: 10, taken: 10, discount: 200 },
    {
      name: 'left open: at most the balance',
      balance: 1999,
      points: undefined,
      taken: 1999,
      discount: 39980,
    },
    {
      name: 'more than needed shrinks to the covering multiple',
      balance: 5000,
      points: 4000,
      taken: 2300,
      discount: 45000,
    },
  ])('$name', ({ balance, points, taken, discount }) => {
    const calculation = calculated(cart({ amount: 45000 }), [card(balance, points)]);
    expect(calculation.order?.discount_amount).toBe(discount);
    expect(calculation.redeemables[0]).toMatchObject({ result: { loyalty_card: { points: taken } } });
    expect(calculation.consumption.points).toEqual([{ id: 'CARD', points: taken }]);
  });
});
