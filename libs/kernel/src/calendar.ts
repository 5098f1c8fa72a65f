import { DateTime, IANAZone } from 'luxon';

/** A day of the calendar without a place: `YYYY-MM-DD`. Days compare as texts. */
export type CalendarDay = string;

/** How the API accepts times: see `parseInstant`, which further refuses times that do not exist. */
export const instantInputForm =
  /^(\d{4}-\d{2}-\d{2})(?:T(\d{2})(?::(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?)?Z?$/;

/** Reads a time as the API accepts it: `YYYY-MM-DD`, then optionally `THH`, `:mm`, `:ss`, a fraction (cut to
 *  milliseconds) and `Z`. Always UTC; other offsets are not accepted. Null for anything else, and for times that do
 *  not exist (30 February, hour 24). Source: spec 07 §1.1. */
export const parseInstant = (text: unknown): Date | null => {
  const match = typeof text === 'string' ? instantInputForm.exec(text) : null;
  if (!match) return null;
  const [, day, hour = '00', minute = '00', second = '00', fraction = ''] = match;
  const instant = DateTime.fromISO(
    `${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`,
    {
      zone: 'utc',
    },
  );
  return instant.isValid && hour !== '24' ? instant.toJSDate() : null;
};

/** Whether `zone` is an IANA time zone known here. */
export const isTimeZone = (zone: string): boolean => IANAZone.isValidZone(zone);

const knownZone = (zone: string): string => {
  if (!isTimeZone(zone)) throw new RangeError(`unknown time zone: ${zone}`);
  return zone;
};

const startOf = (day: CalendarDay, zone = 'utc'): DateTime<true> => {
  const start = DateTime.fromFormat(day, 'yyyy-MM-dd', { zone: zone === 'utc' ? zone : knownZone(zone) });
  if (!start.isValid) throw new RangeError(`not a calendar day: ${day}`);
  return start.startOf('day');
};

/** Whether `text` is `YYYY-MM-DD` and such a day exists. */
export const isCalendarDay = (text: unknown): text is CalendarDay =>
  typeof text === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(text) && parseInstant(text) !== null;

/** The day that clocks in `zone` show at `instant`. */
export const calendarDayOf = (instant: Date, zone: string): CalendarDay =>
  DateTime.fromJSDate(instant, { zone: knownZone(zone) }).toFormat('yyyy-MM-dd');

/** The first instant of `day` in `zone`; not midnight where clocks skip it. */
export const startOfDay = (day: CalendarDay, zone: string): Date => startOf(day, zone).toJSDate();

/** The last millisecond of `day` in `zone`. */
export const endOfDay = (day: CalendarDay, zone: string): Date => startOf(day, zone).endOf('day').toJSDate();

/** `day` moved by `count` days, backwards when negative. */
export const addDays = (day: CalendarDay, count: number): CalendarDay =>
  startOf(day).plus({ days: count }).toFormat('yyyy-MM-dd');

/** `day` moved by `count` months; the last day of the month where the month is too short (31 January + 1 → 28
 *  February). */
export const addMonths = (day: CalendarDay, count: number): CalendarDay =>
  startOf(day).plus({ months: count }).toFormat('yyyy-MM-dd');

/** Days from `from` to `to`, negative when `to` comes first. */
export const daysBetween = (from: CalendarDay, to: CalendarDay): number =>
  startOf(to).diff(startOf(from), 'days').days;

/** Day of the week: 0 is Sunday, 6 Saturday. */
export const dayOfWeek = (day: CalendarDay): number => startOf(day).weekday % 7;
