import type { Discount } from '../discount';
import { applied, cart, covering, lineDiscounts, resolved } from './carts.fixture';
import { amountBy, order, shown } from './formulas.fixture';

describe('a formula of an effect on items is evaluated per covered line (reference 01 §8)', () => {
  test.each(['APPLY_TO_ITEMS', 'APPLY_TO_ITEMS_BY_QUANTITY'] as const)('%s', (effect) => {
    const discount = amountBy('ORDER_ITEM_PRICE * 0.1', effect);
    const { discount: answered, valueByLine } = resolved(discount, order);
    expect(answered).toMatchObject({ amount_off: 500, is_dynamic: true });
    expect(valueByLine).toEqual(
      new Map([
        [0, 100],
        [1, 300],
      ]),
    );
  });

  test('each line takes its own value', () => {
    expect(lineDiscounts(applied(order, amountBy('ORDER_ITEM_PRICE * 0.1', 'APPLY_TO_ITEMS')))).toEqual([
      100, 300,
    ]);
    expect(
      lineDiscounts(applied(order, amountBy('ORDER_ITEM_PRICE * 0.1', 'APPLY_TO_ITEMS_BY_QUANTITY'))),
    ).toEqual([200, 300]);
    const percent: Discount = {
      type: 'PERCENT',
      percent_off: 50,
      percent_off_formula: 'ORDER_ITEM_UNITS_QUANTITY * 10 / 3',
      effect: 'APPLY_TO_ITEMS',
    };
    expect(lineDiscounts(applied(order, percent))).toEqual([133, 100]);
    expect(resolved(percent, order).valueByLine?.get(1)).toMatch(/^3\.3{20,}$/);
    expect(lineDiscounts(applied(order, percent, { times: 3 }))).toEqual([400, 300]);
    const price: Discount = {
      type: 'FIXED',
      fixed_amount: 700,
      fixed_amount_formula: 'ORDER_ITEM_PRICE - ORDER_ITEM_UNITS_QUANTITY',
      effect: 'APPLY_TO_ITEMS',
    };
    expect(lineDiscounts(applied(order, price))).toEqual([400, 100]);
  });

  test('lines that agree share the plain field, and only covered lines count', () => {
    const discount = amountBy('ORDER_ITEM_PRICE * 0.1', 'APPLY_TO_ITEMS');
    expect(resolved(discount, order, { coverage: covering([{ index: 1, units: 1 }]) })).toMatchObject({
      discount: { amount_off: 300, is_dynamic: true },
      valueByLine: null,
    });
    expect(resolved(amountBy('ORDER_ITEM_PRICE * 0 + 2', 'APPLY_TO_ITEMS'), order)).toMatchObject({
      discount: { amount_off: 200, is_dynamic: true },
      valueByLine: null,
    });
  });

  test('a line where it fails has the plain value', () => {
    const mixed = cart({ price: 1000 }, { price: 1000, metadata: { off: 2 } });
    const discount = amountBy('ORDER_ITEM_METADATA("off")', 'APPLY_TO_ITEMS');
    expect(resolved(discount, mixed).valueByLine).toEqual(
      new Map([
        [0, 500],
        [1, 200],
      ]),
    );
    expect(lineDiscounts(applied(mixed, discount))).toEqual([500, 200]);
  });

  test('a line where it fails may agree with the others', () => {
    const mixed = cart({ price: 1000 }, { price: 1000, metadata: { off: 5 } });
    expect(resolved(amountBy('ORDER_ITEM_METADATA("off")', 'APPLY_TO_ITEMS'), mixed)).toMatchObject({
      discount: { amount_off: 500, is_dynamic: true },
      valueByLine: null,
    });
  });

  test('where it fails for every line the plain field holds', () => {
    expect(resolved(amountBy('ORDER_ITEM_METADATA("off")', 'APPLY_TO_ITEMS'), order)).toMatchObject({
      discount: { amount_off: 500, is_dynamic: false },
      valueByLine: null,
    });
  });

  test('percentages that differ only beyond a double differ', () => {
    const two = cart({ price: 1000, metadata: { p: '1' } }, { price: 2000 });
    const percent: Discount = {
      type: 'PERCENT',
      percent_off: 50,
      percent_off_formula: '10 + ORDER_ITEM_PRICE / 1000000000000000000',
      effect: 'APPLY_TO_ITEMS',
    };
    expect([...resolved(percent, two).valueByLine!.values()]).toEqual([
      '10.00000000000000001',
      '10.00000000000000002',
    ]);
  });

  test('without line operands it is evaluated once, for items too', () => {
    expect(resolved(amountBy('ORDER_AMOUNT / 100', 'APPLY_TO_ITEMS'), order)).toMatchObject({
      discount: { amount_off: 50, is_dynamic: true },
      valueByLine: null,
    });
  });

  test.each(['APPLY_TO_ITEMS_PROPORTIONALLY', 'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY'] as const)(
    'not for one amount over all lines: %s',
    (effect) => {
      expect(shown(amountBy('ORDER_ITEM_PRICE', effect))).toMatchObject({
        amount_off: 500,
        is_dynamic: false,
      });
      expect(shown(amountBy('ORDER_AMOUNT / 100', effect))).toMatchObject({
        amount_off: 50,
        is_dynamic: true,
      });
    },
  );

  test('a new price is asked for where the definition has none', () => {
    const coverage = covering([
      { index: 0, units: 2, newPrice: 400 },
      { index: 1, units: 1 },
    ]);
    const price: Discount = {
      type: 'FIXED',
      fixed_amount: 700,
      fixed_amount_formula: 'ORDER_ITEM_PRICE * 0.9',
      effect: 'APPLY_TO_ITEMS',
    };
    expect(resolved(price, order, { coverage })).toMatchObject({
      discount: { fixed_amount: 2700, is_dynamic: true },
      valueByLine: null,
    });
    expect(lineDiscounts(applied(order, price, { coverage }))).toEqual([1200, 300]);
  });

  test('REPLACE_ITEMS has its units per line', () => {
    const upgrade: Discount = {
      type: 'UNIT',
      unit_off: 9,
      unit_off_formula: 'ORDER_ITEM_UNITS_QUANTITY',
      unit_type: 'prod_1',
      effect: 'REPLACE_ITEMS',
    };
    expect(resolved(upgrade, order).valueByLine).toEqual(
      new Map([
        [0, 2],
        [1, 1],
      ]),
    );
  });
});
