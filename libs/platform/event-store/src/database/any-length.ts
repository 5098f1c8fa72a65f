/** An array of a statement, such as `$1`, whose elements the planner does not count: it takes them for ten. A prepared statement keeps one
 *  plan unless one for the values at hand looks cheaper; an array of one element always does, and then each run is planned
 *  anew, which costs such statements as much as running them. For few elements: tests whether a value is in a
 *  long array are slow without its count. */
export const ofAnyLength = (parameter: string, type = 'text[]'): string =>
  `(SELECT ${parameter}::${type})::${type}`;
