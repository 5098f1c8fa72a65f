import type { Calendar } from './calendar';
import type { FilterOperator } from './filter-operators';
import { typedColumn } from './typed-column';
import type { Places, TypedMembers, ValueColumn } from './value-column';

/** Takes a value of the statement and returns its placeholder. */
export type AddValue = (value: unknown) => string;

/** A field of a list that can be filtered by. `members`: the members of a jsonb object, as `<field>.<key>`; `states`: a
 *  condition for each operator, which takes no values; one that depends on the time adds the instant as a value. */
export type FilterColumn =
  | ValueColumn
  | {
      kind: 'members';
      sql: string;
      indexed?: { document: string; path: readonly string[] };
      /** The members are compared as `any`, with these days. */
      calendar?: Calendar;
      /** What `$in_location` knows; absent: the operator is refused. */
      places?: Places;
      /** Members that have a type are compared by it. Source: reference 07 §1.5. */
      schema?: TypedMembers;
    }
  | { kind: 'states'; states: Partial<Record<FilterOperator, string | ((add: AddValue) => string)>> };

/** Columns by the names of the fields; a field of members ends with `.*`. */
export type FilterColumns = Readonly<Record<string, FilterColumn>>;

/** The object that a field is a member of: `a.b` where there are members of `a.b`, else `a`. */
const objectOf = (field: string, columns: FilterColumns): string => {
  const families = Object.keys(columns).filter(
    (name) => name.endsWith('.*') && field.startsWith(name.slice(0, -1)),
  );
  return families.reduce((longest, name) => (name.length > longest.length ? name : longest), '').slice(0, -2);
};

/** The column of a field, members by their name or, where dots lead into nested objects, by their path. Throws `Error` for a
 *  field that `columns` does not have: parsers of queries refuse those. */
export const columnOf = (
  field: string,
  columns: FilterColumns,
  add: (value: unknown) => string,
): Exclude<FilterColumn, { kind: 'members' }> => {
  const own = columns[field];
  if (own && own.kind !== 'members') return own;
  const object = objectOf(field, columns);
  const members = columns[`${object}.*`];
  if (members?.kind !== 'members') throw new Error(`no column for filter ${field}`);
  const name = field.slice(object.length + 1);
  const steps = name.split('.');
  const { sql, indexed, calendar, places, schema } = members;
  const untyped: ValueColumn = {
    ...(calendar ? { kind: 'any' as const, calendar } : { kind: 'json' as const }),
    sql: `coalesce(${sql} -> ${add(name)}::text, ${sql} #> ${add(steps)}::text[])`,
    ...(places && { places }),
    ...(indexed && {
      indexed: {
        document: indexed.document,
        paths: [[name], steps].map((below) => [...indexed.path, ...below]),
      },
    }),
  };
  return schema ? typedColumn(untyped, schema, schema.typeOf(name)) : untyped;
};
