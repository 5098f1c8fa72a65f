import type { MetadataTypes } from '@scrip/metadata-schemas';
import type { Calendar } from './calendar';
import type { ValueKind } from './filter-operators';

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
   *  those that fit the condition; `one`: at most one record does, as the field is unique. Fields of the same function are of the
   *  same records. */
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
