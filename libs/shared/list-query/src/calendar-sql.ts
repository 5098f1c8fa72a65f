import { addDays } from '@scrip/kernel';
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
  if (isPeriod(operator)) {
    const { from, to } = periods[operator](today);
    return `(${day} >= ${date(from)} AND ${day} < ${date(to)})`;
  }
  if (operator.endsWith('_md') && isPeriod(operator.slice(0, -3))) {
    const { from, to } = periods[operator.slice(0, -3) as PeriodOperator](today);
    return `${nextFrom(day, date(from))} < ${date(to)}`;
  }
  switch (operator) {
    case '$is_days_ago':
      return `${day} = ${away(-count)}`;
    case '$is_days_in_future':
      return `${day} = ${away(count)}`;
    case '$more_than_ago':
      return `${day} < ${away(-count)}`;
    case '$less_than_ago':
      return `(${day} > ${away(-count)} AND ${day} <= ${away(0)})`;
    case '$more_than_equal':
      return `${day} <= ${away(-count)}`;
    case '$less_than_equal':
      return `(${day} >= ${away(-count)} AND ${day} <= ${away(0)})`;
    case '$more_than_future':
      return `${day} > ${away(count)}`;
    case '$less_than_future':
      return `(${day} < ${away(count)} AND ${day} >= ${away(0)})`;
    case '$is_years_ago':
      return `(${day} + make_interval(years => ${add(count)}::int))::date = ${away(0)}`;
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
    case '$is_year':
      return `date_part('year', ${day}) = ${add(count)}::int`;
    default:
      throw new Error(`${operator} is no operator of the calendar`);
  }
};
