import { isRefused } from '@scrip/kernel';
import type { Discount } from '../discount';
import { type ItemScope, wholeOrder } from '../scoping/item-scope';
import { effectNameOf, effectOf } from './registry';

const amount: Discount = { type: 'AMOUNT', amount_off: 100 };
const percent: Discount = { type: 'PERCENT', percent_off: 10 };
const fixed: Discount = { type: 'FIXED', fixed_amount: 100 };
const unit: Discount = { type: 'UNIT', unit_off: 1, unit_type: 'prod_1' };
const many: Discount = {
  type: 'UNIT',
  units: [{ unit_off: 1, unit_type: 'prod_1', effect: 'ADD_NEW_ITEMS' }],
};
const shirt = { object: 'product', id: 'prod_shirt' } as const;

describe('the default effect (reference 01 §5)', () => {
  const scopes: { name: string; scope: ItemScope; money: string }[] = [
    { name: 'no items named', scope: wholeOrder, money: 'APPLY_TO_ORDER' },
    { name: 'items included', scope: { ...wholeOrder, included: [shirt] }, money: 'APPLY_TO_ITEMS' },
    { name: 'items excluded', scope: { ...wholeOrder, excluded: [shirt] }, money: 'APPLY_TO_ITEMS' },
    { name: 'all items included', scope: { ...wholeOrder, included_all: true }, money: 'APPLY_TO_ITEMS' },
  ];

  test.each(scopes)('of money with $name is $money', ({ scope, money }) => {
    expect([amount, percent, fixed].map((discount) => effectNameOf(discount, scope))).toEqual([
      money,
      money,
      money,
    ]);
  });

  test.each(scopes)('of units stays what it is with $name', ({ scope }) => {
    expect(effectNameOf(unit, scope)).toBe('ADD_MISSING_ITEMS');
    expect(effectNameOf(many, scope)).toBe('ADD_MANY_ITEMS');
  });

  test('without a scope is that of the whole order', () => {
    expect([amount, percent, fixed].map((discount) => effectNameOf(discount))).toEqual([
      'APPLY_TO_ORDER',
      'APPLY_TO_ORDER',
      'APPLY_TO_ORDER',
    ]);
  });

  test('of a list without entries is that of a single unit', () => {
    expect(effectNameOf({ type: 'UNIT', unit_off: 1, units: [] })).toBe('ADD_MISSING_ITEMS');
  });

  test('never replaces a named one', () => {
    const named: Discount = { ...amount, effect: 'APPLY_TO_ORDER' };
    expect(effectNameOf(named, { ...wholeOrder, included: [shirt] })).toBe('APPLY_TO_ORDER');
    expect(effectNameOf({ ...many, effect: 'ADD_NEW_ITEMS' } as Discount)).toBe('ADD_NEW_ITEMS');
  });
});

describe('the effect of a discount', () => {
  test.each([
    ['AMOUNT', 'APPLY_TO_ORDER'],
    ['AMOUNT', 'APPLY_TO_ITEMS'],
    ['AMOUNT', 'APPLY_TO_ITEMS_BY_QUANTITY'],
    ['AMOUNT', 'APPLY_TO_ITEMS_PROPORTIONALLY'],
    ['AMOUNT', 'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY'],
    ['PERCENT', 'APPLY_TO_ORDER'],
    ['PERCENT', 'APPLY_TO_ITEMS'],
    ['FIXED', 'APPLY_TO_ORDER'],
    ['FIXED', 'APPLY_TO_ITEMS'],
    ['UNIT', 'ADD_NEW_ITEMS'],
    ['UNIT', 'ADD_MISSING_ITEMS'],
    ['UNIT', 'ADD_MANY_ITEMS'],
    ['UNIT', 'ADD_SAME_ITEMS'],
    ['UNIT', 'REPLACE_ITEMS'],
  ])('%s %s is there', (type, effect) => {
    expect(effectOf({ type, effect } as Discount)).toMatchObject({ type, effect });
  });

  test('depends on the scope where none is named', () => {
    expect(effectOf(amount)).toMatchObject({ effect: 'APPLY_TO_ORDER' });
    expect(effectOf(amount, { ...wholeOrder, excluded: [shirt] })).toMatchObject({
      effect: 'APPLY_TO_ITEMS',
    });
  });

  test.each([
    ['PERCENT', 'APPLY_TO_ITEMS_BY_QUANTITY'],
    ['FIXED', 'APPLY_TO_ITEMS_PROPORTIONALLY'],
    ['AMOUNT', 'ADD_NEW_ITEMS'],
    ['UNIT', 'APPLY_TO_ORDER'],
    ['NOTHING', 'APPLY_TO_ORDER'],
    ['AMOUNT', 'constructor'],
  ])('%s %s is refused, not guessed', (type, effect) => {
    const refusal = effectOf({ type, effect } as unknown as Discount);
    expect(isRefused(refusal)).toBe(true);
    expect(refusal).toEqual({
      refused: 'unsupported_discount',
      details: `Discounts of type ${type} with effect ${effect} cannot be calculated`,
    });
  });
});
