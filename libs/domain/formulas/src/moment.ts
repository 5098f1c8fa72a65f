import { type CalendarDay, isCalendarDay, parseInstant } from '@scrip/kernel/pure';
import { DateTime } from 'luxon';

/** A date without a time of day. */
export class Day {
  constructor(readonly day: CalendarDay) {}
}

/** A date as formulas know it: a whole day, or an instant. */
export type Moment = Day | Date;

export type Unit = 'days' | 'months' | 'years';

/** A day written `YYYY-MM-DD`. */
export const readDay = (text: string): Day | null => (isCalendarDay(text) ? new Day(text) : null);

/** A day, or else an instant as the API writes it. */
export const readMoment = (text: string): Moment | null => readDay(text) ?? parseInstant(text);

const inZone = (instant: Date, timezone: string): DateTime =>
  DateTime.fromMillis(instant.getTime(), { zone: timezone });

/** The day that clocks of `timezone` show; null where there is no such zone. */
export const dayOf = (moment: Moment, timezone: string): CalendarDay | null =>
  moment instanceof Day ? moment.day : inZone(moment, timezone).toISODate();

/** Negative when `one` comes before `other`, 0 when neither comes first: two instants to the millisecond, anything
 *  else by day. */
export const compareMoments = (one: Moment, other: Moment, timezone: string): number | null => {
  if (one instanceof Date && other instanceof Date) return one.getTime() - other.getTime();
  const day = dayOf(one, timezone);
  const otherDay = dayOf(other, timezone);
  if (day === null || otherDay === null) return null;
  return day === otherDay ? 0 : day < otherDay ? -1 : 1;
};
