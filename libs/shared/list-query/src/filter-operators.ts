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
  '$before_start',
  'before_start',
] as const;

/** Operators that lists can offer. Source: reference 07 §1.5; `before_start` as reference 04 §4.2 spells it. */
export const filterOperators = [
  ...forAnyKind,
  ...forText,
  ...forInstants,
  ...forNumbers,
  ...forStates,
] as const;

export type FilterOperator = (typeof filterOperators)[number];

/** What values are compared as. */
export type ValueKind = 'text' | 'flag' | 'instant' | 'number' | 'json';

/** The operators that take values, by what they compare. */
export const operatorsOf: Record<ValueKind, ReadonlySet<FilterOperator>> = {
  text: new Set<FilterOperator>([...forAnyKind, ...forText]),
  json: new Set<FilterOperator>([...forAnyKind, ...forText]),
  flag: new Set<FilterOperator>(forAnyKind),
  instant: new Set<FilterOperator>([...forAnyKind, ...forInstants]),
  number: new Set<FilterOperator>([...forAnyKind, ...forNumbers]),
};
