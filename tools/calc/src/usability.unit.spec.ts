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

describe('dates without Z, minutes or a time of day', () => {
  const tier = { ...amountOff('promo_1', 100), object: 'promotion_tier' };
  const outcomesWith = (fields: object) => [
    outcomeOf(amountOff('A', 100, fields)),
    outcomeOf({ ...tier, ...fields }),
  ];

  it.each([
    ['2026-03-31T10:00', '2026-03-31T10:00:01'],
    ['2026-03-31T10', '2026-03-31T11'],
    ['2026-03-31', '2026-04-01'],
  ])('begin in UTC: %s, not yet %s', (reached, ahead) => {
    expect(outcomesWith({ start_date: reached })).toEqual(['0', '0']);
    expect(outcomesWith({ start_date: ahead })).toEqual(['voucher_not_active', 'promotion_inactive']);
  });

  it.each([
    ['2026-03-31T10:00', '2026-03-31T09:59:59'],
    ['2026-03-31T10', '2026-03-31T09'],
    ['2026-04-01', '2026-03-31'],
  ])('end in UTC: %s, already %s', (ahead, passed) => {
    expect(outcomesWith({ expiration_date: ahead })).toEqual(['0', '0']);
    expect(outcomesWith({ expiration_date: passed })).toEqual(['voucher_expired', 'promotion_inactive']);
  });

  it.each([
    ['PT10H', 'voucher_not_active_now'],
    ['PT11H', '0'],
  ])('begin recurring windows of %s in UTC, not at local midnight: %s', (duration, outcome) => {
    const weekly = { start_date: '2026-03-31', validity_timeframe: { interval: 'P7D', duration } };
    const redeemables = [amountOff('A', 100, weekly)];
    expect(outcomes(calculated({ now, timezone: 'Europe/Warsaw', redeemables }))).toEqual([outcome]);
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
        refused: 'promotion_inactive',
        details: 'Promotion Tier with id: promo_1 is disabled.',
      },
    });
    expect(refusalOf({ validity_day_of_week: [3] })).toMatchObject({
      refusal: { refused: 'promotion_not_active_now', details: 'promo_1' },
    });
  });
});
