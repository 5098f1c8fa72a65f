import type { FilterConditions, Filters } from '@scrip/edge';

/** Values of one statement, numbered as they are used. */
export class Values {
  readonly all: unknown[] = [];

  /** Its placeholder. */
  add(value: unknown): string {
    return `$${this.all.push(value)}`;
  }
}

const texts = (values: readonly unknown[]): string[] => values.map(String);

const like = (text: string): string => text.replace(/[\\%_]/g, (character) => `\\${character}`);

const anyLike = (column: string, patterns: readonly string[], values: Values): string =>
  `${column} LIKE ANY(${values.add(patterns)}::text[])`;

/** One operator on one column. Negative operators also match absent values. Source: spec 07 §1.5. */
const conditionOf = (column: string, operator: string, found: readonly unknown[], values: Values): string => {
  const list = texts(found);
  switch (operator) {
    case '$in':
    case '$is':
      return `${column} = ANY(${values.add(list)}::text[])`;
    case '$not_in':
    case '$is_not':
      return `(${column} IS NULL OR ${column} <> ALL(${values.add(list)}::text[]))`;
    case '$has_value':
      return `${column} IS NOT NULL`;
    case '$is_unknown':
      return `${column} IS NULL`;
    case '$starts_with':
      return anyLike(
        column,
        list.map((text) => `${like(text)}%`),
        values,
      );
    case '$ends_with':
      return anyLike(
        column,
        list.map((text) => `%${like(text)}`),
        values,
      );
    case '$contains':
      return anyLike(
        column,
        list.map((text) => `%${like(text)}%`),
        values,
      );
    case '$not_contain':
      return `(${column} IS NULL OR NOT ${anyLike(
        column,
        list.map((text) => `%${like(text)}%`),
        values,
      )})`;
    default:
      throw new Error(`filter operator ${operator} passed the parser`);
  }
};

const fieldCondition = (column: string, conditions: FilterConditions, values: Values): string =>
  Object.entries(conditions)
    .map(([operator, found]) => conditionOf(column, operator, found, values))
    .join(' AND ');

/** The filter as SQL, null where it filters nothing. Field names were checked by the query's parser. */
export const filterCondition = ({ junction, fields }: Filters, values: Values): string | null => {
  const conditions = Object.entries(fields).flatMap(([column, operators]) => {
    const condition = fieldCondition(column, operators, values);
    return condition === '' ? [] : [`(${condition})`];
  });
  return conditions.length === 0 ? null : `(${conditions.join(junction === 'or' ? ' OR ' : ' AND ')})`;
};
