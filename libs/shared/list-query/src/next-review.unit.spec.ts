import { nextReview } from './next-review';

test.each([
  ['2026-03-31T10:10:00.000Z', 'UTC', '2026-03-31T11:10:00.000Z'],
  ['2026-03-31T23:10:00.000Z', 'UTC', '2026-04-01T00:00:00.000Z'],
  ['2026-03-31T21:59:59.999Z', 'Europe/Warsaw', '2026-03-31T22:00:00.000Z'],
  ['2026-03-31T22:00:00.000Z', 'Europe/Warsaw', '2026-03-31T23:00:00.000Z'],
  ['2026-03-31T18:00:00.000Z', 'Asia/Kathmandu', '2026-03-31T18:15:00.000Z'],
])('at %s in %s filters by days are tested again at %s', (now, zone, next) => {
  expect(nextReview(new Date(now), zone).toISOString()).toBe(next);
});
