import type { RowChange, RowKey } from './aggregate';

/** A row as text: the same however the columns of its key are ordered. */
export const rowIdOf = (table: string, key: RowKey): string =>
  `${table}:${JSON.stringify(Object.entries(key).sort(([a], [b]) => (a < b ? -1 : 1)))}`;

/** The row that a change names by its key; null for an insert. */
export const changedRowOf = (change: RowChange): { table: string; key: RowKey } | null => {
  if ('insert' in change) return null;
  if ('update' in change) return { table: change.update, key: change.key };
  if ('delete' in change) return { table: change.delete, key: change.key };
  if ('upsert' in change) return { table: change.upsert, key: change.key };
  if ('increment' in change) return { table: change.increment, key: change.key };
  if ('holds' in change) return { table: change.holds, key: change.key };
  return { table: change.absent, key: change.key };
};
