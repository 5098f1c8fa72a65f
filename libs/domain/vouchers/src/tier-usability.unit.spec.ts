import { type TierLimits, tierUsableAt } from './tier-usability';

const warsaw = 'Europe/Warsaw';
const unlimited: TierLimits = {
  active: true,
  start_date: null,
  expiration_date: null,
  validity_timeframe: null,
  validity_day_of_week: null,
  validity_hours: null,
};
const refusalAt = (instant: string, tier: Partial<TierLimits>, campaign: Partial<TierLimits> = {}) =>
  tierUsableAt(
    { ...unlimited, id: 'promo_1', ...tier },
    { ...unlimited, ...campaign },
    new Date(instant),
    warsaw,
  );
const keyAt = (...of: Parameters<typeof refusalAt>) => refusalAt(...of)?.refused ?? 'usable';

describe('a promotion tier is usable', () => {
  const start = '2026-03-01T00:00:00.000Z';
  const end = '2026-03-31T00:00:00.000Z';
  const early = '2026-02-28T23:59:59.999Z';
  const late = '2026-03-31T00:00:00.001Z';

  // 31 March 2026 is a Tuesday.
  const tuesday = '2026-03-31T10:00:00.000Z';

  test.each<[string, string, Partial<TierLimits>, Partial<TierLimits>, string]>([
    ['without limits', start, {}, {}, 'usable'],
    ['from its start on', start, { start_date: start }, {}, 'usable'],
    ['not a millisecond before', early, { start_date: start }, {}, 'promotion_inactive'],
    ['until its end', end, { expiration_date: end }, {}, 'usable'],
    ['not a millisecond longer', late, { expiration_date: end }, {}, 'promotion_inactive'],
    ['not before its campaign starts', early, {}, { start_date: start }, 'promotion_inactive'],
    ['not after its campaign ends', late, {}, { expiration_date: end }, 'promotion_inactive'],
    [
      'by its own end where it has one',
      late,
      { expiration_date: '2027-01-01' },
      { expiration_date: end },
      'usable',
    ],
    [
      'by its own start where it has one',
      early,
      { start_date: '2026-01-01' },
      { start_date: start },
      'usable',
    ],
    ['not while switched off', start, { active: false }, {}, 'promotion_inactive'],
    ['not while its campaign is', start, {}, { active: false }, 'promotion_inactive'],
    ['on its weekdays', tuesday, { validity_day_of_week: [2] }, {}, 'usable'],
    ['not on others', tuesday, { validity_day_of_week: [3] }, {}, 'promotion_not_active_now'],
    [
      'not on those that its campaign lacks',
      tuesday,
      {},
      { validity_day_of_week: [3] },
      'promotion_not_active_now',
    ],
    [
      'by its own windows where it has some',
      tuesday,
      { validity_hours: { daily: [{ days_of_week: [2], start_time: '11:00' }] } },
      { validity_day_of_week: [3] },
      'usable',
    ],
    [
      'in a timeframe that counts from the start of its campaign',
      tuesday,
      { validity_timeframe: { interval: 'P1D', duration: 'PT1H' } },
      { start_date: '2026-03-02T09:30:00.000Z' },
      'promotion_not_active_now',
    ],
    [
      'which keeps its local hour across clock changes',
      tuesday,
      { validity_timeframe: { interval: 'P1D', duration: 'PT1H' } },
      { start_date: '2026-03-02T10:30:00.000Z' },
      'usable',
    ],
    [
      'switches are told before windows',
      tuesday,
      { active: false, validity_day_of_week: [3] },
      {},
      'promotion_inactive',
    ],
  ])('%s', (_, instant, tier, campaign, key) => {
    expect(keyAt(instant, tier, campaign)).toBe(key);
  });

  it('or is told by its id why not', () => {
    expect(refusalAt(start, { active: false })?.details).toBe('Promotion Tier with id: promo_1 is disabled.');
    expect(refusalAt(tuesday, { validity_day_of_week: [3] })?.details).toBe('promo_1');
  });
});
