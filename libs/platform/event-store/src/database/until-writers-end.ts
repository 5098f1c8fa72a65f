import { Fault } from '@scrip/kernel';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { runQuery } from './run-query';

const pollMs = 5;

const holdersSql = `
  SELECT DISTINCT virtualtransaction AS id FROM pg_locks
  WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND granted
    AND relation = ANY ($1::text[]::regclass[]) AND mode IN ('RowShareLock', 'RowExclusiveLock')`;

/** Waits for the end of every transaction that may have begun to write to the tables without seeing what is committed by now: those
 *  that hold a lock on them. A statement takes these locks before its snapshot. `deadlineAt`: machine time, milliseconds.
 *  Throws `Fault` `deadline`. Source: ADR 35. */
export const untilWritersEnd = async (
  dataSource: DataSource,
  tables: readonly string[],
  deadlineAt: number,
): Promise<void> => {
  const holders = async (): Promise<string[]> =>
    (await runQuery<{ id: string }>(dataSource, holdersSql, [tables])).map(({ id }) => id);
  let left = await holders();
  while (left.length > 0) {
    if (Date.now() >= deadlineAt) throw new Fault('deadline', 'a write that began before does not end');
    await pause(pollMs);
    const now = new Set(await holders());
    left = left.filter((id) => now.has(id));
  }
};
