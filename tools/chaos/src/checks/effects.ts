import { contextNames } from '@scrip/contracts/registry';
import type { Databases } from '@scrip/reconcile';
import { rowsOf } from './rows';

/** Counts the rows of each table, except tables of positions and progress. */
export type Effects = ReadonlyMap<string, number>;

// Callers keep writing validations; finished jobs are deleted.
const ignored = new Set(['consumer_positions', 'relay_positions', 'validations', 'event_store_receipts']);

/** Counts the rows of every table of every context. */
export const countEffects = async (databases: Databases): Promise<Effects> => {
  const counts = new Map<string, number>();
  for (const context of contextNames) {
    const tables = await rowsOf<{ name: string }>(
      databases[context],
      `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`,
      [context],
    );
    for (const { name } of tables.filter((table) => !ignored.has(table.name))) {
      const [row] = await rowsOf<{ count: number }>(
        databases[context],
        `SELECT count(*)::int AS count FROM ${context}.${name}`,
      );
      counts.set(`${context}.${name}`, row?.count ?? 0);
    }
  }
  return counts;
};

/** Tables whose rows became more or fewer, as text. */
export const changedEffects = (before: Effects, after: Effects): string[] =>
  [...after].flatMap(([table, count]) => {
    const change = count - (before.get(table) ?? 0);
    return change === 0 ? [] : [`${table} ${change > 0 ? '+' : ''}${change}`];
  });
