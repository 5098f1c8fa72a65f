import { amountOff, calculated, outcomes } from './calc.fixture';

const now = '2026-03-31T10:00:00Z';
const outcomeOf = (redeemable: object) => outcomes(calculated({ now, redeemables: [redeemable] }))[0];

describe('a voucher', () => {
  it.each([
    [{}, '0'],
    [{ active: false }, 'voucher_disabled'],
    [{ start_date: now }, '0'],
    [{ start_date: '2026-03-31T10:00:01Z' }, 'voucher_not_active'],
    [{ expiration_date: now }, '0'],
    [{ expiration_date: '2026-03-31T09:59:59Z' }, 'voucher_expired'],
    [{ validity_day_of_week: [2] }, '0'],
    [{ validity_day_of_week: [3] }, 'voucher_not_active_now'],
    [{ redemption: { quantity: 2, redeemed_quantity: 1 } }, '0'],
    [{ redemption: { quantity: 2, redeemed_quantity: 2 } }, 'quantity_exceeded'],
    [{ redemption: { quantity: null, redeemed_quantity: 9 } }, '0'],
  ])('%j: %s', (fields, outcome) => {
    expect(outcomeOf(amountOff('A', 100, fields))).toBe(outcome);
  });
});

describe('a promotion tier', () => {
  it.each([
    [{}, '0'],
    [{ active: false }, 'promotion_inactive'],
    [{ start_date: now }, '0'],
    [{ start_date: '2026-03-31T10:00:01Z' }, 'promotion_inactive'],
    [{ expiration_date: now }, '0'],
    [{ expiration_date: '2026-03-31T09:59:59Z' }, 'promotion_inactive'],
    [{ validity_day_of_week: [2] }, '0'],
    [{ validity_day_of_week: [3] }, 'promotion_not_active_now'],
  ])('%j: %s', (fields, outcome) => {
    expect(outcomeOf({ ...amountOff('promo_1', 100), object: 'promotion_tier', ...fields })).toBe(outcome);
  });

  it('is told by its id', () => {
    const tier = { ...amountOff('promo_1', 100), object: 'promotion_tier' };
    const refusalOf = (fields: object) =>
      calculated({ now, redeemables: [{ ...tier, ...fields }] }).redeemables[0];
    expect(refusalOf({ active: false })).toMatchObject({
      refusal: {
        status: 400,
        message: 'Inactive Promotion',
        details: 'Promotion Tier with id: promo_1 is disabled.',
      },
    });
    expect(refusalOf({ validity_day_of_week: [3] })).toMatchObject({
      refusal: { status: 400, message: 'promotion not active now', details: 'promo_1' },
    });
  });
});
