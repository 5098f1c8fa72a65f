import { DateTime, Duration } from 'luxon';

/** How often a window opens, and for how long: ISO 8601 durations. Source: reference 04 §7. */
export interface ValidityTimeframe {
  interval: string;
  duration: string;
}

/** Hours of weekdays, as `HH:mm`. Source: reference 04 §7. */
export interface ValidityHours {
  daily: DailyHours[];
}

/** Hours of some weekdays; 0 = Sunday … 6 = Saturday. */
export interface DailyHours {
  days_of_week: number[];
  start_time: string;
  expiration_time?: string | undefined;
}

/** Recurring windows of a voucher or campaign, in the project's time zone. Source: reference 04 §7. */
export interface ValidityWindows {
  validity_timeframe: ValidityTimeframe | null;
  /** 0 = Sunday … 6 = Saturday. */
  validity_day_of_week: number[] | null;
  validity_hours: ValidityHours | null;
}

/** The latest `start` + k · `interval` that is not after `now`; null before the start. */
const latestOccurrence = (start: DateTime, interval: Duration, now: DateTime): DateTime | null => {
  if (now < start) return null;
  const occurrence = (count: number): DateTime => start.plus(interval.mapUnits((amount) => amount * count));
  let count = Math.floor(now.diff(start).toMillis() / interval.toMillis());
  while (occurrence(count) > now) count -= 1;
  while (occurrence(count + 1) <= now) count += 1;
  return occurrence(count);
};

const monthsOf = ({ years, months }: Duration): number => years * 12 + months;

/** The part whose length no calendar changes; days count 24 hours, on both sides of a comparison. */
const restMs = (duration: Duration): number => duration.set({ years: 0, months: 0 }).toMillis();

/** Whether `duration` reaches the next occurrence from each one, whatever the length of months and years is there. */
const neverCloses = (duration: Duration, interval: Duration): boolean =>
  monthsOf(duration) >= monthsOf(interval) && restMs(duration) >= restMs(interval);

const timeframeIsOpen = (
  { validity_timeframe: timeframe }: ValidityWindows,
  startDate: string | null,
  now: DateTime,
): boolean => {
  if (!timeframe) return true;
  const interval = Duration.fromISO(timeframe.interval);
  const duration = Duration.fromISO(timeframe.duration);
  if (!startDate || !interval.isValid || !duration.isValid || interval.toMillis() <= 0) return false;
  const start = latestOccurrence(DateTime.fromISO(startDate, { zone: now.zone }), interval, now);
  if (!start) return false;
  return neverCloses(duration, interval) || now < start.plus(duration);
};

const weekdayOf = (now: DateTime): number => now.weekday % 7;

const timeOfDayMs = (text: string): number => {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1_000;
};

const hoursAreOpen = ({ validity_hours: hours }: ValidityWindows, now: DateTime): boolean => {
  if (!hours) return true;
  const nowMs = timeOfDayMs(now.toFormat('HH:mm:ss')) + now.millisecond;
  return hours.daily.some(
    ({ days_of_week: days, start_time: from, expiration_time: until }) =>
      days.includes(weekdayOf(now)) && timeOfDayMs(from) <= nowMs && (!until || nowMs <= timeOfDayMs(until)),
  );
};

/** Whether all recurring windows are open at `instant` in `timezone` (IANA). `startDate` is where timeframes count
 *  from. Days, weeks and months of a timeframe are added on the local calendar, so that a daily window keeps its
 *  hour across clock changes. Source: reference 04 §7. */
export const windowsAreOpen = (
  windows: ValidityWindows,
  startDate: string | null,
  instant: Date,
  timezone: string,
): boolean => {
  const now = DateTime.fromJSDate(instant, { zone: timezone });
  return (
    timeframeIsOpen(windows, startDate, now) &&
    (windows.validity_day_of_week?.includes(weekdayOf(now)) ?? true) &&
    hoursAreOpen(windows, now)
  );
};
