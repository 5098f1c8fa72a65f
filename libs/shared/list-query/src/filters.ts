/** Conditions of one field: operator → values, all of which apply together. */
export type FilterConditions = Record<string, readonly unknown[]>;

/** A list's filter: fields joined by `junction`. Source: reference 07 §1.5. */
export interface Filters {
  junction: 'and' | 'or';
  fields: Record<string, FilterConditions>;
}
