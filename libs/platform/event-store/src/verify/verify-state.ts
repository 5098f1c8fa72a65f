import { isDeepStrictEqual } from 'node:util';
import type { AggregateDefinition } from '../aggregate/aggregate';
import type { PoolClient, QueryResultRow } from 'pg';
import type { Database } from '../database/database';
import { type StreamState, pageStatement, readState } from '../aggregate/state-row';
import { MissingEvent } from '../database/database-error';
import { eventColumns, toEvent } from '../log/stream-reader';

/** A stream whose row does not say what its events say. */
export interface Difference {
  aggregate: string;
  projectId: string;
  streamId: string;
  /** `state`: folding gives another state; `version`: the row is behind its events, or they are out of order;
   *  `row`: there are events, but no row; `event`: the row names an event as its state that the log does not have;
   *  `fold`: its events cannot be folded, as where the log has lost the first ones, and `error` says why. */
  problem: 'state' | 'version' | 'row' | 'event' | 'fold';
  error?: string;
  /** What folding gives, and what the row holds. */
  folded?: unknown;
  stored?: unknown;
}

/** How far a comparison has come: streams of one aggregate that were compared. */
export interface VerifyProgress {
  aggregate: string;
  streams: number;
}

/** Streams that are folded at a time, and events that are in memory at a time. */
const pageSize = 500;
const eventsAtOnce = 200;

type Definition = AggregateDefinition<never, never>;

interface StreamKey {
  projectId: string;
  streamId: string;
}

// The row was read from JSON: dates are texts there, absent properties are gone, and keys have another order.
const asStored = (state: unknown): unknown =>
  state === undefined ? undefined : JSON.parse(JSON.stringify(state));

/** What a row says; null where it names an event that is gone. */
const storedIn = (definition: Definition, row: QueryResultRow): StreamState<unknown> | null => {
  try {
    return readState(definition, row);
  } catch (error) {
    if (error instanceof MissingEvent) return null;
    throw error;
  }
};

/** One stream while its events are folded. */
class Fold {
  private readonly versions: number[] = [];
  private inOrder = true;
  private state: unknown;
  /** Why folding ended early. */
  private error: string | undefined;

  constructor(
    private readonly definition: Definition,
    private readonly row: QueryResultRow,
  ) {
    this.state = definition.origin?.(row);
  }

  add(event: QueryResultRow): void {
    const version = Number(event.version);
    this.inOrder &&= version > (this.versions.at(-1) ?? 0);
    this.versions.push(version);
    if (this.error !== undefined) return;
    try {
      this.state = this.definition.evolve(
        this.state as never,
        toEvent(event, this.definition.upcasters) as never,
      );
    } catch (error) {
      // One stream's finding: the others are compared all the same.
      this.error = `version ${version}: ${String(error)}`;
    }
  }

  difference(): Difference[] {
    const { definition, row, versions } = this;
    const stored = storedIn(definition, row);
    const stream = {
      aggregate: definition.aggregate,
      projectId: row.stream_project_id as string,
      streamId: row.stream_id as string,
    };
    if (!stored) return [{ ...stream, problem: 'event', folded: versions }];
    if (!this.inOrder || (versions.at(-1) ?? 0) > stored.version)
      return [{ ...stream, problem: 'version', stored: stored.version, folded: versions }];
    if (this.error !== undefined)
      return [{ ...stream, problem: 'fold', folded: versions, error: this.error }];
    const [folded, kept] = [this.asRow(this.state), this.asRow(stored.state)];
    const same = isDeepStrictEqual(folded, kept);
    return same ? [] : [{ ...stream, problem: 'state', folded, stored: kept }];
  }

  /** What a row holds of a state: not what was read beside it. */
  private asRow(state: unknown): unknown {
    const { toRow } = this.definition;
    return asStored(toRow && state !== undefined ? toRow(state as never) : state);
  }
}

const keyOf = (projectId: unknown, streamId: unknown): string => `${String(projectId)}\n${String(streamId)}`;

