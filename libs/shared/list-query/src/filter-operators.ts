const forAnyKind = ['$is', '$is_not', '$in', '$not_in', '$has_value', '$is_unknown'] as const;
const forText = ['$contains', '$not_contain', '$starts_with', '$ends_with'] as const;
const forInstants = ['$after', '$before'] as const;
const forNumbers = ['$more_than', '$less_than', '$more_than_equal', '$less_than_equal'] as const;
const forStates = [
  '$active',
  '$expired',
  '$enabled',
  '$disabled',
  '$failed',
  '$in_progress',
  '$redeemed',
  '$redeemable',
  '$before_start',
  'before_start',
] as const;

const withDays = [
  '$is_days_ago',
  '$is_days_in_future',
  '$more_than_ago',
  '$less_than_ago',
  '$more_than_future',
  '$less_than_future',
  '$is_years_ago',
  '$is_days_ago_md',
  '$is_days_in_future_md',
  '$more_than_ago_md',
  '$less_than_ago_md',
  '$more_than_future_md',
  '$less_than_future_md',
  '$is_more_days_ago_md',
  '$is_less_days_ago_md',
  '$is_more_days_in_future_md',
  '$is_less_days_in_future_md',
] as const;

const ofPeriods = [
  '$today',
  '$tomorrow',
  '$yesterday',
  '$this_week',
  '$last_week',
  '$next_week',
  '$this_month',
  '$last_month',
  '$next_month',
  '$this_year',
  '$last_year',
  '$next_year',
] as const;

const ofAnniversaries = [
  '$today_md',
  '$tomorrow_md',
  '$yesterday_md',
  '$this_week_md',
  '$last_week_md',
  '$next_week_md',
  '$this_month_md',
  '$last_month_md',
  '$next_month_md',
  '$this_year_md',
  '$last_year_md',
  '$next_year_md',
] as const;

const ofParts = ['$is_day', '$is_day_of_month', '$is_month', '$is_year'] as const;

/** Operators that compare a day with the calendar; `_md`: by month and day only. Source: reference 07 §1.5. */
export const calendarOperators = [...withDays, ...ofPeriods, ...ofAnniversaries, ...ofParts] as const;

/** Those whose answer changes with the day, without a change of the value. */
export const relativeOperators: ReadonlySet<string> = new Set([
  ...withDays,
  ...ofPeriods,
  ...ofAnniversaries,
]);

/** Operators on the length of a list. */
export const countOperators = ['$count', '$count_less', '$count_more'] as const;

/** Operators that documents of any shape can be tested by: all but those of states. */
export const documentOperators = [
  ...forAnyKind,
  ...forText,
  ...forInstants,
  ...forNumbers,
  ...calendarOperators,
  ...countOperators,
] as const;

/** Operators that lists can offer. Source: reference 07 §1.5; `before_start` as reference 04 §4.2 spells it. */
export const filterOperators = [...documentOperators, ...forStates] as const;

/** Operators on places, whose values are ids of locations. */
export const locationOperators = ['$in_location', '$not_in_location'] as const;

type AnyOf<List extends readonly string[]> = List[number];

/** On days also: `$more_than` and its kin count days ago there. */
export type CalendarOperator = AnyOf<typeof calendarOperators> | AnyOf<typeof forNumbers>;

export type LocationOperator = AnyOf<typeof locationOperators>;

export type FilterOperator = AnyOf<typeof filterOperators> | LocationOperator;

export const isOfLocations = (operator: string): operator is LocationOperator =>
  (locationOperators as readonly string[]).includes(operator);

/** What values are compared as. `instant` and `day` with a calendar also compare with its days; `any` is jsonb whose
 *  elements are compared as what the operator takes, where they are that; `geopoint` is an array of two numbers. */
export type ValueKind = 'text' | 'flag' | 'instant' | 'number' | 'json' | 'day' | 'geopoint' | 'any';

const calendar = new Set<FilterOperator>([...calendarOperators, ...forNumbers]);

/** Whether an operator compares values of a kind with the calendar. */
export const isOfCalendar = (kind: ValueKind, operator: FilterOperator): operator is CalendarOperator =>
  kind === 'any'
    ? (calendarOperators as readonly string[]).includes(operator)
    : (kind === 'instant' || kind === 'day') && calendar.has(operator);

/** Operators whose value is not read. */
export const withoutValue: ReadonlySet<FilterOperator> = new Set([
  '$has_value',
  '$is_unknown',
  ...ofPeriods,
  ...ofAnniversaries,
]);

const byKind: Record<ValueKind, ReadonlySet<FilterOperator>> = {
  text: new Set<FilterOperator>([...forAnyKind, ...forText]),
  json: new Set<FilterOperator>([...forAnyKind, ...forText]),
  flag: new Set<FilterOperator>(forAnyKind),
  instant: new Set<FilterOperator>([...forAnyKind, ...forInstants]),
  number: new Set<FilterOperator>([...forAnyKind, ...forNumbers]),
  day: new Set<FilterOperator>([...forAnyKind, ...forInstants, ...calendar]),
  geopoint: new Set<FilterOperator>(forAnyKind),
  any: new Set<FilterOperator>(documentOperators),
};

/** What decides which operators take values of a column: what it compares, whether it knows the day and places, and may have lists. */
export interface OperatedOn {
  kind: ValueKind;
  calendar?: unknown;
  typed?: unknown;
  places?: unknown;
}

/** The operators that take values of a column. */
export const operatorsOf = ({
  kind,
  calendar: days,
  typed,
  places,
}: OperatedOn): ReadonlySet<FilterOperator> => {
  const ofDays = kind === 'instant' && days !== undefined ? calendar : [];
  const ofLists = typed === undefined ? [] : countOperators;
  const ofPlaces = places !== undefined && (kind === 'geopoint' || kind === 'any') ? locationOperators : [];
  return new Set<FilterOperator>([...byKind[kind], ...ofDays, ...ofLists, ...ofPlaces]);
};
