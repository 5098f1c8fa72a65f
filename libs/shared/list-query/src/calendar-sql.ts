import { addDays, addMonths, type CalendarDay, startOfDay } from '@scrip/kernel';
import { type Calendar, type PeriodOperator, periods } from './calendar';
import type { AddValue } from './filter-column';
import type { CalendarOperator } from './filter-operators';

/** A date of the same month and day as `day`, in a year; 29 February is the 28th in a year without it. */
const inYear = (day: string, year: string): string =>
  `(${day} + make_interval(years => ${year} - date_part('year', ${day})::int))::date`;

/** The anniversary of `day` that is the first on `from` or after. */
const nextFrom = (day: string, from: string): string => {
  const year = `date_part('year', ${from})::int`;
  const first = inYear(day, year);
  return `(CASE WHEN ${first} >= ${from} THEN ${first} ELSE ${inYear(day, `${year} + 1`)} END)`;
};

/** The anniversary of `day` that is the last on `until` or before. */
const lastUntil = (day: string, until: string): string => {
  const year = `date_part('year', ${until})::int`;
  const last = inYear(day, year);
  return `(CASE WHEN ${last} <= ${until} THEN ${last} ELSE ${inYear(day, `${year} - 1`)} END)`;
};

/** Other spellings of operators. */
const spellings: Partial<Record<CalendarOperator, CalendarOperator>> = {
  $more_than: '$more_than_ago',
  $less_than: '$less_than_ago',
  $is_more_days_ago_md: '$more_than_ago_md',
  $is_less_days_ago_md: '$less_than_ago_md',
  $is_more_days_in_future_md: '$more_than_future_md',
  $is_less_days_in_future_md: '$less_than_future_md',
};

const isPeriod = (operator: string): operator is PeriodOperator => Object.hasOwn(periods, operator);

/** Days from `from` on and before `to`; null: without such an end. */
interface Days {
  from: CalendarDay | null;
  to: CalendarDay | null;
}

/** The days whose anniversary after so many years is `today`. On 28 February that may be two, on the 29th none. */
const yearsAgo = (today: CalendarDay, years: number): Days => {
  const from = addMonths(today, -12 * years);
  const reaches = (day: CalendarDay): boolean => addMonths(day, 12 * years) === today;
  if (!reaches(from)) return { from, to: from };
  return { from, to: addDays(from, reaches(addDays(from, 1)) ? 2 : 1) };
};

/** Null for the years behind and before which there are no instants. */
const firstOfYear = (year: number): CalendarDay | null =>
  year <= 1 || year > 9_999 ? null : `${String(year).padStart(4, '0')}-01-01`;

/** The days that an operator with one value matches, where they are consecutive; undefined where they are not. */
const daysOf = (operator: CalendarOperator, count: number, today: CalendarDay): Days | undefined => {
  if (isPeriod(operator)) return periods[operator](today);
  const away = (days: number): CalendarDay => addDays(today, days);
  switch (operator) {
    case '$is_days_ago':
      return { from: away(-count), to: away(1 - count) };
    case '$is_days_in_future':
      return { from: away(count), to: away(count + 1) };
    case '$more_than_ago':
      return { from: null, to: away(-count) };
    case '$less_than_ago':
      return { from: away(1 - count), to: away(1) };
    case '$more_than_equal':
      return { from: null, to: away(1 - count) };
    case '$less_than_equal':
      return { from: away(-count), to: away(1) };
    case '$more_than_future':
      return { from: away(count + 1), to: null };
    case '$less_than_future':
      return { from: away(0), to: away(count) };
    case '$is_years_ago':
      return yearsAgo(today, count);
    case '$is_year':
      return { from: firstOfYear(count), to: firstOfYear(count + 1) };
    default:
      return undefined;
  }
};

const withinSql = (value: string, { from, to }: Days, placeOf: (day: CalendarDay) => string): string => {
  const ends = [
    ...(from === null ? [] : [`${value} >= ${placeOf(from)}`]),
    ...(to === null ? [] : [`${value} < ${placeOf(to)}`]),
  ];
  return `(${ends.join(' AND ')})`;
};

/** One operator on `instant`, SQL of a timestamptz, where it matches consecutive days: a range of instants, which an index of them serves.
 *  Undefined for other operators. Source: reference 07 §1.5. */
export const instantsSql = (
  instant: string,
  sent: CalendarOperator,
  value: string,
  { today, zone }: Calendar,
  add: AddValue,
): string | undefined => {
  const days = daysOf(spellings[sent] ?? sent, Number(value), today);
  return (
    days && withinSql(instant, days, (day) => `${add(startOfDay(day, zone).toISOString())}::timestamptz`)
  );
};

/** One operator on `day`, SQL of a date, with one value: a number of days or years, or a part of the calendar; unread where the
 *  operator names a period. Source: reference 07 §1.5. */
export const calendarSql = (
  day: string,
  sent: CalendarOperator,
  value: string,
  { today }: Calendar,
  add: AddValue,
): string => {
  const operator = spellings[sent] ?? sent;
  const date = (text: string): string => `${add(text)}::date`;
  const away = (days: number): string => date(addDays(today, days));
  const count = Number(value);
  const days = daysOf(operator, count, today);
  if (days)
    return days.from !== null && days.to === addDays(days.from, 1)
      ? `${day} = ${date(days.from)}`
      : withinSql(day, days, date);
  if (operator.endsWith('_md') && isPeriod(operator.slice(0, -3))) {
    const { from, to } = periods[operator.slice(0, -3) as PeriodOperator](today);
    return `${nextFrom(day, date(from))} < ${date(to)}`;
  }
  switch (operator) {
    case '$is_days_ago_md':
      return `${nextFrom(day, away(-count))} = ${away(-count)}`;
    case '$is_days_in_future_md':
      return `${nextFrom(day, away(count))} = ${away(count)}`;
    case '$more_than_ago_md':
      return `${lastUntil(day, away(0))} < ${away(-count)}`;
    case '$less_than_ago_md':
      return `${lastUntil(day, away(0))} > ${away(-count)}`;
    case '$more_than_future_md':
      return `${nextFrom(day, away(0))} > ${away(count)}`;
    case '$less_than_future_md':
      return `${nextFrom(day, away(0))} < ${away(count)}`;
    case '$is_day':
      return `date_part('dow', ${day}) = ${add(count)}::int`;
    case '$is_day_of_month':
      return `date_part('day', ${day}) = ${add(count)}::int`;
    case '$is_month':
      return `date_part('month', ${day}) = ${add(count)}::int`;
    default:
      throw new Error(`${operator} is no operator of the calendar`);
  }
};
