import { isRefused, refuse } from '@scrip/kernel';
import { type Calculation, type CalculationContext, calculate } from './calculate';
import type { Discount } from './discount';
import { normaliseOrder } from './normalise-order';
import type { CalculatedOrder, OrderInput } from './order';
import type { OrderState } from './order-state';
import type { Redeemable } from './redeemable';
import { type StackingSettings, defaultStackingSettings } from './stacking-settings';

const cart = (sent: OrderInput, stored?: CalculatedOrder): OrderState => {
  const order = normaliseOrder(sent, stored ? { namedBy: 'id', order: stored } : null);
  if (isRefused(order)) throw new Error(order.details);
  return order;
};

const amount = (amountOff: number, more: object = {}): Discount => ({
  type: 'AMOUNT',
  amount_off: amountOff,
  ...more,
});
const percent = (percentOff: number, more: object = {}): Discount => ({
  type: 'PERCENT',
  percent_off: percentOff,
  ...more,
});

const redeemables = (...discounts: Discount[]): Redeemable[] =>
  discounts.map((discount, index) => ({
    object: 'voucher',
    id: `CODE-${index + 1}`,
    incentive: { discount },
  }));

const calculated = (
  order: OrderState | null,
  list: readonly Redeemable[],
  settings: Partial<StackingSettings> = {},
  context: CalculationContext = {},
): Calculation => {
  const calculation = calculate(order, list, { ...defaultStackingSettings, ...settings }, context);
  if (isRefused(calculation)) throw new Error(calculation.details);
  return calculation;
};

/** What each redeemable took off, in turn. */
const appliedBy = ({ redeemables: list }: Calculation): (number | undefined)[] =>
  list.map((one) => (one.status === 'APPLICABLE' ? one.order?.total_applied_discount_amount : undefined));

const statuses = ({ redeemables: list }: Calculation): string[] =>
  list.map((one) => (one.status === 'SKIPPED' ? one.reason : one.status));

