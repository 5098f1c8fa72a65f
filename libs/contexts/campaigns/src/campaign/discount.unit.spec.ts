import type { DiscountBody } from './campaign.dto';
import { readDiscount } from './discount';

describe('the discount of a campaign', () => {
  it.each<DiscountBody>([
    { type: 'AMOUNT', amount_off: 500, effect: 'APPLY_TO_ITEMS_BY_QUANTITY' },
    { type: 'PERCENT', percent_off: 12.5, amount_limit: 900 },
    { type: 'FIXED', fixed_amount: 1000, effect: 'APPLY_TO_ITEMS' },
  ])('is kept where it can be redeemed: $type', (body) => {
    expect(readDiscount(body)).toEqual(body);
  });

  it('keeps the fields of its kind only', () => {
    expect(readDiscount({ type: 'AMOUNT', amount_off: 500, percent_off: 10, unit_off: 1 })).toEqual({
      type: 'AMOUNT',
      amount_off: 500,
    });
  });

  it.each<[string, DiscountBody]>([
    ['type: UNIT', { type: 'UNIT', unit_off: 1, unit_type: 'prod_1', effect: 'ADD_NEW_ITEMS' }],
    ['type: UNIT', { type: 'UNIT', units: [{ unit_off: 1, unit_type: 'prod_1', effect: 'ADD_NEW_ITEMS' }] }],
    ['amount_off_formula', { type: 'AMOUNT', amount_off: 1, amount_off_formula: 'ORDER_AMOUNT' }],
    ['unit_off_formula', { type: 'AMOUNT', amount_off: 1, unit_off_formula: '1' }],
  ])('is refused where no redemption computes it, and the field is named: %s', (field, body) => {
    expect(readDiscount(body)).toMatchObject({
      refused: 'invalid_campaign',
      details: expect.stringContaining(`Property .voucher.discount.${field}`) as string,
    });
  });

  it('is refused without the field of its kind, and with an effect of another kind', () => {
    expect(readDiscount({ type: 'PERCENT' })).toEqual({
      refused: 'invalid_payload',
      details: "Property .voucher.discount should have required property 'percent_off'",
    });
    expect(
      readDiscount({ type: 'PERCENT', percent_off: 10, effect: 'ADD_NEW_ITEMS' } as DiscountBody),
    ).toMatchObject({
      refused: 'invalid_payload',
      details: expect.stringContaining('[ APPLY_TO_ORDER, APPLY_TO_ITEMS ]') as string,
    });
  });
});
