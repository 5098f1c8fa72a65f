import type { DiscountBody } from './bodies/discount.dto';
import { readDiscount } from './discount';

const units: DiscountBody['units'] = [
  { unit_off: 1, unit_type: 'prod_1', effect: 'ADD_NEW_ITEMS' },
  { unit_off_formula: '1 + 1', unit_type: 'sku_1', effect: 'ADD_MISSING_ITEMS' },
];

describe('the discount of a campaign', () => {
  it.each<DiscountBody>([
    { type: 'AMOUNT', amount_off: 500, effect: 'APPLY_TO_ITEMS_BY_QUANTITY' },
    {
      type: 'AMOUNT',
      amount_off: 500,
      amount_off_formula: 'ORDER_AMOUNT * 0.1',
      aggregated_amount_limit: 900,
    },
    { type: 'PERCENT', percent_off: 12.5, amount_limit: 900 },
    { type: 'PERCENT', percent_off: 5, percent_off_formula: 'IF(ORDER_UNITS_QUANTITY > 2;20;10)' },
    { type: 'FIXED', fixed_amount: 1000, effect: 'APPLY_TO_ITEMS' },
    { type: 'FIXED', fixed_amount: 1000, fixed_amount_formula: 'MIN(ORDER_AMOUNT;9)', is_dynamic: true },
    { type: 'UNIT', unit_off: 1, unit_type: 'prod_1' },
    { type: 'UNIT', unit_off: 1, unit_type: 'prod_1', effect: 'ADD_NEW_ITEMS' },
    { type: 'UNIT', unit_off_formula: '2', unit_type: 'sku_1', effect: 'ADD_MISSING_ITEMS' },
    { type: 'UNIT', unit_off: 1, unit_type: 'pc_a11pr0dUc75', effect: 'ADD_SAME_ITEMS' },
    { type: 'UNIT', unit_off: 1, unit_type: 'pc_1', effect: 'ADD_SAME_ITEMS' },
    { type: 'UNIT', unit_off: 1, unit_type: 'prod_2', effect: 'REPLACE_ITEMS' },
    { type: 'UNIT', effect: 'ADD_MANY_ITEMS', units },
    { type: 'UNIT', units },
  ])('is kept: %j', (body) => {
    expect(readDiscount(body)).toEqual(body);
  });

  it('keeps the fields of its kind only', () => {
    expect(readDiscount({ type: 'AMOUNT', amount_off: 500, percent_off: 10, unit_off: 1 })).toEqual({
      type: 'AMOUNT',
      amount_off: 500,
    });
    const product = { id: 'prod_1', name: 'Shirt' };
    expect(readDiscount({ type: 'UNIT', unit_off: 1, unit_type: 'prod_1', product })).toEqual({
      type: 'UNIT',
      unit_off: 1,
      unit_type: 'prod_1',
    });
    expect(readDiscount({ type: 'UNIT', units: [{ ...units![0]!, product }] })).toEqual({
      type: 'UNIT',
      units: [units![0]],
    });
  });

  it.each<[DiscountBody, string]>([
    [{ type: 'AMOUNT' }, "Property .voucher.discount should have required property 'amount_off'"],
    [
      { type: 'AMOUNT', amount_off_formula: '1' },
      "Property .voucher.discount should have required property 'amount_off'",
    ],
    [{ type: 'PERCENT' }, "Property .voucher.discount should have required property 'percent_off'"],
    [{ type: 'FIXED' }, "Property .voucher.discount should have required property 'fixed_amount'"],
    [
      { type: 'UNIT', unit_type: 'prod_1' },
      "Property .voucher.discount should have required property 'unit_off'",
    ],
    [{ type: 'UNIT', unit_off: 1 }, "Property .voucher.discount should have required property 'unit_type'"],
    [
      { type: 'UNIT', unit_off: 1, unit_type: 'prod_1', effect: 'ADD_MANY_ITEMS' },
      "Property .voucher.discount should have required property 'units'",
    ],
    [
      { type: 'UNIT', units: [units![0]!, { unit_type: 'prod_1', effect: 'ADD_NEW_ITEMS' }] },
      "Property .voucher.discount.units[1] should have required property 'unit_off'",
    ],
    [
      { type: 'PERCENT', percent_off: 10, effect: 'ADD_NEW_ITEMS' },
      'Property .voucher.discount.effect should be equal to one of the allowed values [ APPLY_TO_ORDER, APPLY_TO_ITEMS ]',
    ],
    [
      { type: 'UNIT', unit_off: 1, unit_type: 'prod_1', effect: 'APPLY_TO_ORDER' },
      'Property .voucher.discount.effect should be equal to one of the allowed values [ ADD_MISSING_ITEMS, ADD_NEW_ITEMS, ADD_SAME_ITEMS, REPLACE_ITEMS ]',
    ],
    [
      { type: 'UNIT', unit_off: 1, unit_off_formula: '1', unit_type: 'prod_5h1pp1ng' },
      'Property .voucher.discount.unit_off_formula is not allowed for shipping',
    ],
    [
      { type: 'UNIT', unit_off: 1, unit_type: 'pc_1', effect: 'ADD_NEW_ITEMS' },
      'Property .voucher.discount.unit_type can be a collection with ADD_SAME_ITEMS only',
    ],
    [
      { type: 'UNIT', units: [{ unit_off: 1, unit_type: 'pc_a11pr0dUc75', effect: 'ADD_NEW_ITEMS' }] },
      'Property .voucher.discount.units[0].unit_type can be a collection with ADD_SAME_ITEMS only',
    ],
  ])('is refused: %j', (body, details) => {
    expect(readDiscount(body)).toEqual({ refused: 'invalid_payload', details });
  });

  it.each<[string, DiscountBody]>([
    ['.amount_off_formula', { type: 'AMOUNT', amount_off: 1, amount_off_formula: 'ORDER_AMOUNT *' }],
    ['.percent_off_formula', { type: 'PERCENT', percent_off: 1, percent_off_formula: 'NO_SUCH_NAME' }],
    ['.fixed_amount_formula', { type: 'FIXED', fixed_amount: 1, fixed_amount_formula: 'POW(1)' }],
    ['.unit_off_formula', { type: 'UNIT', unit_type: 'prod_1', unit_off_formula: '(1' }],
    [
      '.units[0].unit_off_formula',
      {
        type: 'UNIT',
        units: [{ unit_type: 'prod_1', effect: 'ADD_NEW_ITEMS', unit_off_formula: '"a" * 2' }],
      },
    ],
  ])('is refused with a formula that does not parse: %s', (field, body) => {
    expect(readDiscount(body, '.discount')).toEqual({
      refused: 'invalid_payload',
      details: expect.stringMatching(
        new RegExp(
          `^Property \\.discount${field.replace(/[.[\]]/g, '\\$&')} should be a formula: .+ \\(at character \\d+\\)$`,
        ),
      ) as string,
    });
  });
});