/** Reads the events of some streams in log order, few at a time. */
const eachEvent = async (
  client: PoolClient,
  { aggregate }: Definition,
  rows: readonly QueryResultRow[],
  handle: (event: QueryResultRow) => void,
): Promise<void> => {
  await client.query(
    `DECLARE folded NO SCROLL CURSOR FOR
     SELECT ${eventColumns} FROM unnest($2::text[], $3::text[]) AS s(project_id, stream_id)
     JOIN events e ON e.aggregate = $1 AND e.project_id = s.project_id AND e.stream_id = s.stream_id
     ORDER BY e.epoch, e.ord, e.position`,
    [aggregate, rows.map((row) => row.stream_project_id), rows.map((row) => row.stream_id)],
  );
  for (;;) {
    const { rows: events } = await client.query<QueryResultRow>(`FETCH ${eventsAtOnce} FROM folded`);
    for (const event of events) handle(event);
    if (events.length < eventsAtOnce) break;
  }
  await client.query('CLOSE folded');
};

/** Compares the next streams in key order; returns the last one, undefined at the end. */
const comparePage = async (
  client: PoolClient,
  definition: Definition,
  after: StreamKey,
): Promise<{ differences: Difference[]; streams: number; last: StreamKey | undefined }> => {
  const { text, values } = pageStatement(definition, after, pageSize);
  const { rows } = await client.query<QueryResultRow>(text, [...values]);
  const folds = new Map(
    rows.map((row) => [keyOf(row.stream_project_id, row.stream_id), new Fold(definition, row)]),
  );
  await eachEvent(client, definition, rows, (event) =>
    folds.get(keyOf(event.project_id, event.stream_id))?.add(event),
  );
  const last = rows.length === pageSize ? rows.at(-1) : undefined;
  return {
    differences: [...folds.values()].flatMap((fold) => fold.difference()),
    streams: rows.length,
    last: last && { projectId: last.stream_project_id as string, streamId: last.stream_id as string },
  };
};

/** Finds the next streams that have events, in key order, and which of them have no row. */
const rowlessPage = async (
  client: PoolClient,
  { aggregate, table }: Definition,
  after: StreamKey,
): Promise<{ differences: Difference[]; last: StreamKey | undefined }> => {
  const { rows } = await client.query<{ projectId: string; streamId: string; missing: boolean }>(
    `SELECT s.project_id AS "projectId", s.stream_id AS "streamId", t.id IS NULL AS missing FROM (
       SELECT DISTINCT e.project_id, e.stream_id FROM events e
       WHERE e.aggregate = $1 AND (e.project_id, e.stream_id) > ($2, $3)
       ORDER BY e.project_id, e.stream_id LIMIT ${pageSize}
     ) s LEFT JOIN ${table} t ON t.project_id = s.project_id AND t.id = s.stream_id
     ORDER BY 1, 2`,
    [aggregate, after.projectId, after.streamId],
  );
  return {
    differences: rows
      .filter(({ missing }) => missing)
      .map(({ projectId, streamId }) => ({ aggregate, projectId, streamId, problem: 'row' })),
    last: rows.length === pageSize ? rows.at(-1) : undefined,
  };
};

/** Folds the streams of one aggregate page by page, each page in one snapshot, and compares with their rows. Memory is
 *  bounded, whatever the log holds. Calls `progress` after each page. */
export const verifyAggregate = async (
  database: Database,
  definition: Definition,
  progress: (progress: VerifyProgress) => void = () => undefined,
): Promise<Difference[]> => {
  const differences: Difference[] = [];
  let streams = 0;
  for (let after: StreamKey | undefined = { projectId: '', streamId: '' }; after;) {
    const start: StreamKey = after;
    const page = await inOneSnapshot(database, (client) => comparePage(client, definition, start));
    streams += page.streams;
    differences.push(...page.differences);
    progress({ aggregate: definition.aggregate, streams });
    after = page.last;
  }
  for (let after: StreamKey | undefined = { projectId: '', streamId: '' }; after;) {
    const start: StreamKey = after;
    const page = await inOneSnapshot(database, (client) => rowlessPage(client, definition, start));
    differences.push(...page.differences);
    after = page.last;
  }
  return differences;
};

// A page of long streams may take longer than a request ever should.
const inOneSnapshot = <T>(database: Database, work: (client: PoolClient) => Promise<T>): Promise<T> =>
  database.withConnection(async ({ client }) => {
    await client.query(`
      BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
      SET LOCAL statement_timeout = 0; SET LOCAL transaction_timeout = 0`);
    try {
      return await work(client);
    } finally {
      await client.query('ROLLBACK');
    }
  });
