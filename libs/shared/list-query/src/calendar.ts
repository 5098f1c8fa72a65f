import { addDays, addMonths, type CalendarDay, calendarDayOf, type ProjectContext } from '@scrip/kernel';

/** What operators relative to a day count from. */
export interface Calendar {
  /** The project's day of the call. */
  today: CalendarDay;
  /** The project's time zone: in which day an instant lies. */
  zone: string;
}

/** What operators count from at `now`, the project's business time. */
export const calendarAt = ({ timezone }: Pick<ProjectContext, 'timezone'>, now: Date): Calendar => ({
  today: calendarDayOf(now, timezone),
  zone: timezone,
});

/** For columns of which only names and kinds are asked. */
export const anyCalendar: Calendar = { today: '2026-03-31', zone: 'UTC' };

/** A period from `from` up to the day before `to`. */
export interface Period {
  from: CalendarDay;
  to: CalendarDay;
}

/** Weeks begin on Monday. */
const mondayOf = (day: CalendarDay): CalendarDay => addDays(day, -((new Date(day).getUTCDay() + 6) % 7));

const dayPeriod = (from: CalendarDay): Period => ({ from, to: addDays(from, 1) });

const weekPeriod = (today: CalendarDay, weeks: number): Period => {
  const from = addDays(mondayOf(today), 7 * weeks);
  return { from, to: addDays(from, 7) };
};

const monthPeriod = (today: CalendarDay, months: number): Period => {
  const from = addMonths(`${today.slice(0, 8)}01`, months);
  return { from, to: addMonths(from, 1) };
};

const yearPeriod = (today: CalendarDay, years: number): Period => {
  const from = addMonths(`${today.slice(0, 5)}01-01`, 12 * years);
  return { from, to: addMonths(from, 12) };
};

/** The periods that operators name, by today. */
export const periods = {
  $today: (today) => dayPeriod(today),
  $tomorrow: (today) => dayPeriod(addDays(today, 1)),
  $yesterday: (today) => dayPeriod(addDays(today, -1)),
  $this_week: (today) => weekPeriod(today, 0),
  $last_week: (today) => weekPeriod(today, -1),
  $next_week: (today) => weekPeriod(today, 1),
  $this_month: (today) => monthPeriod(today, 0),
  $last_month: (today) => monthPeriod(today, -1),
  $next_month: (today) => monthPeriod(today, 1),
  $this_year: (today) => yearPeriod(today, 0),
  $last_year: (today) => yearPeriod(today, -1),
  $next_year: (today) => yearPeriod(today, 1),
} satisfies Record<string, (today: CalendarDay) => Period>;

export type PeriodOperator = keyof typeof periods;

/** Day of the week as its number from Sunday, 0, by number or English name. */
export const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
