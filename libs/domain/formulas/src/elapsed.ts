import { type CalendarDay } from '@scrip/kernel/pure';
import { DateTime } from 'luxon';
import { Day, type Moment } from './moment';

export type Unit = 'days' | 'months' | 'years';

/** What calendar and clock of a place show. */
interface LocalTime {
  readonly day: CalendarDay;
  readonly millisecondOfDay: number;
}

const localTime = (instant: Date, timezone: string): LocalTime | null => {
  const local = DateTime.fromMillis(instant.getTime(), { zone: timezone });
  const day = local.toISODate();
  const millisecondOfDay = ((local.hour * 60 + local.minute) * 60 + local.second) * 1_000 + local.millisecond;
  return day === null ? null : { day, millisecondOfDay };
};

const dayMs = 86_400_000;

const daysFrom = (from: LocalTime, to: LocalTime): number =>
  Math.round((Date.parse(to.day) - Date.parse(from.day)) / dayMs) -
  (to.millisecondOfDay < from.millisecondOfDay ? 1 : 0);

const lastDayOfMonth = (day: CalendarDay): number => {
  const nextMonth = new Date(`${day.slice(0, 7)}-01`);
  nextMonth.setUTCMonth(nextMonth.getUTCMonth() + 1, 0);
  return nextMonth.getUTCDate();
};

const monthNumber = (day: CalendarDay): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));

/** A month is over on the day of the same number; on the last day of a month that has none such. */
const monthsFrom = (from: LocalTime, to: LocalTime): number => {
  const anniversary = Math.min(Number(from.day.slice(8)), lastDayOfMonth(to.day));
  const today = Number(to.day.slice(8));
  const isOver =
    today > anniversary || (today === anniversary && to.millisecondOfDay >= from.millisecondOfDay);
  return monthNumber(to.day) - monthNumber(from.day) - (isOver ? 0 : 1);
};

const countFrom: Record<Unit, (from: LocalTime, to: LocalTime) => number> = {
  days: daysFrom,
  months: monthsFrom,
  years: (from, to) => Math.floor(monthsFrom(from, to) / 12),
};

const isBefore = (one: LocalTime, other: LocalTime): boolean =>
  one.day < other.day || (one.day === other.day && one.millisecondOfDay < other.millisecondOfDay);

/** Whole units that have passed at `now` since `moment`, negative when it is still to come, on the calendar of
 *  `timezone`: since a day begins, those between it and today. Null where there is no such zone. */
export const unitsSince = (moment: Moment, now: Date, unit: Unit, timezone: string): number | null => {
  const here = localTime(now, timezone);
  if (here === null) return null;
  const to = moment instanceof Day ? { day: here.day, millisecondOfDay: 0 } : here;
  const from = moment instanceof Day ? { day: moment.day, millisecondOfDay: 0 } : localTime(moment, timezone);
  if (from === null) return null;
  return isBefore(to, from) ? 0 - countFrom[unit](to, from) : countFrom[unit](from, to);
};