describe('worked rows of spec 01 §11 and spec 03 §4.6', () => {
  test.each([
    {
      row: 'order 200000: 100 off, then 20 %, then 8000 off',
      order: { amount: 200000 },
      discounts: [amount(100), percent(20), amount(8000)],
      applied: [100, 39980, 8000],
      discount: 48080,
      total: 151920,
    },
    {
      row: 'the same with the initial amount as base',
      order: { amount: 200000 },
      discounts: [amount(100), percent(20), amount(8000)],
      settings: { discount_calculation_mode: 'INITIAL_AMOUNT' as const },
      applied: [100, 40000, 8000],
      discount: 48100,
      total: 151900,
    },
    {
      row: 'order 10000: 10 % + 20 % of what is left',
      order: { amount: 10000 },
      discounts: [percent(10), percent(20)],
      applied: [1000, 1800],
      discount: 2800,
      total: 7200,
    },
    {
      row: 'order 10000: 10 % + 20 % of the initial amount',
      order: { amount: 10000 },
      discounts: [percent(10), percent(20)],
      settings: { discount_calculation_mode: 'INITIAL_AMOUNT' as const },
      applied: [1000, 2000],
      discount: 3000,
      total: 7000,
    },
    {
      row: '20 % first, then 10 % (03 §4.6 example 5, second order)',
      order: { amount: 10500 },
      discounts: [percent(20), percent(10)],
      applied: [2100, 840],
      discount: 2940,
      total: 7560,
    },
    {
      row: '10 % of 11499 rounds half up (§2)',
      order: { amount: 11499 },
      discounts: [percent(10)],
      applied: [1150],
      discount: 1150,
      total: 10349,
    },
  ])('$row', ({ order, discounts, settings, applied, discount, total }) => {
    const calculation = calculated(cart(order), redeemables(...discounts), settings);
    expect(appliedBy(calculation)).toEqual(applied);
    expect(calculation.order).toMatchObject({ discount_amount: discount, total_amount: total });
    expect(calculation.valid).toBe(true);
  });

  test('lines 2000 + 700: 1000 off per item, 100 off, 40 % of 900, 30 off', () => {
    const calculation = calculated(
      cart({ items: [{ price: 2000 }, { price: 700 }] }),
      redeemables(amount(1000, { effect: 'APPLY_TO_ITEMS' }), amount(100), percent(40), amount(30)),
    );
    expect(appliedBy(calculation)).toEqual([1700, 100, 360, 30]);
    expect(calculation.order?.items.map((item) => item.discount_amount)).toEqual([1000, 700]);
    expect(calculation.order?.total_amount).toBe(510);
  });

  test('stored order 10000 with discount 9200, then 1000 off', () => {
    const stored = { amount: 10000, discount_amount: 9200, total_amount: 800, items: [] };
    const { order } = calculated(cart({}, stored), redeemables(amount(1000)));
    expect(order).toEqual({
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

  test('percent 50 on lines 4000, 4000 with amount_limit 1500 and aggregated_amount_limit 2000', () => {
    const { order } = calculated(
      cart({ items: [{ price: 4000 }, { price: 4000 }] }),
      redeemables(
        percent(50, { effect: 'APPLY_TO_ITEMS', amount_limit: 1500, aggregated_amount_limit: 2000 }),
      ),
    );
    expect(order?.items.map((item) => item.discount_amount)).toEqual([1500, 500]);
  });

  test.each([
    { discount: amount(1000, { effect: 'APPLY_TO_ITEMS' }), lines: [1000, 1000, 1000], total: 9500 },
    { discount: percent(10, { effect: 'APPLY_TO_ITEMS' }), lines: [200, 450, 600], total: 11250 },
  ])('cart C1 without the bottle: $discount.type to items', ({ discount, lines, total }) => {
    const items = [
      { price: 1000, quantity: 2 },
      { price: 1500, quantity: 3 },
      { price: 2000, quantity: 3 },
    ];
    const { order } = calculated(cart({ items }), redeemables(discount));
    expect(order?.items.map((item) => item.discount_amount)).toEqual(lines);
    expect(order?.total_amount).toBe(total);
  });
});

describe('limits of a discount on the order (spec 01 §5)', () => {
  test.each([
    {
      name: 'amount below the limit',
      discount: amount(999, { aggregated_amount_limit: 1000 }),
      applied: 999,
    },
    { name: 'amount at the limit', discount: amount(1000, { aggregated_amount_limit: 1000 }), applied: 1000 },
    {
      name: 'amount above the limit',
      discount: amount(1001, { aggregated_amount_limit: 1000 }),
      applied: 1000,
    },
    { name: 'amount of the whole order', discount: amount(10000), applied: 10000 },
    { name: 'amount above the order', discount: amount(10001), applied: 10000 },
    { name: 'percent below its limit', discount: percent(10, { amount_limit: 1001 }), applied: 1000 },
    { name: 'percent above its limit', discount: percent(10, { amount_limit: 999 }), applied: 999 },
    { name: 'percent above 100', discount: percent(150), applied: 10000 },
    { name: 'a third of a percent', discount: percent(0.333), applied: 33 },
    { name: 'twelve and a half', discount: percent(12.5), applied: 1250 },
    { name: 'a negative percentage', discount: percent(-5), applied: undefined },
    { name: 'a negative amount', discount: amount(-5), applied: undefined },
  ])('$name', ({ discount, applied }) => {
    expect(calculated(cart({ amount: 10000 }), redeemables(discount)).order?.applied_discount_amount).toBe(
      applied,
    );
  });

  test('is exact where a product of amount and percentage exceeds 2^53', () => {
    const { order } = calculated(cart({ amount: 9007199254740991 }), redeemables(percent(33.3)));
    expect(order?.discount_amount).toBe(2999397351828750); // 9007199254740991 × 333 / 1000 = …828750.003
  });

  test('item discounts beyond what is left are cut from the last line backwards', () => {
    const { order } = calculated(
      cart({ items: [{ price: 1000 }, { price: 1000 }] }),
      redeemables(amount(1500), percent(100, { effect: 'APPLY_TO_ITEMS' })),
    );
    expect(order?.items.map((item) => item.discount_amount)).toEqual([500, undefined]);
    expect(order?.total_amount).toBe(0);
  });
});

describe('views (spec 01 §4)', () => {
  const calculation = calculated(
    cart({ items: [{ product_id: 'prod_1', quantity: 2, price: 500, metadata: { size: 'M' } }] }),
    redeemables(percent(10), amount(50)),
  );

  test('each redeemable shows the order right after it, with its own part as applied', () => {
    const [first, second] = calculation.redeemables;
    expect(first).toEqual({
      object: 'voucher',
      id: 'CODE-1',
      status: 'APPLICABLE',
      result: { discount: { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER', is_dynamic: false } },
      order: {
        amount: 1000,
        initial_amount: 1000,
        discount_amount: 100,
        total_discount_amount: 100,
        total_amount: 900,
        applied_discount_amount: 100,
        total_applied_discount_amount: 100,
        items: [
          {
            object: 'order_item',
            product_id: 'prod_1',
            quantity: 2,
            initial_quantity: 2,
            price: 500,
            amount: 1000,
            initial_amount: 1000,
            subtotal_amount: 1000,
            metadata: { size: 'M' },
          },
        ],
      },
    });
    expect(second).toMatchObject({
      order: { applied_discount_amount: 50, discount_amount: 150, total_amount: 850 },
    });
  });

  test('the root order counts the whole request as applied', () => {
    expect(calculation.order).toMatchObject({
      applied_discount_amount: 150,
      discount_amount: 150,
      total_amount: 850,
    });
  });

  test('without an order a discount is applicable and no order is answered', () => {
    const { valid, order, redeemables: list } = calculated(null, redeemables(percent(10)));
    expect({ valid, order, status: list[0]?.status }).toEqual({
      valid: true,
      order: null,
      status: 'APPLICABLE',
    });
    expect(list[0]).toMatchObject({ order: null });
  });

  test('an order of unknown amount stays without figures', () => {
    expect(calculated(cart({}), redeemables(percent(10))).order).toEqual({ items: [] });
  });
});

describe('stacking (spec 01 §10)', () => {
  const notFound = refuse('not_found', 'Cannot find voucher with id CODE-2');
  const secondFails: CalculationContext = { preCheck: ({ id }) => (id === 'CODE-2' ? notFound : null) };
  const three = redeemables(amount(100), amount(200), amount(400));

  test('ALL: one inapplicable makes the request invalid and skips the rest', () => {
    const calculation = calculated(cart({ amount: 1000 }), three, {}, secondFails);
    expect(statuses(calculation)).toEqual(['APPLICABLE', 'INAPPLICABLE', 'preceding_validation_failed']);
    expect(calculation.redeemables[1]).toMatchObject({ refusal: notFound });
    expect(calculation.valid).toBe(false);
  });

  test('PARTIAL: the others are applied', () => {
    const calculation = calculated(
      cart({ amount: 1000 }),
      three,
      { redeemables_application_mode: 'PARTIAL' },
      secondFails,
    );
    expect(statuses(calculation)).toEqual(['APPLICABLE', 'INAPPLICABLE', 'APPLICABLE']);
    expect(calculation).toMatchObject({ valid: true, order: { total_amount: 500 } });
  });

  test('PARTIAL with nothing applicable is invalid', () => {
    const calculation = calculated(
      cart({ amount: 1000 }),
      redeemables(amount(100)),
      { redeemables_application_mode: 'PARTIAL' },
      { preCheck: () => notFound },
    );
    expect(calculation.valid).toBe(false);
  });

  test('beyond the limit redeemables are skipped', () => {
    const six = redeemables(...Array.from({ length: 6 }, () => amount(100)));
    const calculation = calculated(cart({ amount: 1000 }), six);
    expect(statuses(calculation).slice(4)).toEqual(['APPLICABLE', 'applicable_redeemables_limit_exceeded']);
    expect(calculation).toMatchObject({ valid: true, order: { total_amount: 500 } });
  });

  test('the limit is looked at before the effect: beyond it nothing can fail', () => {
    const five = Array.from({ length: 5 }, () => amount(100));
    const calculation = calculated(
      cart({ amount: 1000 }),
      redeemables(...five, { type: 'UNIT', unit_off: 1 }),
    );
    expect(statuses(calculation).slice(4)).toEqual(['APPLICABLE', 'applicable_redeemables_limit_exceeded']);
    expect(calculation.valid).toBe(true);
  });

  test('no effect: redeemed anyway, or skipped where the settings say so', () => {
    const both = redeemables(amount(1000), amount(1));
    expect(statuses(calculated(cart({ amount: 1000 }), both))).toEqual(['APPLICABLE', 'APPLICABLE']);
    expect(
      statuses(calculated(cart({ amount: 1000 }), both, { redeemables_no_effect_rule: 'SKIP' })),
    ).toEqual(['APPLICABLE', 'no_effect']);
  });

  test('checks see the order before and after the redeemable; a failed check after it leaves the order alone', () => {
    const seen: (number | undefined)[] = [];
    const tooCheap = refuse('order_rules_violated');
    const calculation = calculated(
      cart({ amount: 1000 }),
      redeemables(amount(300), amount(300)),
      {},
      {
        preCheck: (_, before) => {
          seen.push(before()?.total_amount);
          return null;
        },
        postCheck: (_, after) => ((after?.total_amount ?? 0) < 500 ? tooCheap : null),
      },
    );
    expect(seen).toEqual([1000, 700]);
    expect(statuses(calculation)).toEqual(['APPLICABLE', 'INAPPLICABLE']);
    expect(calculation.order?.total_amount).toBe(700);
  });
});

describe('what cannot be calculated is refused, never guessed', () => {
  test.each([
    { type: 'FIXED', fixed_amount: 100 },
    { type: 'UNIT', unit_off: 1, unit_type: 'prod_1' },
    { type: 'AMOUNT', amount_off: 100, effect: 'APPLY_TO_ITEMS_PROPORTIONALLY' },
    { type: 'PERCENT', percent_off: 10, percent_off_formula: 'ORDER_AMOUNT' },
  ] satisfies Discount[])('discount %#: $type', (discount) => {
    const calculation = calculated(cart({ amount: 1000 }), redeemables(discount));
    expect(calculation.redeemables[0]).toMatchObject({
      status: 'INAPPLICABLE',
      refusal: { refused: 'unsupported_discount' },
    });
    expect(calculation).toMatchObject({ valid: false, order: { total_amount: 1000 } });
  });

  test.each<Partial<StackingSettings>>([
    { redeemables_sorting_rule: 'CATEGORY_HIERARCHY' },
    { redeemables_products_application_mode: 'ONCE' },
    { exclusive_categories: ['cat_1'] },
    { no_effect_skip_categories: ['cat_1'] },
    { applicable_redeemables_per_category_limit: 1 },
    { applicable_redeemables_category_limits: { cat_1: 1 } },
  ])('settings %j', (settings) => {
    expect(calculate(null, [], { ...defaultStackingSettings, ...settings })).toMatchObject({
      refused: 'unsupported_stacking_rules',
    });
  });
});
