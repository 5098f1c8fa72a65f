import type { Discount } from '../discount';
import type { ItemScope } from '../scoping/item-scope';
import { scaleByBundle } from './scale-by-bundle';

const scope: ItemScope = {
  included: [
    {
      object: 'product',
      id: 'prod_1',
      quantity_limit: 2,
      aggregated_quantity_limit: 5,
      amount_limit: 700,
      aggregated_amount_limit: 900,
      price: 300,
      skip_initially: 1,
      repeat: 2,
      product_campaign_quantity_limit: 11,
    },
    { object: 'sku', id: 'sku_1', quantity_limit: 0 },
    { object: 'products_collection', id: 'pc_1' },
  ],
  excluded: [{ object: 'sku', id: 'sku_2' }],
  included_all: true,
};
const scaled: ItemScope = {
  ...scope,
  included: [
    { ...scope.included[0]!, quantity_limit: 6, aggregated_quantity_limit: 15 },
    scope.included[1]!,
    scope.included[2]!,
  ],
};

const amount: Discount = { type: 'AMOUNT', amount_off: 100 };
const percent: Discount = { type: 'PERCENT', percent_off: 5 };
const fixed: Discount = { type: 'FIXED', fixed_amount: 100 };
const unit: Discount = { type: 'UNIT', unit_off: 1, unit_type: 'prod_1' };

describe('three bundles (reference 01 §9)', () => {
  test.each([
    { discount: amount, effect: 'APPLY_TO_ORDER', times: 3, limits: scope },
    { discount: amount, effect: 'APPLY_TO_ITEMS', times: 3, limits: scope },
    { discount: amount, effect: 'APPLY_TO_ITEMS_PROPORTIONALLY', times: 3, limits: scope },
    { discount: amount, effect: 'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY', times: 3, limits: scope },
    { discount: amount, effect: 'APPLY_TO_ITEMS_BY_QUANTITY', times: 1, limits: scaled },
    { discount: percent, effect: 'APPLY_TO_ORDER', times: 3, limits: scope },
    { discount: percent, effect: 'APPLY_TO_ITEMS', times: 3, limits: scope },
    { discount: fixed, effect: 'APPLY_TO_ORDER', times: 1, limits: scope },
    { discount: fixed, effect: 'APPLY_TO_ITEMS', times: 1, limits: scaled },
    { discount: unit, effect: 'ADD_NEW_ITEMS', times: 3, limits: scope },
    { discount: unit, effect: 'ADD_MISSING_ITEMS', times: 3, limits: scope },
    { discount: unit, effect: 'ADD_MANY_ITEMS', times: 3, limits: scope },
    { discount: unit, effect: 'ADD_SAME_ITEMS', times: 3, limits: scope },
    { discount: unit, effect: 'REPLACE_ITEMS', times: 1, limits: scaled },
  ])('$discount.type $effect: value × $times', ({ discount, effect, times, limits }) => {
    expect(scaleByBundle(discount, effect, scope, 3, 'MULTIPLY')).toEqual({ times, scope: limits });
    expect(scaleByBundle(discount, effect, scope, 3, 'ONCE')).toEqual({ times: 1, scope });
  });

  test('5 % per bundle, 5 bundles: 25 % (reference 01 §11)', () => {
    expect(scaleByBundle(percent, 'APPLY_TO_ORDER', scope, 5, 'MULTIPLY').times * percent.percent_off).toBe(
      25,
    );
  });
});

test('one bundle scales nothing', () => {
  expect(scaleByBundle(amount, 'APPLY_TO_ORDER', scope, 1, 'MULTIPLY')).toEqual({ times: 1, scope });
  expect(scaleByBundle(fixed, 'APPLY_TO_ITEMS', scope, 1, 'MULTIPLY')).toEqual({ times: 1, scope });
});

test('limits that no number would hold become 2^53 − 1', () => {
  const max = Number.MAX_SAFE_INTEGER;
  const limitAfter = (limit: number) =>
    scaleByBundle(
      fixed,
      'APPLY_TO_ITEMS',
      { ...scope, included: [{ object: 'product', id: 'prod_1', quantity_limit: limit }] },
      2,
      'MULTIPLY',
    ).scope.included[0]!.quantity_limit;
  expect(limitAfter((max - 1) / 2)).toBe(max - 1);
  expect(limitAfter((max + 1) / 2)).toBe(max);
});
