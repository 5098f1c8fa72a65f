import { windowsMustBeSound, type WindowsInput } from './validity-policy';

const hours = (...daily: [days: number[], from: string, until?: string][]): WindowsInput => ({
  validity_hours: {
    daily: daily.map(([days_of_week, start_time, expiration_time]) => ({
      days_of_week,
      start_time,
      expiration_time,
    })),
  },
});
const timeframe = (interval: string, duration: string): WindowsInput => ({
  start_date: '2026-03-01T00:00:00.000Z',
  validity_timeframe: { interval, duration },
});

test.each<[string, WindowsInput, 'sound' | 'refused']>([
  ['nothing', {}, 'sound'],
  [
    'a period that ends as it begins',
    { start_date: '2026-03-01T00:00:00.000Z', expiration_date: '2026-03-01T00:00:00.000Z' },
    'sound',
  ],
  [
    'a period that ends before it begins',
    { start_date: '2026-03-01T00:00:00.001Z', expiration_date: '2026-03-01T00:00:00.000Z' },
    'refused',
  ],
  ['a period without a start', { expiration_date: '2026-03-01T00:00:00.000Z' }, 'sound'],
  ['an hour each day', timeframe('P1D', 'PT1H'), 'sound'],
  ['an hour each day, and weekdays', { ...timeframe('P1D', 'PT1H'), validity_day_of_week: [1, 2] }, 'sound'],
  ['a timeframe without a start', { validity_timeframe: { interval: 'P1D', duration: 'PT1H' } }, 'refused'],
  ['an interval that is none', timeframe('daily', 'PT1H'), 'refused'],
  ['an interval of nothing', timeframe('P0D', 'PT1H'), 'refused'],
  ['a duration of nothing', timeframe('P1D', 'PT0S'), 'refused'],
  ['an interval with a negative part', timeframe('P1M-30DT1S', 'PT0.5S'), 'refused'],
  ['an interval of more than a hundred years', timeframe('P101Y', 'PT1H'), 'refused'],
  ['an activity of more than a hundred years', { activity_duration_after_publishing: 'P300000Y' }, 'refused'],
  ['hours', hours([[1, 2], '10:00', '12:00']), 'sound'],
  ['hours beside weekdays', { ...hours([[1], '10:00']), validity_day_of_week: [1] }, 'refused'],
  ['hours beside a timeframe', { ...hours([[1], '10:00']), ...timeframe('P1D', 'PT1H') }, 'refused'],
  ['hours that touch', hours([[1], '10:00', '12:00'], [[1], '12:00', '14:00']), 'sound'],
  ['hours that overlap', hours([[1], '10:00', '12:00'], [[1], '11:59', '14:00']), 'refused'],
  ['hours that end when they begin, in another form', hours([[1], '10:00', '10:00:00']), 'refused'],
  [
    'hours that follow each other in another form',
    hours([[1], '10:00', '12:00:00'], [[1], '12:00', '14:00']),
    'sound',
  ],
  ['hours that overlap on different days', hours([[1], '10:00', '12:00'], [[2], '11:59', '14:00']), 'sound'],
  ['hours after an open end', hours([[1], '10:00'], [[1], '23:00', '23:30']), 'refused'],
  ['hours that end as they begin', hours([[1], '10:00', '10:00']), 'refused'],
  ['hours that end before they begin', hours([[1], '10:00', '09:00']), 'refused'],
  ['an hour that is none', hours([[1], '24:00', '25:00']), 'refused'],
  ['hours on no day', hours([[], '10:00', '12:00']), 'refused'],
  ['an activity of ten days', { activity_duration_after_publishing: 'P10D' }, 'sound'],
  ['an activity that is no duration', { activity_duration_after_publishing: '10 days' }, 'refused'],
])('%s: %s', (_, input, expected) => {
  expect(windowsMustBeSound(input)?.refused ?? 'sound').toBe(
    expected === 'sound' ? 'sound' : 'invalid_payload',
  );
});
