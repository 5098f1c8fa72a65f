import { IANAZone } from 'luxon';
import {
  addDays,
  addMonths,
  calendarDayOf,
  isCalendarDay,
  isTimeZone,
  parseInstant,
  startOfDay,
} from './calendar';

describe('parseInstant', () => {
  it.each([
    ['2026-03-31', '2026-03-31T00:00:00.000Z'],
    ['2026-03-31Z', '2026-03-31T00:00:00.000Z'],
    ['2026-03-31T07', '2026-03-31T07:00:00.000Z'],
    ['2026-03-31T07Z', '2026-03-31T07:00:00.000Z'],
    ['2026-03-31T07:08', '2026-03-31T07:08:00.000Z'],
    ['2026-03-31T07:08Z', '2026-03-31T07:08:00.000Z'],
    ['2026-03-31T07:08:09', '2026-03-31T07:08:09.000Z'],
    ['2026-03-31T07:08:09Z', '2026-03-31T07:08:09.000Z'],
    ['2026-03-31T07:08:09.1', '2026-03-31T07:08:09.100Z'],
    ['2026-03-31T07:08:09.123Z', '2026-03-31T07:08:09.123Z'],
    ['2026-03-31T07:08:09.123999Z', '2026-03-31T07:08:09.123Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2026-03-31T07:08:09+02:00', '2026-03-31T05:08:09.000Z'],
    ['2026-03-31T23:30:00.500-05:30', '2026-04-01T05:00:00.500Z'],
    ['2026-03-31T07+02:00', '2026-03-31T05:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
  ])('reads %s', (text, instant) => expect(parseInstant(text)?.toISOString()).toBe(instant));

  it.each([
    '',
    'today',
    '2026-3-31',
    '2026-02-29',
    '2026-13-01',
    '2026-03-31T24',
    '2026-03-31T07:60',
    '2026-03-31T07:08:60',
    '2026-03-31T07:08:09.',
    '2026-03-31 07:08',
    '2026-03-31+02:00',
    '2026-03-31T07:08:09+0200',
    '2026-03-31T07:08:09+24:00',
    '2026-03-31T07:08:09+02:60',
    '2026-03-31T07:08:09Z+02:00',
    // Years that ISO 8601 writes with a sign, and that PostgreSQL does not know.
    '9999-12-31T23:59:59-00:01',
    '0001-01-01T00:00:00+00:01',
    '0000-12-31',
    ' 2026-03-31',
    '2026-03-31\n',
    20260331,
    null,
    undefined,
  ])('does not read %p', (text) => expect(parseInstant(text)).toBeNull());
});

describe('calendar days', () => {
  it('depend on the time zone', () => {
    const instant = new Date('2026-03-31T23:30:00Z');
    expect(calendarDayOf(instant, 'UTC')).toBe('2026-03-31');
    expect(calendarDayOf(instant, 'Europe/Warsaw')).toBe('2026-04-01');
    expect(calendarDayOf(instant, 'America/New_York')).toBe('2026-03-31');
  });

  it('move by days and by months', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-28');
    expect(addMonths('2026-01-31', -2)).toBe('2025-11-30');
  });

  it('are told from other texts', () => {
    expect(isCalendarDay('2026-03-31')).toBe(true);
    expect(isCalendarDay('2026-02-30')).toBe(false);
    expect(isCalendarDay('2026-03-31T00')).toBe(false);
    expect(() => addDays('2026-02-30', 1)).toThrow(RangeError);
  });

  it('need a known time zone', () => {
    expect(isTimeZone('Europe/Warsaw')).toBe(true);
    expect(isTimeZone('Europe/Krakow')).toBe(false);
    expect(() => calendarDayOf(new Date(0), 'Europe/Krakow')).toThrow(RangeError);
  });
});

test('asks about a zone once, and again about one that is unknown', () => {
  const asked = jest.spyOn(IANAZone, 'isValidZone');
  for (let time = 0; time < 3; time += 1) expect(isTimeZone('Africa/Nairobi')).toBe(true);
  expect(asked).toHaveBeenCalledTimes(1);
  for (let time = 0; time < 2; time += 1) expect(isTimeZone('Africa/Nowhere')).toBe(false);
  expect(asked).toHaveBeenCalledTimes(3);
  asked.mockRestore();
});

describe('startOfDay', () => {
  it.each([
    ['2026-03-31', 'UTC', '2026-03-31T00:00:00.000Z'],
    ['2026-03-31', 'Europe/Warsaw', '2026-03-30T22:00:00.000Z'],
    ['2026-03-29', 'Asia/Beirut', '2026-03-28T22:00:00.000Z'],
    ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z'],
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  ])('of %s in %s', (day, zone, instant) => {
    const start = startOfDay(day, zone);
    expect(start.toISOString()).toBe(instant);
    expect(calendarDayOf(start, zone) >= day).toBe(true);
    expect(calendarDayOf(new Date(start.getTime() - 1), zone) < day).toBe(true);
  });
});
