import type { ContextName } from '@scrip/contracts/registry';
import { BoundedClient, type BoundedSettings } from '@scrip/event-store';
import type { SqlStatement } from '@scrip/list-query';
import { connectionSettings, databaseUrlOf, type ScripConfig } from '@scrip/service';
import type { Socket } from 'node:net';
import type { QueryResult, QueryResultRow } from 'pg';

/** What a fetch takes: it is held twice, as the next rows come while these are written. Records may have half a megabyte each, so
 *  a fetch takes as many as come to some megabytes where they are as large as those of the fetch before. */
const together = { firstRows: 25, mostRows: 500, bytes: 4_000_000 };

/** A sort of millions of rows may take minutes before the first one comes. */
const statementMs = 300_000;
/** How old a snapshot may become: what is deleted or changed meanwhile stays on disk until its end. */
const transactionMs = 1_800_000;
/** How long the store may let the reading wait. */
const idleMs = 120_000;

/** What a connection is opened with. */
export type ExportSettings = Pick<ScripConfig, 'databaseUrl' | 'databaseUrls' | 'database'>;

/** Opens a connection of its own to the database of a context, more patient than those of its pool. To be ended by the caller.
 *  Throws errors of PostgreSQL. */
export const openExportConnection = async (
  config: ExportSettings,
  context: ContextName,
): Promise<BoundedClient> => {
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
  await client.connect();
  return client;
};

/** Reads all rows of a SELECT as they were when it began, some hundred at a time, of large ones some megabytes. The transaction writes nothing, so readers of
 *  the event log do not wait for it, and ends after half an hour at the latest. Throws errors of PostgreSQL, and the reason of
 *  `signal`. Source: ADR 95. */
export async function* fetchedRows<Row extends QueryResultRow>(
  client: BoundedClient,
  { text, values }: SqlStatement,
  signal: AbortSignal,
): AsyncGenerator<Row[]> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await client.query(`DECLARE exported NO SCROLL CURSOR FOR ${text}`, values);
  const bytesRead = (): number => (client.connection.stream as Socket).bytesRead;
  let count = together.firstRows;
  const fetched = async (): Promise<Row[]> => {
    const before = bytesRead();
    const { rows } = (await client.query(`FETCH ${count} FROM exported`)) as QueryResult<Row>;
    const fitting = Math.floor((together.bytes * rows.length) / (bytesRead() - before));
    count = Math.max(1, Math.min(fitting, together.mostRows));
    return rows;
  };
  for (let next = fetched(); ;) {
    const rows = await next;
    signal.throwIfAborted();
    if (rows.length === 0) return;
    next = fetched();
    // It may fail while its reader is busy, or was given up.
    next.catch(() => undefined);
    yield rows;
  }
}
