import { instantInputForm } from '@scrip/kernel/pure';
import { LRUCache } from 'lru-cache';
import { DateTime, IANAZone } from 'luxon';

/** A time as someone wrote it: an instant, or a day of the calendar, which begins at another instant in every
 *  zone. `utcMs` of a day is its midnight in UTC. */
export interface WrittenTime {
  readonly utcMs: number;
  readonly isDay: boolean;
}

const dayMs = 86_400_000;
const minuteMs = 60_000;
const lengthOfDay = 'YYYY-MM-DD'.length;
const offsetForm = /^([+-])([01]\d|2[0-3]):([0-5]\d)$/;
const lengthOfOffset = '+hh:mm'.length;

const offsetMsOf = (text: string): number | undefined => {
  const match = offsetForm.exec(text.slice(-lengthOfOffset));
  if (!match) return undefined;
  const [, sign, hours, minutes] = match;
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -minuteMs : minuteMs);
};

// Date.UTC takes the years 0 to 99 for those of the twentieth century; the calendar repeats every 400 years.
const daysOf400Years = 146_097;

const utcMsOf = (text: string): number => {
  const match = instantInputForm.exec(text);
  if (!match) return NaN;
  const [, date = '', hours = '0', minutes = '0', seconds = '0', fraction = ''] = match;
  const month = Number(date.slice(5, 7));
  const day = Number(date.slice(8));
  const shifted = new Date(Date.UTC(Number(date.slice(0, 4)) + 400, month - 1, day));
  const exists = shifted.getUTCMonth() === month - 1;
  if (!exists || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return NaN;
  const clockMs = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
  return shifted.getTime() - daysOf400Years * dayMs + clockMs + Number(fraction.padEnd(3, '0').slice(0, 3));
};

/** Reads `YYYY-MM-DD` or a date-time as the API accepts it, further with an offset from UTC (`+02:00`). Undefined
 *  for anything else, and for times that do not exist. */
export const writtenTimeOf = (value: unknown): WrittenTime | undefined => {
  if (typeof value !== 'string') return undefined;
  const offsetMs = offsetMsOf(value);
  const utcMs =
    offsetMs === undefined ? utcMsOf(value) : utcMsOf(`${value.slice(0, -lengthOfOffset)}Z`) - offsetMs;
  return Number.isNaN(utcMs) ? undefined : { utcMs, isDay: value.length === lengthOfDay };
};

/** What clocks in `timezone` show at an instant, as if it were UTC. NaN in zones that do not exist. */
const localMs = (instantMs: number, timezone: string): number =>
  instantMs + IANAZone.create(timezone).offset(instantMs) * minuteMs;

const firstInstantMs = (utcMs: number, timezone: string): number =>
  DateTime.fromMillis(utcMs, { zone: 'utc' })
    .setZone(timezone, { keepLocalTime: true })
    .startOf('day')
    .toMillis();

// A customer's birthday is asked for at every evaluation, and a zone's clock changes cost tens of microseconds.
const firstInstants = new LRUCache<string, number>({ max: 10_000 });

/** The instant, for a day its first one in `timezone`. NaN in zones that do not exist. */
export const instantMsOf = ({ utcMs, isDay }: WrittenTime, timezone: string): number => {
  if (!isDay) return utcMs;
  const name = `${utcMs} ${timezone}`;
  const known = firstInstants.get(name);
  if (known !== undefined) return known;
  const first = firstInstantMs(utcMs, timezone);
  firstInstants.set(name, first);
  return first;
};

/** The same for one time and many zones in turn, remembering the last. */
export const rememberedInstantMs = (time: WrittenTime): ((timezone: string) => number) => {
  let lastZone: string | undefined;
  let lastMs = NaN;
  return (timezone) => {
    if (timezone !== lastZone) {
      lastMs = instantMsOf(time, timezone);
      lastZone = timezone;
    }
    return lastMs;
  };
};

/** Days since 1970-01-01 on the calendar of `timezone`. */
export const dayNumberAt = (instantMs: number, timezone: string): number =>
  Math.floor(localMs(instantMs, timezone) / dayMs);

/** The same of a written time. A day is the same everywhere. */
export const dayNumberOf = ({ utcMs, isDay }: WrittenTime, timezone: string): number =>
  isDay ? utcMs / dayMs : dayNumberAt(utcMs, timezone);

/** 0 is Sunday, 6 Saturday. */
export const weekdayOf = (dayNumber: number): number => (((dayNumber + 4) % 7) + 7) % 7;

/** Milliseconds since midnight, as clocks in `timezone` show them. */
export const timeOfDayMsAt = (instantMs: number, timezone: string): number =>
  localMs(instantMs, timezone) - dayNumberAt(instantMs, timezone) * dayMs;
