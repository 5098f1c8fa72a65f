import type { AddValue } from './filter-column';
import { type SqlStatement, StatementValues } from './statement-values';

/** Matches that a list counts; no list has pages beyond them. Source: reference 07 §1.4. */
export const countedMax = 10_000;

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
  /** Whether the page begins behind a cursor, of which the count knows nothing: absent, it does not. */
  behindCursor?: boolean;
}

/** Counts the rows of a SELECT as `total`, `countedMax` at most. */
export const countOf = (select: string): string =>
  `SELECT count(*) AS total FROM (${select} LIMIT ${countedMax}) counted`;

/** The statements of one page of a list and of its bounded count, over one condition with its values. `behind`: the condition
 *  of a cursor, which the page has and the count has not. */
export const pageStatements = (
  { columns, from, orderBy, limit, offset }: PageParts,
  where: string,
  values: readonly unknown[],
  behind: ((add: AddValue) => string) | null = null,
): ListStatements => {
  const ofPage = new StatementValues(values);
  const listed = behind === null ? where : `${where} AND ${behind(ofPage.add)}`;
  return {
    page: {
      text: `SELECT ${columns} FROM ${from} WHERE ${listed} ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset}`,
      values: ofPage.all,
    },
    count: { text: countOf(`SELECT 1 FROM ${from} WHERE ${where}`), values: [...values] },
    limit,
    offset,
    ...(behind !== null && { behindCursor: true }),
  };
};

/** A list in the order of its ids, without its condition. `id` is their column, `after` the last id of the page before. */
export interface IdPageParts {
  columns: string;
  from: string;
  id: string;
  descending: boolean;
  limit: number;
  after: string | undefined;
}

/** The statements of one page of a list in the order of ids, with one row more than `limit` where there is more, and of the
 *  bounded count of all that match. `where` may use `values` only. */
export const pageBehindId = (
  { columns, from, id, descending, limit, after }: IdPageParts,
  where: string,
  { all, add }: StatementValues,
): Pick<ListStatements, 'page' | 'count'> => {
  const count = { text: countOf(`SELECT 1 FROM ${from} WHERE ${where}`), values: [...all] };
  const behind = after === undefined ? '' : ` AND ${id} ${descending ? '<' : '>'} ${add(after)}`;
  const text = `SELECT ${columns} FROM ${from} WHERE ${where}${behind}
    ORDER BY ${id} ${descending ? 'DESC' : 'ASC'} LIMIT ${limit + 1}`;
  return { page: { text, values: all }, count };
};
