import type { MetadataTypes } from '@scrip/metadata-schemas';
import type { Calendar } from './calendar';
import type { FilterOperator, ValueKind } from './filter-operators';
import { typedColumn } from './typed-column';

/** Where a jsonb document, which an index of `jsonb_path_ops` serves, has a field: at one of `paths`. */
export interface IndexedField {
  document: string;
  paths: readonly (readonly string[])[];
}

/** A field that compares values. `sql`: what it compares; `json` and `any` are jsonb, whose arrays are compared element by
 *  element; `day` is a date. */
export interface ValueColumn {
  kind: ValueKind;
  sql: string;
  /** All values that the field can have, as callers write them. Absent: any. */
  oneOf?: readonly string[];
  /** Returns the stored forms of a sent value: several where it stands for several. Absent: the value itself. */
  valuesOf?: (value: string) => string[];
  /** A condition without which the value counts as absent. It stands beside the comparison, so that a partial index serves both. */
  given?: string;
  /** Absent values match every positive operator. */
  absentMatches?: true;
  /** What an index finds equal values by. */
  indexed?: IndexedField;
  /** What days are compared with; `day` and `any` need it, `instant` compares with days only where it is there. */
  calendar?: Calendar;
  /** `sql` is jsonb that has a type by its schema: its elements are compared as `kind` where they are values of it. */
  typed?: true;
  /** What texts of places are compared with. */
  places?: Places;
  /** Of a field that the row does not have itself: `sql` is of the records that rows refer to. Returns that the row refers to one of
   *  those that fit the condition; `one`: at most one record does, as the field is unique. */
  refersTo?: (condition: string, one: boolean) => string;
  /** What the field is compared as where an operator or a value does not fit. Absent: such ones are refused. */
  otherwise?: ValueColumn;
}

/** The places that the records of a statement name, as texts of them. */
export interface Places {
  all: readonly string[];
  /** Those that lie in one of the locations. */
  inside(locationIds: readonly string[]): readonly string[];
}

/** What a metadata schema says of the members of an object. */
export interface TypedMembers {
  typeOf: MetadataTypes;
  calendar: Calendar;
  /** True: of a filter that was stored before, definitions that came later and do not fit it count as absent. */
  stored?: boolean;
}

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
