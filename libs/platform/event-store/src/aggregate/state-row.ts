import type { QueryResultRow } from 'pg';
import type { AggregateDefinition } from './aggregate';
import type { Statement } from '../database/database';
import { ofAnyLength } from '../database/any-length';
import { MissingEvent } from '../database/database-error';
import type { EventData } from './event';
import { toEvent } from '../log/stream-reader';

/** A state row as it was read: `state` is undefined in rows that no event has touched, unless the aggregate says
 *  otherwise. `exists` is false where there is no row at all. */
export interface StreamState<State> {
  exists: boolean;
  version: number;
  /** The epoch of the commit that made this version: after a restore another commit may have made it once more. */
  epoch: number;
  state: State | undefined;
  /** What the aggregate's `basis` gave; absent where it has none. */
  basis?: string | null;
}

type Definition<State, Event extends EventData> = AggregateDefinition<State, Event>;

export const absent = { exists: false, version: 0, epoch: 0, state: undefined } as const;

// Row by row (LIMIT keeps the planner from joining otherwise): by what the row names, one partition and one of its events
// are read. Of a row that holds its own state no event is looked for, also where the row still names one.
const snapshotJoin = (aggregate: string): string => `
  LEFT JOIN LATERAL (
    SELECT e.type, e.schema_version, e.data FROM events e
    WHERE t.state IS NULL AND e.project_id = t.project_id AND e.aggregate = '${aggregate}' AND e.stream_id = t.id
      AND e.version = t.snapshot_version AND e.recorded_at = t.snapshot_at
    LIMIT 1
  ) snapshot ON true`;

const snapshotFields = `t.snapshot_version, snapshot.type AS snapshot_type,
  snapshot.schema_version AS snapshot_schema_version, snapshot.data AS snapshot_data`;

/** What a query reads states from, for `stateOf`; the state table is called `t`. `rows`: which of its rows, of aggregates
 *  without a `select` of their own: `(SELECT * FROM orders LIMIT 10) t`. */
export const stateSource = <State, Event extends EventData>(
  { aggregate, table, select, snapshotEvents }: Definition<State, Event>,
  rows = `${table} t`,
): { from: string; columns: string } => {
  const { from, columns } = select ?? { from: rows, columns: 't.state' };
  return snapshotEvents
    ? { from: from + snapshotJoin(aggregate), columns: `${columns}, ${snapshotFields}` }
    : { from, columns };
};

/** The column `stream_basis` of a query over the state table `t`, with a comma before it; empty where the aggregate has no basis. */
export const basisColumn = ({ basis }: { basis?: string }): string =>
  basis === undefined ? '' : `, ${basis} AS stream_basis`;

const selectState = <State, Event extends EventData>(definition: Definition<State, Event>): string => {
  const { from, columns } = stateSource(definition);
  return `SELECT ${columns}, t.id AS stream_id, t.project_id AS stream_project_id,
    t.version::text AS stream_version, t.epoch AS stream_epoch${basisColumn(definition)} FROM ${from}`;
};

/** One stream's row. */
export const loadStatement = <State, Event extends EventData>(
  definition: Definition<State, Event>,
  projectId: string,
  streamId: string,
): Statement => ({
  text: `${selectState(definition)} WHERE t.project_id = $1 AND t.id = $2`,
  values: [projectId, streamId],
});

/** Locks one stream's row until the transaction ends. The row must be loaded afterwards, in a statement of its own:
 *  what a locking statement joins is as old as its beginning, however long it waited. */
export const lockStatement = (
  { table }: { table: string },
  projectId: string,
  streamId: string,
): Statement => ({
  text: `SELECT 1 FROM ${table} t WHERE t.project_id = $1 AND t.id = $2 FOR NO KEY UPDATE`,
  values: [projectId, streamId],
});

/** The rows of several streams of one project. */
export const loadManyStatement = <State, Event extends EventData>(
  definition: Definition<State, Event>,
  projectId: string,
  streamIds: readonly string[],
): Statement => ({
  text: `${selectState(definition)} WHERE t.project_id = $1 AND t.id = ANY(${ofAnyLength('$2')})`,
  values: [projectId, streamIds],
});

/** The rows of one project whose ids `picking` returns in its column `id`, in the order of ids; `$1` of `picking` is the project. Rows
 *  that it locks are read as they were when the statement began. */
export const loadPickedStatement = <State, Event extends EventData>(
  definition: Definition<State, Event>,
  picking: Statement,
): Statement => ({
  text: `WITH picked AS MATERIALIZED (${picking.text})
    ${selectState(definition)} WHERE t.project_id = $1 AND t.id = ANY(ARRAY(SELECT id FROM picked)) ORDER BY t.id`,
  values: picking.values,
});

/** The next rows of a state table in key order, all projects. The planner does not see the project's value: with few
 *  projects it would expect next to nothing behind it, and sort the rest of the table for each page. */
export const pageStatement = <State, Event extends EventData>(
  definition: Definition<State, Event>,
  after: { projectId: string; streamId: string },
  limit: number,
): Statement => ({
  text: `${selectState(definition)} WHERE (t.project_id, t.id) > ((SELECT $1::text), $2) ORDER BY t.project_id, t.id LIMIT $3`,
  values: [after.projectId, after.streamId, limit],
});

/** The state of a row with the columns of `stateSource`: its own, or that of the event it names; undefined where there
 *  is none yet. Throws `MissingEvent` where the log lacks that event: a caller that took such a row for an empty one
 *  would begin the stream again. */
export const stateOf = <State, Event extends EventData>(
  definition: Definition<State, Event>,
  row: QueryResultRow,
): State | undefined => {
  const { snapshot_version: version, snapshot_type: type, snapshot_data: data } = row;
  if (row.state === null && version !== null && version !== undefined) {
    if (type === null) throw new MissingEvent(definition.aggregate, String(version), row.stream_id as string);
    const schema_version = row.snapshot_schema_version as number;
    const event = toEvent({ type, schema_version, data }, definition.upcasters);
    return definition.evolve(undefined, event as Event);
  }
  return definition.fromRow ? definition.fromRow(row) : ((row.state as State | null) ?? undefined);
};

/** A loaded row, read by the aggregate's own rule. */
export const readState = <State, Event extends EventData>(
  definition: Definition<State, Event>,
  row: QueryResultRow | undefined,
): StreamState<State> => {
  if (!row) return absent;
  return {
    exists: true,
    version: Number(row.stream_version),
    epoch: row.stream_epoch as number,
    state: stateOf(definition, row),
    ...(definition.basis === undefined ? {} : { basis: row.stream_basis as string | null }),
  };
};
