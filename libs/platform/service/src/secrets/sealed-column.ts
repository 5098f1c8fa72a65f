import { SealBroken } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import { type MasterKeys, purposeRing } from './master-keys';

/** A column of texts that are sealed under the master key. Every context lists its own, so that a rotation finds them. */
export interface SealedColumn {
  table: string;
  /** The primary key; texts. */
  id: readonly [string, ...string[]];
  column: string;
  purpose: string;
  /** What the text of a row is bound to. `id`: the values of the primary key, in order. */
  boundTo: (...id: string[]) => string;
}

/** What became of the rows of one column. */
export interface Rewrapped {
  renewed: number;
  /** Ids of rows that no accepted key opens, the first few of them. */
  broken: string[];
  brokenCount: number;
}

const pageRows = 500;
const brokenShown = 10;

interface Change {
  id: string[];
  from: string;
  to: string;
}

const pageOf = ({ table, id, column }: SealedColumn, hasStart: boolean): string => {
  const ids = id.join(', ');
  const start = hasStart ? `WHERE (${ids}) > (${id.map((_, index) => `$${index + 1}`).join(', ')})` : '';
  return `SELECT ${ids}, ${column} AS sealed FROM ${table} ${start} ORDER BY ${ids} LIMIT ${pageRows}`;
};

// A row that was written meanwhile stays: its writer sealed it with the current key of its own process.
const update = async (
  database: DataSource,
  { table, id, column }: SealedColumn,
  changes: readonly Change[],
): Promise<void> => {
  const names = [...id, 'old_text', 'new_text'];
  const same = id.map((name) => `t.${name} = v.${name}`).join(' AND ');
  await database.query(
    `UPDATE ${table} t SET ${column} = v.new_text
     FROM unnest(${names.map((_, index) => `$${index + 1}::text[]`).join(', ')}) AS v(${names.join(', ')})
     WHERE ${same} AND t.${column} = v.old_text`,
    [
      ...id.map((_, index) => changes.map((change) => change.id[index])),
      changes.map(({ from }) => from),
      changes.map(({ to }) => to),
    ],
  );
};

/** Seals every text of a column with the current master key, page by page; each page is one statement, so that a run that
 *  was killed is simply run again. Rows under the current key already are only read. */
export const rewrapColumn = async (
  database: DataSource,
  column: SealedColumn,
  keys: MasterKeys,
  progress: (renewed: number) => void = () => undefined,
): Promise<Rewrapped> => {
  const ring = purposeRing(keys, column.purpose);
  const result: Rewrapped = { renewed: 0, broken: [], brokenCount: 0 };
  let last: string[] | null = null;
  for (;;) {
    const rows: Record<string, string | null>[] = await database.query(
      pageOf(column, last !== null),
      last ?? [],
    );
    const changes: Change[] = [];
    for (const { sealed, ...row } of rows) {
      last = column.id.map((name) => String(row[name]));
      if (sealed == null) continue;
      try {
        const to = ring.renewed(sealed, column.boundTo(...last));
        if (to !== sealed) changes.push({ id: last, from: sealed, to });
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error;
        result.brokenCount += 1;
        if (result.broken.length < brokenShown) result.broken.push(last.join(' '));
      }
    }
    if (changes.length > 0) await update(database, column, changes);
    result.renewed += changes.length;
    progress(result.renewed);
    if (rows.length < pageRows) return result;
  }
};
