import type { ContextName } from '@scrip/contracts/registry';
import { BoundedClient, type BoundedSettings } from '@scrip/event-store';
import type { SqlStatement } from '@scrip/list-query';
import { connectionSettings, databaseUrlOf, type ScripConfig } from '@scrip/service';
import type { QueryResult, QueryResultRow } from 'pg';

/** Rows of a fetch: what is held at a time, twice, as the next ones come while these are written. */
const rowsTogether = 500;

/** A sort of millions of rows may take minutes before the first one comes. */
const statementMs = 300_000;
/** How old a snapshot may become: what is deleted or changed meanwhile stays on disk until its end. */
const transactionMs = 1_800_000;
/** How long the store may let the reading wait. */
const idleMs = 120_000;

type Settings = Pick<ScripConfig, 'databaseUrl' | 'databaseUrls' | 'database'>;

/** Reads all rows of a SELECT as they were when it began, some hundred at a time, on a connection of its own. The transaction
 *  writes nothing, so readers of the event log do not wait for it, and ends after half an hour at the latest. Throws errors of
 *  PostgreSQL, and the reason of `signal`. Source: ADR 95. */
export async function* snapshotRows<Row extends QueryResultRow>(
  config: Settings,
  context: ContextName,
  { text, values }: SqlStatement,
  signal: AbortSignal,
): AsyncGenerator<Row[]> {
  const patient = {
    ...config,
    database: {
      ...config.database,
      statementTimeoutMs: statementMs,
      transactionTimeoutMs: transactionMs,
      idleInTransactionTimeoutMs: idleMs,
    },
  };
  const client = new BoundedClient({
    ...(connectionSettings(context, patient) as BoundedSettings),
    connectionString: databaseUrlOf(config, context).reveal(),
    application_name: `scrip-${context}-export`,
  });
  // What breaks the connection fails the statement under way, or the next one.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query(`DECLARE exported NO SCROLL CURSOR FOR ${text}`, values);
    const fetched = async (): Promise<Row[]> =>
      ((await client.query(`FETCH ${rowsTogether} FROM exported`)) as QueryResult<Row>).rows;
    for (let next = fetched(); ;) {
      const rows = await next;
      signal.throwIfAborted();
      if (rows.length === 0) return;
      next = fetched();
      // It may fail while its reader is busy, or was given up.
      next.catch(() => undefined);
      yield rows;
    }
  } finally {
    await client.end().catch(() => undefined);
  }
}
