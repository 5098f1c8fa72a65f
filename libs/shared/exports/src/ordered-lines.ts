import type { ContextName } from '@scrip/contracts/registry';
import type { CsvCell } from '@scrip/files';
import { newKey, open, seal } from '@scrip/kernel';
import { type ExportSettings, fetchedRows, openExportConnection } from './export-connection';

/** A line of a file, and what its place is told by. */
export interface PlacedLine {
  /** Empty where the record has no such value. */
  value: string;
  /** Breaks ties. */
  id: string;
  cells: CsvCell[];
}

/** Returns lines in the order of their values, some hundred at a time, once all of `pages` are read. They lie meanwhile in a
 *  temporary table of a connection of its own, which goes with it: the cells are sealed with a key that is kept nowhere, the
 *  value and the id are not. Values are compared by code points. Throws what `pages` throws, errors of PostgreSQL, and the reason of `signal`.
 *  Source: reference 07 §12, ADR 152. */
export async function* orderedLines(
  config: ExportSettings,
  context: ContextName,
  pages: AsyncIterable<readonly PlacedLine[]>,
  { descending, signal }: { descending: boolean; signal: AbortSignal },
): AsyncGenerator<CsvCell[][]> {
  const key = newKey();
  const client = await openExportConnection(config, context);
  try {
    // Never to be analysed: statistics are rows of a table that stays.
    await client.query(
      `CREATE TEMPORARY TABLE placed_lines (value text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, sealed text NOT NULL)`,
    );
    // Each page is a transaction: one that lasted as long as the reading would hold up all readers of the event log.
    for await (const lines of pages)
      await client.query(
        `INSERT INTO pg_temp.placed_lines SELECT * FROM unnest($1::text[], $2::text[], $3::text[])`,
        [
          lines.map(({ value }) => value),
          lines.map(({ id }) => id),
          lines.map(({ cells }) => seal(JSON.stringify(cells), key)),
        ],
      );
    const direction = descending ? 'DESC' : 'ASC';
    const text = `SELECT sealed FROM pg_temp.placed_lines ORDER BY value ${direction}, id ${direction}`;
    for await (const rows of fetchedRows<{ sealed: string }>(client, { text, values: [] }, signal))
      yield rows.map(({ sealed }) => JSON.parse(open(sealed, key)) as CsvCell[]);
  } finally {
    await client.end().catch(() => undefined);
  }
}
