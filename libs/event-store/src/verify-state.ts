import { isDeepStrictEqual } from 'node:util';
import type { QueryResultRow } from 'pg';
import type { AggregateDefinition } from './aggregate';
import type { Database, RunStatement } from './database';
import { pageStatement, readState } from './state-row';
import { eventColumns, toEvent } from './stream-reader';

/** A stream whose row does not say what its events say. */
export interface Difference {
  aggregate: string;
  projectId: string;
  streamId: string;
  /** `state`: folding gives another state; `version`: the row is behind its events, or they are out of order;
   *  `row`: there are events, but no row. */
  problem: 'state' | 'version' | 'row';
  /** What folding gives, and what the row holds. */
  folded?: unknown;
  stored?: unknown;
}

const pageSize = 500;

type Definition = AggregateDefinition<never, never>;

// The row was read from JSON: dates are texts there, absent properties are gone, and keys have another order.
const asStored = (state: unknown): unknown =>
  state === undefined ? undefined : JSON.parse(JSON.stringify(state));

const compareStream = (
  definition: Definition,
  row: QueryResultRow,
  events: readonly QueryResultRow[],
): Difference[] => {
  const stored = readState(definition, row);
  const folded = events.reduce<unknown>(
    (state, event) => definition.evolve(state as never, toEvent(event, definition.upcasters) as never),
    definition.origin?.(row),
  );
  const stream = {
    aggregate: definition.aggregate,
    projectId: row.stream_project_id as string,
    streamId: row.stream_id as string,
  };
  const versions = events.map(({ version }) => Number(version));
  const inOrder = versions.every((version, index) => version > (versions[index - 1] ?? 0));
  if (!inOrder || (versions.at(-1) ?? 0) > stored.version)
    return [{ ...stream, problem: 'version', stored: stored.version, folded: versions }];
  const same = isDeepStrictEqual(asStored(folded), asStored(stored.state));
  return same
    ? []
    : [{ ...stream, problem: 'state', folded: asStored(folded), stored: asStored(stored.state) }];
};

const eventsOfPage = async (
  run: RunStatement,
  { aggregate }: Definition,
  rows: readonly QueryResultRow[],
) => {
  const events = await run({
    text: `
      SELECT ${eventColumns} FROM unnest($2::text[], $3::text[]) AS s(project_id, stream_id)
      JOIN events e ON e.aggregate = $1 AND e.project_id = s.project_id AND e.stream_id = s.stream_id
      ORDER BY e.epoch, e.ord, e.position`,
    values: [aggregate, rows.map((row) => row.stream_project_id), rows.map((row) => row.stream_id)],
  });
  const byStream = new Map<string, QueryResultRow[]>();
  for (const event of events) {
    const key = `${event.project_id}\n${event.stream_id}`;
    byStream.set(key, [...(byStream.get(key) ?? []), event]);
  }
  return byStream;
};

const streamsWithoutRow = async (
  run: RunStatement,
  { aggregate, table }: Definition,
): Promise<Difference[]> => {
  const rows = await run({
    text: `
      SELECT DISTINCT e.project_id, e.stream_id FROM events e
      WHERE e.aggregate = $1 AND NOT EXISTS (SELECT FROM ${table} t WHERE t.project_id = e.project_id AND t.id = e.stream_id)`,
    values: [aggregate],
  });
  return rows.map((row) => ({
    aggregate,
    projectId: row.project_id as string,
    streamId: row.stream_id as string,
    problem: 'row',
  }));
};

/** Folds the streams of one aggregate page by page, each page in one snapshot, and compares with their rows. */
export const verifyAggregate = async (database: Database, definition: Definition): Promise<Difference[]> => {
  const differences: Difference[] = [];
  let after: { projectId: string; streamId: string } | undefined = { projectId: '', streamId: '' };
  while (after) {
    const start: { projectId: string; streamId: string } = after;
    after = await inOneSnapshot(database, async (run) => {
      const rows = await run(pageStatement(definition, start, pageSize));
      const events = await eventsOfPage(run, definition, rows);
      for (const row of rows) {
        const own = events.get(`${row.stream_project_id}\n${row.stream_id}`) ?? [];
        differences.push(...compareStream(definition, row, own));
      }
      const last = rows.length === pageSize ? rows.at(-1) : undefined;
      return last && { projectId: last.stream_project_id as string, streamId: last.stream_id as string };
    });
  }
  differences.push(...(await inOneSnapshot(database, (run) => streamsWithoutRow(run, definition))));
  return differences;
};

const inOneSnapshot = <T>(database: Database, work: (run: RunStatement) => Promise<T>): Promise<T> =>
  database.withConnection(async ({ client }) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    try {
      return await work(database.on(client));
    } finally {
      await client.query('ROLLBACK');
    }
  });
