import { DateTime, IANAZone } from 'luxon';

/** A calendar day without a time zone: `YYYY-MM-DD`. Days compare as texts. */
export type CalendarDay = string;

/** Matches the forms of a time that the API accepts. `parseInstant` also refuses times that do not exist. */
export const instantInputForm =
  /^(\d{4}-\d{2}-\d{2})(?:Z|T(\d{2})(?::(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/;

/** Reads a time as the API accepts it: `YYYY-MM-DD`, then optionally `THH`, `:mm`, `:ss`, a fraction (cut to
 *  milliseconds), and `Z` or an offset (`+02:00`) behind a time of day. UTC without an offset. Null for anything else,
 *  for times that do not exist (30 February, hour 24), and outside of the years 1 to 9999. Source: reference 07 §1.1. */
export const parseInstant = (text: unknown): Date | null => {
  const match = typeof text === 'string' ? instantInputForm.exec(text) : null;
  if (!match) return null;
  const [, day, hour = '00', minute = '00', second = '00', fraction = '', offset = 'Z'] = match;
  const instant = DateTime.fromISO(
    `${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}${offset}`,
    { zone: 'utc' },
  );
  return instant.isValid && hour !== '24' && instant.year >= 1 && instant.year <= 9_999
    ? instant.toJSDate()
    : null;
};

/** What is wrong with a text that `parseInstant` does not read. */
export const instantProblem = (text: unknown): string => {
  const problem = 'cannot be recognized as a ISO-8601 compliant date';
  return typeof text === 'string' && instantInputForm.test(text)
    ? `${problem}: there is no such day or time`
    : `${problem}: write 2026-03-31 or 2026-03-31T10:00:00Z, other offsets as +02:00`;
};

// To ask makes a whole formatter each time. Names of zones come in any case, so that their number has a bound.
const knownZones = new Set<string>();
const knownZonesMax = 2_000;

/** Returns whether `zone` is a known IANA time zone. */
export const isTimeZone = (zone: string): boolean => {
  if (knownZones.has(zone)) return true;
  if (!IANAZone.isValidZone(zone)) return false;
  if (knownZones.size >= knownZonesMax) knownZones.clear();
  knownZones.add(zone);
  return true;
};

const knownZone = (zone: string): string => {
  if (!isTimeZone(zone)) throw new RangeError(`unknown time zone: ${zone}`);
  return zone;
};

const startOf = (day: CalendarDay): DateTime<true> => {
  const start = DateTime.fromFormat(day, 'yyyy-MM-dd', { zone: 'utc' });
  if (!start.isValid) throw new RangeError(`not a calendar day: ${day}`);
  return start;
};

/** Returns whether `text` is `YYYY-MM-DD` and the day exists. */
export const isCalendarDay = (text: unknown): text is CalendarDay =>
  typeof text === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(text) && parseInstant(text) !== null;

/** Returns the local day in `zone` at `instant`. */
export const calendarDayOf = (instant: Date, zone: string): CalendarDay =>
  DateTime.fromJSDate(instant, { zone: knownZone(zone) }).toFormat('yyyy-MM-dd');

/** Returns the first instant of `day` in `zone`; where its clocks leave the day out, that of the next one. */
export const startOfDay = (day: CalendarDay, zone: string): Date => {
  let start = DateTime.fromFormat(day, 'yyyy-MM-dd', { zone: knownZone(zone) });
  if (!start.isValid) throw new RangeError(`not a calendar day: ${day}`);
  // Where clocks are set back behind midnight, it comes twice.
  for (let before = start; before.toFormat('yyyy-MM-dd') === day; before = before.minus({ minutes: 30 }))
    start = before;
  return start.toJSDate();
};

/** Returns `day` moved by `count` days, backwards when negative. */
export const addDays = (day: CalendarDay, count: number): CalendarDay =>
  startOf(day).plus({ days: count }).toFormat('yyyy-MM-dd');

/** Returns `day` moved by `count` months; the last day of the month where the month is too short (31 January + 1 → 28
 *  February). */
export const addMonths = (day: CalendarDay, count: number): CalendarDay =>
  startOf(day).plus({ months: count }).toFormat('yyyy-MM-dd');
