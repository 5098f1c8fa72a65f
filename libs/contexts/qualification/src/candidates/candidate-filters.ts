import type { AddValue } from '@scrip/list-query';

/** What candidates are filtered by. Source: reference 02 §8. */
export const filterFields = [
  'category_id',
  'campaign_id',
  'campaign_type',
  'resource_id',
  'resource_type',
  'voucher_type',
  'code',
  'holder_role',
] as const;

export type FilterField = (typeof filterFields)[number];

/** Operators with their values: `$is` and `$is_not` compare the first one, `$has_value` and `$is_unknown` none. */
export interface FieldConditions {
  readonly $is?: readonly string[];
  readonly $is_not?: readonly string[];
  readonly $in?: readonly string[];
  readonly $not_in?: readonly string[];
  readonly $has_value?: readonly unknown[];
  readonly $is_unknown?: readonly unknown[];
}

/** Filters as a body has them. */
export type CandidateFilters = { readonly junction?: 'and' | 'or' } & {
  readonly [Field in FilterField]?: { readonly conditions?: FieldConditions };
};

/** What a candidate has of each field; null: nothing. */
export type FilteredValues = Readonly<Record<FilterField, string | null>>;

interface Condition {
  field: FilterField;
  operator: keyof FieldConditions;
  values: readonly string[];
}

const conditionsOf = (filters: CandidateFilters): Condition[] =>
  filterFields.flatMap((field) =>
    Object.entries(filters[field]?.conditions ?? {}).map(([operator, sent]) => {
      const values = (sent as readonly unknown[]).map(String);
      const isFirst = operator === '$is' || operator === '$is_not';
      return {
        field,
        operator: operator as keyof FieldConditions,
        values: isFirst ? values.slice(0, 1) : values,
      };
    }),
  );

const holds = (value: string | null, { operator, values }: Condition): boolean => {
  const isAmong = value !== null && values.includes(value);
  switch (operator) {
    case '$is':
    case '$in':
      return isAmong;
    case '$is_not':
    case '$not_in':
      return !isAmong;
    case '$has_value':
      return value !== null;
    case '$is_unknown':
      return value === null;
  }
};

const byField = (conditions: readonly Condition[]): Condition[][] =>
  filterFields
    .map((field) => conditions.filter((condition) => condition.field === field))
    .filter(({ length }) => length > 0);

/** Whether a candidate passes: conditions of one field hold together, fields by the junction. */
export const passes = (filters: CandidateFilters, candidate: FilteredValues): boolean => {
  const fields = byField(conditionsOf(filters));
  const passesField = (conditions: readonly Condition[]): boolean =>
    conditions.every((condition) => holds(candidate[condition.field], condition));
  if (fields.length === 0) return true;
  return filters.junction === 'or' ? fields.some(passesField) : fields.every(passesField);
};

const sqlOf = (column: string, { operator, values }: Condition, add: AddValue): string => {
  const isAmong = () => `coalesce(${column} = ANY(${add(values)}::text[]), false)`;
  switch (operator) {
    case '$is':
    case '$in':
      return isAmong();
    case '$is_not':
    case '$not_in':
      return `NOT ${isAmong()}`;
    case '$has_value':
      return `${column} IS NOT NULL`;
    case '$is_unknown':
      return `${column} IS NULL`;
  }
};

/** The same as a condition of a statement. `columns`: texts. */
export const filtersSql = (
  filters: CandidateFilters,
  columns: Readonly<Record<FilterField, string>>,
  add: AddValue,
): string => {
  const fields = byField(conditionsOf(filters)).map(
    (conditions) =>
      `(${conditions.map((condition) => sqlOf(columns[condition.field], condition, add)).join(' AND ')})`,
  );
  return fields.length === 0 ? 'true' : `(${fields.join(filters.junction === 'or' ? ' OR ' : ' AND ')})`;
};
