import type { Discount, UnitDiscount } from '../discount';
import { type Situation, applied, cart, covering, lineDiscounts, orderOf, resolved } from './carts.fixture';
import { amountBy, order, shown } from './formulas.fixture';

describe('a discount without formulas (reference 01 §8)', () => {
  test.each<Discount>([
    { type: 'AMOUNT', amount_off: 500, aggregated_amount_limit: 900 },
    { type: 'PERCENT', percent_off: 12.5, amount_limit: 100 },
    { type: 'FIXED', fixed_amount: 500 },
  ])('is shown with its effect and is_dynamic false: $type', (discount) => {
    const sent = { ...discount };
    expect(resolved(discount, order, { times: 3 })).toEqual({
      discount: { ...discount, effect: 'APPLY_TO_ORDER', is_dynamic: false },
      valueByLine: null,
      exactPercent: null,
      times: 3,
    });
    expect(discount).toEqual(sent);
  });

  test('keeps its list of units', () => {
    const units = [{ unit_off: 1, unit_type: 'prod_1', effect: 'ADD_NEW_ITEMS' as const }];
    expect(shown({ type: 'UNIT', units })).toEqual({
      type: 'UNIT',
      units,
      effect: 'ADD_MANY_ITEMS',
      is_dynamic: false,
    });
  });

  test.each(['', null])('an empty formula is none: %j', (formula) => {
    expect(shown(amountBy(formula))).toMatchObject({ amount_off: 500, is_dynamic: false });
  });
});

describe('a formula fills the plain field (reference 01 §8)', () => {
  test.each<{ discount: Discount; filled: object }>([
    { discount: amountBy('ORDER_AMOUNT / 10'), filled: { amount_off: 500, is_dynamic: true } },
    { discount: amountBy('15'), filled: { amount_off: 1500 } },
    { discount: amountBy('1.005'), filled: { amount_off: 101 } },
    { discount: amountBy('0 - 15'), filled: { amount_off: 0, is_dynamic: true } },
    {
      discount: { type: 'PERCENT', percent_off: 5, percent_off_formula: '12.5' },
      filled: { percent_off: 12.5, is_dynamic: true },
    },
    {
      discount: { type: 'PERCENT', percent_off: 5, percent_off_formula: '99.5' },
      filled: { percent_off: 99.5 },
    },
    {
      discount: { type: 'PERCENT', percent_off: 5, percent_off_formula: '100.5' },
      filled: { percent_off: 100 },
    },
    {
      discount: { type: 'PERCENT', percent_off: 5, percent_off_formula: '0 - 1' },
      filled: { percent_off: 0, is_dynamic: true },
    },
    {
      discount: { type: 'FIXED', fixed_amount: 5, fixed_amount_formula: 'ORDER_AMOUNT - 1' },
      filled: { fixed_amount: 4900, is_dynamic: true },
    },
    {
      discount: { type: 'UNIT', unit_off: 5, unit_off_formula: '2.9', unit_type: 'prod_1' },
      filled: { unit_off: 2, is_dynamic: true },
    },
    {
      discount: { type: 'UNIT', unit_off: 5, unit_off_formula: '0 - 1', unit_type: 'prod_1' },
      filled: { unit_off: 0, is_dynamic: true },
    },
  ])('$discount', ({ discount, filled }) => {
    expect(shown(discount)).toMatchObject(filled);
    expect(resolved(discount, order)).toMatchObject({ valueByLine: null, exactPercent: null });
  });

  test('a percentage stays exact beyond what the plain field shows', () => {
    const third: Discount = { type: 'PERCENT', percent_off: 5, percent_off_formula: '100 / 3' };
    const { discount, exactPercent } = resolved(third, order);
    expect(discount).toMatchObject({ percent_off: 100 / 3, is_dynamic: true });
    expect(exactPercent).toMatch(/^33\.3{20,}$/);
    // Of 10 it is less than half a minor unit; the nearest double, 5, would be half.
    const almost: Discount = {
      type: 'PERCENT',
      percent_off: 5,
      percent_off_formula: '4.99999999999999999999',
    };
    expect(shown(almost)).toMatchObject({ percent_off: 5 });
    expect(applied(orderOf({ amount: 10 }), almost).discountAmount).toBe(0);
    const toItems: Discount = { ...almost, effect: 'APPLY_TO_ITEMS' };
    expect(lineDiscounts(applied(cart({ price: 10 }, { price: 10 }), toItems))).toEqual([0, 0]);
    const { exactPercent: plain } = resolved(
      { type: 'PERCENT', percent_off: 5, percent_off_formula: '0.1' },
      order,
    );
    expect(plain).toBeNull();
  });

  test('it reads facts of the request, the redeemable and the bundle', () => {
    const situation: Situation = {
      context: {
        now: new Date('2026-03-31T23:30:00Z'),
        timezone: 'Europe/Warsaw',
        facts: { redemptionMetadata: { points: 3 }, orderMetadata: { floor: 7 } },
      },
      redeemable: { facts: { redeemableMetadata: { factor: 2 } } },
      bundleQuantity: 4,
    };
    expect(
      shown(amountBy('REDEMPTION_METADATA("points") * REDEEMABLE_METADATA("factor")'), situation),
    ).toMatchObject({
      amount_off: 600,
    });
    expect(shown(amountBy('ORDER_METADATA("floor")'), situation)).toMatchObject({ amount_off: 700 });
    expect(shown(amountBy('ORDER_BUNDLE_QUANTITY'), situation)).toMatchObject({ amount_off: 400 });
    expect(shown(amountBy('MONTH(TODAY)'), situation)).toMatchObject({ amount_off: 400 });
  });
});

