import { classifyDatabaseError } from './database-error';
import { Fault } from '@scrip/kernel';
import type { DataSource, EntityManager } from 'typeorm';

/** Runs one statement. Throws a `Fault` when PostgreSQL is away or too slow, or gave this statement up to end a
 *  deadlock; a write may nevertheless have happened. What the statement itself did wrong is thrown as it is. */
export const runQuery = async <Row>(
  on: DataSource | EntityManager,
  sql: string,
  parameters: unknown[] = [],
): Promise<Row[]> => {
  try {
    return await on.query<Row[]>(sql, parameters);
  } catch (cause) {
    const { kind } = classifyDatabaseError(cause);
    if (kind !== 'lost' && kind !== 'transient' && kind !== 'timeout') throw cause;
    throw new Fault('unavailable', `PostgreSQL did not answer (${kind})`, { cause });
  }
};
