import { DateTime, Duration } from 'luxon';
import { type OperandForm, type Operator, type Test, anyElement, anyOf, defineOperator } from './operator';
import { stringOf } from './scalar';
import {
  dayNumberAt,
  instantMsOf,
  rememberedInstantMs,
  timeOfDayMsAt,
  weekdayOf,
  writtenTimeOf,
} from './written-time';

/** Whether an instant lies in it. */
type Window = (atMs: number, timezone: string) => boolean;

const partsOf = (operand: unknown): string[] => (stringOf(operand) ?? '').split(';');

// Times further apart than a calendar reaches could not be added.
const longestDurationMs = 10_000 * 366 * 86_400_000;

/** An ISO duration from a second on; a negative part could let it run backwards. */
const durationOf = (text: string): Duration | undefined => {
  if (text.includes('-')) return undefined;
  const duration = Duration.fromISO(text);
  const lengthMs = duration.toMillis();
  return lengthMs >= 1_000 && lengthMs <= longestDurationMs ? duration : undefined;
};

/** The latest `start` + k · `interval` that is not after `time`, which is not before `start`. Days and months are
 *  added on the local calendar, so that a daily window keeps its hour across clock changes. */
const latestOccurrence = (start: DateTime, interval: Duration, time: DateTime): DateTime => {
  const intervalMs = interval.toMillis();
  const occurrence = (count: number): DateTime => start.plus(interval.mapUnits((amount) => amount * count));
  // Months differ in length, so each guess only comes closer; going on by single intervals could take thousands.
  let count = 0;
  let latest = start;
  let missed = Math.trunc(time.diff(latest).toMillis() / intervalMs);
  while (Math.abs(missed) > 0) {
    count += missed;
    latest = occurrence(count);
    missed = Math.trunc(time.diff(latest).toMillis() / intervalMs);
  }
  // The last guess may lie two short months ahead, further than one step back reaches.
  for (; latest > time; latest = occurrence(count)) count -= 1;
  const next = occurrence(count + 1);
  return next <= time ? next : latest;
};

const recurringWindow = (operand: unknown): Window | undefined => {
  const [from = '', every = '', lasting = '', ...rest] = partsOf(operand);
  const start = writtenTimeOf(from);
  const interval = durationOf(every);
  const duration = durationOf(lasting);
  if (!start || !interval || !duration || rest.length > 0) return undefined;
  const startMs = rememberedInstantMs(start);
  return (atMs, zone) => {
    if (!(atMs >= startMs(zone))) return false;
    const at = DateTime.fromMillis(atMs, { zone });
    return at < latestOccurrence(DateTime.fromMillis(startMs(zone), { zone }), interval, at).plus(duration);
  };
};

const absoluteWindow = (operand: unknown): Window | undefined => {
  const [from, to, ...rest] = partsOf(operand);
  const first = writtenTimeOf(from);
  const last = writtenTimeOf(to);
  if (!first || !last || rest.length > 0) return undefined;
  const firstMs = rememberedInstantMs(first);
  const lastMs = rememberedInstantMs(last);
  return (atMs, timezone) => firstMs(timezone) <= atMs && atMs <= lastMs(timezone);
};

const timeOfDayForm = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;
const weekdaysForm = /^[0-6](?:,[0-6])*$/;

const timeOfDayMs = (text: string): number => {
  const [, hours, minutes, seconds = '0'] = timeOfDayForm.exec(text) ?? [];
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
};

const dailyWindow = (operand: unknown): Window | undefined => {
  const [from = '', until = '', days = '', ...rest] = partsOf(operand);
  const firstMs = timeOfDayMs(from);
  const lastMs = timeOfDayMs(until);
  if (!(firstMs <= lastMs) || !weekdaysForm.test(days) || rest.length > 0) return undefined;
  const weekdays = days.split(',').map(Number);
  return (atMs, timezone) => {
    const clockMs = timeOfDayMsAt(atMs, timezone);
    return (
      firstMs <= clockMs && clockMs <= lastMs && weekdays.includes(weekdayOf(dayNumberAt(atMs, timezone)))
    );
  };
};

/** Steps on the calendar take far longer than other comparisons. */
const windowsMax = 50;

const windows = (name: string, form: OperandForm<Window>): Operator => ({
  ...defineOperator(name, { metadata: form }, (open) =>
    anyElement(
      anyOf(
        open.map((isOpen): Test => (value, { timezone }) => {
          const time = writtenTimeOf(value);
          return time !== undefined && isOpen(instantMsOf(time, timezone), timezone);
        }),
      ),
    ),
  ),
  operandsMax: windowsMax,
});

export const timeframes: readonly Operator[] = [
  windows('$timeframe', { takes: "texts of the form 'start;interval;duration'", read: recurringWindow }),
  windows('$timeframe_absolute', { takes: "texts of the form 'from;to'", read: absoluteWindow }),
  windows('$timeframe_daily_hours', { takes: "texts of the form '18:00;20:00;1,2'", read: dailyWindow }),
];
