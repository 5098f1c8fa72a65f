/** An array of a statement, such as `$1`, whose elements the planner does not count: it takes them for ten. A prepared statement keeps one
 *  plan unless one for the values at hand looks cheaper; an array of one element always does, and then each run is planned
 *  anew, which costs such statements as much as running them. Rows that are looked up by a unique index are looked up there also
 *  where the array is long and the table was filled just before: for hundreds of elements the planner reads all rows of a project
 *  that it takes for few. Not for an array that the rows of another condition are tested by: long ones are tested quickly only where
 *  their elements are seen. */
export const ofAnyLength = (parameter: string, type = 'text[]'): string =>
  `(SELECT ${parameter}::${type})::${type}`;