describe('a formula that fails leaves the plain field (reference 01 §8)', () => {
  test.each([
    { why: 'it does not compile', formula: 'ORDER_AMOUNT +' },
    { why: 'it divides by zero', formula: '1 / 0' },
    { why: 'an operand is missing', formula: 'ORDER_METADATA("none")' },
    { why: 'there is no bundle', formula: 'ORDER_BUNDLE_QUANTITY' },
    { why: 'it has the wrong type', formula: '"ten"' },
    { why: 'it reads a line for an effect without lines', formula: 'ORDER_ITEM_PRICE' },
  ])('$why', ({ formula }) => {
    expect(resolved(amountBy(formula), order)).toEqual({
      discount: {
        type: 'AMOUNT',
        amount_off: 500,
        amount_off_formula: formula,
        effect: 'APPLY_TO_ORDER',
        is_dynamic: false,
      },
      valueByLine: null,
      exactPercent: null,
      times: 1,
    });
  });

  test('there is no order', () => {
    const onOrder = resolved(amountBy('ORDER_AMOUNT'), null).discount;
    const onLines = resolved(amountBy('ORDER_ITEM_PRICE', 'APPLY_TO_ITEMS'), null).discount;
    expect([onOrder, onLines]).toMatchObject([
      { amount_off: 500, is_dynamic: false },
      { amount_off: 500, is_dynamic: false },
    ]);
  });

  test('no line is covered', () => {
    const discount = amountBy('ORDER_ITEM_PRICE', 'APPLY_TO_ITEMS');
    expect(resolved(discount, order, { coverage: covering([]) })).toMatchObject({
      discount: { amount_off: 500, is_dynamic: false },
      valueByLine: null,
    });
  });
});

describe('formulas of units (reference 01 §5, §8)', () => {
  const entry = (
    unit_off_formula: string,
    unit_type = 'prod_1',
  ): NonNullable<UnitDiscount['units']>[number] => ({
    unit_off: 9,
    unit_off_formula,
    unit_type,
    effect: 'ADD_NEW_ITEMS',
  });

  test('each entry has its own', () => {
    const units = [entry('ORDER_ITEMS_QUANTITY'), entry('1 / 0'), entry('ORDER_ITEM_UNITS_QUANTITY')];
    const discount: Discount = { type: 'UNIT', units };
    expect(shown(discount)).toEqual({
      type: 'UNIT',
      units: [{ ...units[0], unit_off: 2 }, units[1], units[2]],
      effect: 'ADD_MANY_ITEMS',
      is_dynamic: true,
    });
    expect(units[0]?.unit_off).toBe(9);
  });

  test('where all entries fall back nothing is dynamic', () => {
    expect(shown({ type: 'UNIT', units: [entry('1 / 0')] })).toMatchObject({ is_dynamic: false });
  });

  test('a missing plain field counts as 0 where lines differ', () => {
    const mixed = cart({ price: 1000 }, { price: 1000, metadata: { off: 2 } });
    const upgrade: Discount = {
      type: 'UNIT',
      unit_off_formula: 'ORDER_ITEM_METADATA("off")',
      unit_type: 'prod_1',
      effect: 'REPLACE_ITEMS',
    };
    expect(resolved(upgrade, mixed).valueByLine?.get(0)).toBe(0);
  });

  test('free shipping has none', () => {
    const shipping: Discount = {
      type: 'UNIT',
      unit_off: 1,
      unit_off_formula: '7',
      unit_type: 'prod_5h1pp1ng',
    };
    expect(shown(shipping)).toMatchObject({ unit_off: 1, is_dynamic: false });
    expect(shown({ type: 'UNIT', units: [entry('7', 'prod_5h1pp1ng')] })).toMatchObject({
      units: [{ unit_off: 9 }],
      is_dynamic: false,
    });
  });
});
