import { classifyDatabaseError } from './database-error';
import { Fault } from '@scrip/kernel';
import type { QueryResultRow } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { poolOf } from './pool-of';
import { withClient } from './pooled-client';

const answered = async <T>(query: () => Promise<T>): Promise<T> => {
  try {
    return await query();
  } catch (cause) {
    const { kind } = classifyDatabaseError(cause);
    if (kind !== 'lost' && kind !== 'transient' && kind !== 'timeout') throw cause;
    throw new Fault('unavailable', `PostgreSQL did not answer (${kind})`, { cause });
  }
};

/** Runs one statement. Throws a `Fault` when PostgreSQL is away or too slow, or gave this statement up to end a
 *  deadlock; a write may nevertheless have happened. What the statement itself did wrong is thrown as it is. */
export const runQuery = <Row>(
  on: DataSource | EntityManager,
  sql: string,
  parameters: unknown[] = [],
): Promise<Row[]> => answered(() => on.query<Row[]>(sql, parameters));

/** As `runQuery`, for a look-up that every call waits for: on the pool itself, since what TypeORM does around a query costs as much as a
 *  small one. */
export const lookUp = <Row extends QueryResultRow>(
  on: DataSource,
  sql: string,
  parameters: unknown[],
): Promise<Row[]> =>
  answered(() => withClient(poolOf(on), async (client) => (await client.query<Row>(sql, parameters)).rows));
