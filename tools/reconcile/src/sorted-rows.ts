import type { ContextName } from '@scrip/contracts/registry';
import { Pool, type PoolClient } from 'pg';
import type { Databases } from './databases';

/** A row as a check reads it. `key` is unique in what it stands for. */
export type Row = { key: string } & Readonly<Record<string, string | number | boolean | null>>;

/** What one context has stored: SQL with a column `key`, tables named with their schema. */
export interface Source {
  in: ContextName;
  sql: string;
}

/** Rows of one snapshot, a page at a time. */
export interface SortedRows extends AsyncIterable<Row> {
  close(): Promise<void>;
}

/** Runs a query in a read-only snapshot of its own, taken when this resolves, and gives its rows in the order of `key`,
 *  a page at a time. */
export type OpenRows = (source: Source) => Promise<SortedRows>;

const pageSize = 2_000;

async function* pages(client: PoolClient): AsyncGenerator<Row> {
  for (;;) {
    const { rows } = await client.query<Row>(`FETCH ${pageSize} FROM rows`);
    yield* rows;
    if (rows.length < pageSize) return;
  }
}

const open = async (pool: Pool, sql: string): Promise<SortedRows> => {
  const client = await pool.connect();
  // Not reused: after an error the transaction cannot continue, and the connection may be broken.
  const end = async (isFine: boolean): Promise<void> => {
    if (isFine) await client.query('ROLLBACK');
    client.release(!isFine);
  };
  try {
    // A check reads whole tables, so it has no time limits; those of the services stay.
    await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
      SET LOCAL statement_timeout = 0; SET LOCAL transaction_timeout = 0`);
    await client.query(`DECLARE rows NO SCROLL CURSOR FOR SELECT * FROM (${sql}) r ORDER BY key COLLATE "C"`);
  } catch (error) {
    await end(false);
    throw error;
  }
  return { [Symbol.asyncIterator]: () => pages(client), close: () => end(true) };
};

/** Gives `work` a way to read, and closes all connections after it. */
export const reading = async <Result>(
  databases: Databases,
  work: (openRows: OpenRows) => Promise<Result>,
): Promise<Result> => {
  const pools = new Map<string, Pool>();
  const poolOf = (connectionString: string): Pool => {
    const known = pools.get(connectionString);
    if (known) return known;
    const pool = new Pool({
      connectionString,
      application_name: 'scrip-reconcile',
      connectionTimeoutMillis: 10_000,
    });
    pool.on('error', () => undefined); // An idle connection broke: the next query tells, if it matters.
    pools.set(connectionString, pool);
    return pool;
  };
  try {
    return await work((source) => open(poolOf(databases[source.in]), source.sql));
  } finally {
    await Promise.all([...pools.values()].map((pool) => pool.end()));
  }
};

/** Order of keys as PostgreSQL's collation "C" has it. */
export const compareKeys = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
