import { type UsableCampaign, type UsableVoucher, quantityAllows, usableAt } from './usability';

const warsaw = 'Europe/Warsaw';
const open: UsableVoucher = {
  code: 'CODE',
  active: true,
  start_date: null,
  expiration_date: null,
  publish: { count: 0 },
  validity_timeframe: null,
  validity_day_of_week: null,
  validity_hours: null,
};
const campaign: UsableCampaign = {
  active: true,
  start_date: null,
  expiration_date: null,
  activity_duration_after_publishing: null,
};
const keyAt = (
  voucher: Partial<UsableVoucher>,
  instant: string,
  of: Partial<UsableCampaign> = {},
  zone = warsaw,
) => usableAt({ ...open, ...voucher }, { ...campaign, ...of }, new Date(instant), zone)?.refused ?? 'usable';

describe('dates and switches', () => {
  const start = '2026-03-01T00:00:00.000Z';
  const end = '2026-03-31T00:00:00.000Z';
  const early = '2026-02-28T23:59:59.999Z';
  const late = '2026-03-31T00:00:00.001Z';

  test.each([
    ['from the start on', { start_date: start }, start, {}, 'usable'],
    ['not a millisecond before', { start_date: start }, early, {}, 'voucher_not_active'],
    ['until the end', { expiration_date: end }, end, {}, 'usable'],
    ['not a millisecond longer', { expiration_date: end }, late, {}, 'voucher_expired'],
    ['not before the campaign starts', {}, early, { start_date: start }, 'voucher_not_active'],
    ['not after the campaign ends', {}, late, { expiration_date: end }, 'voucher_expired'],
    ['not while switched off', { active: false }, start, {}, 'voucher_disabled'],
    ['not while the campaign is switched off', {}, start, { active: false }, 'voucher_disabled'],
    [
      'dates are told before the switch',
      { active: false, start_date: start },
      early,
      {},
      'voucher_not_active',
    ],
    [
      'the switch is told before windows',
      { active: false, validity_day_of_week: [] },
      start,
      {},
      'voucher_disabled',
    ],
    [
      'a published voucher with its own duration outlives the campaign',
      { publish: { count: 1 } },
      late,
      { expiration_date: end, activity_duration_after_publishing: 'P10D' },
      'usable',
    ],
    [
      'an unpublished one does not',
      {},
      late,
      { expiration_date: end, activity_duration_after_publishing: 'P10D' },
      'voucher_expired',
    ],
  ])('%s', (_, voucher, instant, of, expected) => {
    expect(keyAt(voucher, instant, of)).toBe(expected);
  });

  test('a standalone voucher has no campaign to ask', () => {
    expect(usableAt(open, null, new Date(start), warsaw)).toBeNull();
  });

  test('the refusal names the code', () => {
    expect(usableAt({ ...open, active: false }, null, new Date(start), warsaw)).toEqual({
      refused: 'voucher_disabled',
      details: 'CODE',
    });
  });
});

