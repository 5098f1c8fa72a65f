import type { ContextName } from '@scrip/contracts/registry';
import type { SqlStatement } from '@scrip/list-query';
import type { QueryResultRow } from 'pg';
import { type ExportSettings, fetchedRows, openExportConnection } from './export-connection';

/** Reads all rows of a SELECT as `fetchedRows` does, on a connection of its own. */
export async function* snapshotRows<Row extends QueryResultRow>(
  config: ExportSettings,
  context: ContextName,
  statement: SqlStatement,
  signal: AbortSignal,
): AsyncGenerator<Row[]> {
  const client = await openExportConnection(config, context);
  try {
    yield* fetchedRows<Row>(client, statement, signal);
  } finally {
    await client.end().catch(() => undefined);
  }
}
