import type { SqlStatement } from './statement-values';

/** Matches that a list counts; no list has pages beyond them. Source: reference 07 §1.4. */
export const mostCounted = 10_000;

/** A list's SELECT without its condition. `limit` and `offset` count rows. */
export interface PageParts {
  columns: string;
  from: string;
  orderBy: string;
  limit: number;
  offset: number;
}

/** The statements of one page of a list, of `limit` rows from `offset` on, and of its bounded count. */
export interface ListStatements {
  page: SqlStatement;
  count: SqlStatement;
  limit: number;
  offset: number;
}

/** Counts the rows of a SELECT as `total`, `mostCounted` at most. */
export const countOf = (select: string): string =>
  `SELECT count(*) AS total FROM (${select} LIMIT ${mostCounted}) counted`;

/** The statements of one page of a list and of its bounded count, over one condition with its values. */
export const pageStatements = (
  { columns, from, orderBy, limit, offset }: PageParts,
  where: string,
  values: readonly unknown[],
): ListStatements => ({
  page: {
    text: `SELECT ${columns} FROM ${from} WHERE ${where} ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset}`,
    values: [...values],
  },
  count: { text: countOf(`SELECT 1 FROM ${from} WHERE ${where}`), values: [...values] },
  limit,
  offset,
});