describe('recurring windows', () => {
  const daily = {
    start_date: '2026-03-28T09:00:00.000Z',
    validity_timeframe: { interval: 'P1D', duration: 'PT1H' },
  };
  const monthly = {
    start_date: '2026-01-31T12:00:00.000Z',
    validity_timeframe: { interval: 'P1M', duration: 'P1D' },
  };
  const always = {
    start_date: '2026-01-31T12:00:00.000Z',
    validity_timeframe: { interval: 'P1M', duration: 'P1M' },
  };
  const everyHalfDay = {
    start_date: '2026-03-28T09:00:00.000Z',
    validity_timeframe: { interval: 'PT12H', duration: 'PT1H' },
  };
  const lasting = (start_date: string, interval: string, duration: string) => ({
    start_date,
    validity_timeframe: { interval, duration },
  });
  const [january31, october24] = ['2026-01-31T12:00:00Z', '2026-10-24T07:00:00Z'];
  const weekend = { validity_day_of_week: [0, 6] };
  const lunch = {
    validity_hours: { daily: [{ days_of_week: [1, 2], start_time: '11:00', expiration_time: '13:30' }] },
  };
  const evening = {
    validity_hours: { daily: [{ days_of_week: [6], start_time: '20:00', expiration_time: '' }] },
  };

  test.each([
    ['a daily window opens at its start', daily, '2026-03-28T09:00:00Z', 'usable'],
    ['and closes when its duration is over', daily, '2026-03-28T10:00:00Z', 'voucher_not_active_now'],
    ['it keeps its local hour when clocks go forward', daily, '2026-03-29T08:00:00Z', 'usable'],
    ['and not the hour of UTC', daily, '2026-03-29T09:00:00Z', 'voucher_not_active_now'],
    ['one millisecond before it is closed', daily, '2026-03-29T07:59:59.999Z', 'voucher_not_active_now'],
    ['a year later it is still at the same local hour', daily, '2027-07-01T08:30:00Z', 'usable'],
    ['a monthly window falls on the last day of a short month', monthly, '2026-02-28T12:00:00Z', 'usable'],
    ['and on the 31st again after it', monthly, '2026-03-31T11:00:00Z', 'usable'],
    ['but not on the 28th of a long month', monthly, '2026-03-28T12:00:00Z', 'voucher_not_active_now'],
    ['a duration as long as the interval never closes', always, '2026-03-30T12:00:00Z', 'usable'],
    [
      '30 days are shorter than a month of 31',
      lasting(january31, 'P1M', 'P30D'),
      '2026-03-30T12:00:00Z',
      'voucher_not_active_now',
    ],
    ['31 days never are', lasting(january31, 'P1M', 'P31D'), '2026-03-31T10:59:59Z', 'usable'],
    [
      '365 days are shorter than a leap year',
      lasting('2023-06-01T00:00:00Z', 'P1Y', 'P365D'),
      '2024-05-31T12:00:00Z',
      'voucher_not_active_now',
    ],
    [
      '12 months are a year',
      lasting('2024-02-29T00:00:00Z', 'P1Y', 'P12M'),
      '2028-02-28T12:00:00Z',
      'usable',
    ],
    ['a month is longer than 28 days', lasting(january31, 'P28D', 'P1M'), '2026-02-28T11:59:59Z', 'usable'],
    [
      'a day is always open on one of 25 hours',
      lasting(october24, 'P1D', 'P1D'),
      '2026-10-25T07:30:00Z',
      'usable',
    ],
    ['and so are 24 hours a day', lasting(october24, 'P1D', 'PT24H'), '2026-10-25T07:30:00Z', 'usable'],
    [
      'but not 23 hours',
      lasting(october24, 'P1D', 'PT23H'),
      '2026-10-25T07:30:00Z',
      'voucher_not_active_now',
    ],
    ['hours are counted exactly across clock changes', everyHalfDay, '2026-03-29T09:30:00Z', 'usable'],
    ['Saturday is listed', weekend, '2026-03-28T12:00:00Z', 'usable'],
    ['Monday is not', weekend, '2026-03-30T12:00:00Z', 'voucher_not_active_now'],
    ['the weekday is the local one', weekend, '2026-03-27T23:00:00Z', 'usable'],
    ['an hour earlier it is still Friday there', weekend, '2026-03-27T22:59:59Z', 'voucher_not_active_now'],
    [
      'timeframe and weekday must both hold',
      { ...daily, validity_day_of_week: [1] },
      '2026-03-29T08:30:00Z',
      'voucher_not_active_now',
    ],
    ['hours open at their start', lunch, '2026-03-30T09:00:00Z', 'usable'],
    ['and are open until their end', lunch, '2026-03-30T11:30:00Z', 'usable'],
    ['but not longer', lunch, '2026-03-30T11:30:00.001Z', 'voucher_not_active_now'],
    ['on other days they are closed', lunch, '2026-04-01T10:00:00Z', 'voucher_not_active_now'],
    ['no end means the end of the day', evening, '2026-03-28T22:59:59.999Z', 'usable'],
    ['and not of the next one', evening, '2026-03-28T23:00:00Z', 'voucher_not_active_now'],
  ])('%s', (_, voucher, instant, expected) => {
    expect(keyAt(voucher, instant)).toBe(expected);
  });

  test('a timeframe without a start is never open', () => {
    expect(keyAt({ validity_timeframe: { interval: 'P1D', duration: 'P1D' } }, '2026-03-28T09:00:00Z')).toBe(
      'voucher_not_active_now',
    );
  });
});

describe('quantity', () => {
  test.each([
    [null, 1_000_000, null],
    [10, 9, null],
    [10, 10, 'quantity_exceeded'],
    [10, 11, 'quantity_exceeded'],
    [0, 0, 'quantity_exceeded'],
  ])('limit %s with %s uses taken', (quantity, redeemed_quantity, refused) => {
    const answer = quantityAllows({ code: 'CODE', redemption: { quantity, redeemed_quantity } });
    expect(answer?.refused ?? null).toBe(refused);
    if (answer) expect(answer.redemption).toEqual({ quantity, redeemed_quantity });
  });
});
