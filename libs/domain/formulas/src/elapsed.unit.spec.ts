import fc from 'fast-check';
import { DateTime } from 'luxon';
import { type Unit, unitsSince } from './elapsed';
import { Day } from './moment';

const at = (text: string): Date => new Date(text);

describe('whole units that have passed', () => {
  it.each<[Unit, string, string, number]>([
    ['days', '2026-03-30', '2026-03-31T21:59:59Z', 1],
    ['days', '2026-03-30', '2026-03-31T22:00:00Z', 2],
    ['days', '2026-03-31', '2026-03-31T21:59:59Z', 0],
    ['days', '2026-04-01', '2026-03-31T21:59:59Z', -1],
    ['days', '0001-01-01', '0001-01-03T10:00:00Z', 2],
    ['months', '2026-01-31', '2026-02-27T10:00:00Z', 0],
    ['months', '2026-01-31', '2026-02-28T10:00:00Z', 1],
    ['months', '2024-01-31', '2024-02-28T10:00:00Z', 0],
    ['months', '2024-01-31', '2024-02-29T10:00:00Z', 1],
    ['months', '2025-12-15', '2026-01-14T10:00:00Z', 0],
    ['months', '2025-12-15', '2026-01-15T10:00:00Z', 1],
    ['months', '2026-03-31', '2026-12-31T10:00:00Z', 9],
    ['months', '2026-05-15', '2026-03-31T10:00:00Z', -1],
    ['months', '2026-04-29', '2026-03-31T10:00:00Z', 0],
    ['months', '2026-04-30', '2026-03-31T10:00:00Z', -1],
    ['years', '2000-02-29', '2026-02-27T10:00:00Z', 25],
    ['years', '2000-02-29', '2026-02-28T10:00:00Z', 26],
    ['years', '2025-04-01', '2026-03-31T10:00:00Z', 0],
    ['years', '2025-03-31', '2026-03-31T10:00:00Z', 1],
    ['years', '2027-03-30', '2026-03-31T10:00:00Z', 0],
    ['years', '2027-03-31', '2026-03-31T10:00:00Z', -1],
  ])('%s since the day %s at %s: %d', (unit, day, now, units) => {
    expect(unitsSince(new Day(day), at(now), unit, 'Europe/Warsaw')).toBe(units);
  });

  it.each<[Unit, string, string, number]>([
    ['days', '2026-03-30T10:00:00Z', '2026-03-31T10:00:00Z', 1],
    ['days', '2026-03-30T10:00:00.001Z', '2026-03-31T10:00:00Z', 0],
    ['days', '2026-03-30T10:01:00Z', '2026-03-31T10:00:59Z', 0],
    ['days', '2026-03-31T10:00:00Z', '2026-03-30T10:00:00Z', -1],
    ['days', '2026-03-31T10:00:00Z', '2026-03-30T10:00:01Z', 0],
    ['months', '2026-01-15T10:00:00Z', '2026-02-15T10:00:00Z', 1],
    ['months', '2026-01-15T10:00:01Z', '2026-02-15T10:00:00Z', 0],
    ['years', '2025-03-31T09:59:59Z', '2026-03-31T09:59:59Z', 1],
    ['years', '2025-03-31T10:00:00Z', '2026-03-31T09:59:59Z', 0],
  ])('%s since the instant %s at %s: %d', (unit, instant, now, units) => {
    expect(unitsSince(at(instant), at(now), unit, 'Europe/Warsaw')).toBe(units);
  });

  it('count by the clock where clocks change', () => {
    // 28 to 29 March 2026 has 23 hours in Warsaw, 24 to 25 October 25.
    expect(unitsSince(at('2026-03-28T11:00:00Z'), at('2026-03-29T10:00:00Z'), 'days', 'Europe/Warsaw')).toBe(
      1,
    );
    expect(unitsSince(at('2026-03-28T11:00:00Z'), at('2026-03-29T09:59:59Z'), 'days', 'Europe/Warsaw')).toBe(
      0,
    );
    expect(unitsSince(at('2026-10-24T10:00:00Z'), at('2026-10-25T10:00:00Z'), 'days', 'Europe/Warsaw')).toBe(
      0,
    );
    expect(unitsSince(at('2026-10-24T10:00:00Z'), at('2026-10-25T11:00:00Z'), 'days', 'Europe/Warsaw')).toBe(
      1,
    );
  });

  it('are never minus nothing', () => {
    expect(Object.is(unitsSince(new Day('2026-04-15'), at('2026-03-31T10:00:00Z'), 'months', 'UTC'), 0)).toBe(
      true,
    );
  });

  it('are unknown where there is no such time zone', () => {
    expect(
      unitsSince(at('2026-03-28T11:00:00Z'), at('2026-03-29T10:00:00Z'), 'days', 'Mars/Olympus'),
    ).toBeNull();
  });

  it('agree with the calendar of luxon', () => {
    const instants = fc.date({ min: at('1950-01-01'), max: at('2080-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(
        instants,
        instants,
        fc.constantFrom<Unit>('days', 'months', 'years'),
        fc.constantFrom('UTC', 'Asia/Kolkata'),
        (one, other, unit, zone) => {
          const [from, to] = [one, other].map((instant) => DateTime.fromJSDate(instant, { zone }));
          const expected = Math.trunc(to!.diff(from!, unit).as(unit)) + 0;
          expect(unitsSince(one, other, unit, zone)).toBe(expected);
        },
      ),
      { numRuns: 500 },
    );
  });
});
