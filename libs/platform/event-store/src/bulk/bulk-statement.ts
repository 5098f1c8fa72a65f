import type { AggregateDefinition, RowChange } from '../aggregate/aggregate';
import type { Statement } from '../database/database';
import { hasBasis } from '../commit/append-statement';
import { encodedEvents } from '../aggregate/encoded-event';
import type { EventData } from '../aggregate/event';
import { Parameters } from '../database/parameters';
import { changesSql, groupChanges } from '../aggregate/row-changes';
import { encodeRow, recordAssignments, recordColumns } from '../aggregate/row-record';

/** One stream's row after its events. */
export interface BulkRow<State> {
  streamId: string;
  expectedVersion: number;
  expectedEpoch: number;
  expectedBasis: string | null;
  version: number;
  state: State;
  /** The version of the event that holds the state, where the row need not. */
  snapshot: number | null;
}

/** What one statement writes for many streams of one project; `events` are encoded with their streams. */
export interface BulkWrite<State> {
  projectId: string;
  rows: readonly BulkRow<State>[];
  events: readonly string[];
  changes: readonly RowChange[];
}

type Definition<State, Event extends EventData> = AggregateDefinition<State, Event>;

const encodeRows = <State, Event extends EventData>(
  definition: Definition<State, Event>,
  rows: readonly BulkRow<State>[],
): string => {
  const encoded = rows.map(
    ({ streamId, expectedVersion, expectedEpoch: epoch, expectedBasis, version, ...row }) => {
      const head = { id: streamId, expected: expectedVersion, epoch, version };
      return encodeRow(definition, expectedBasis === null ? head : { ...head, basis: expectedBasis }, row);
    },
  );
  return `[${encoded.join(',')}]`;
};

const rowRecords = <State, Event extends EventData>(
  definition: Definition<State, Event>,
  parameter: string,
): string =>
  `jsonb_to_recordset(${parameter}::jsonb) AS x(id text, expected bigint, epoch int, basis text, version bigint, state jsonb${recordColumns(definition)})`;

const columnsOf = <State, Event extends EventData>(
  definition: Definition<State, Event>,
): [name: string, value: string][] => [['version', 'x.version'], ...recordAssignments(definition)];

const insertEvents = (
  aggregate: string,
  source: string,
  project: string,
  events: string,
  add: Parameters['add'],
): string => `
  e AS (
    INSERT INTO events (epoch, ord, event_id, project_id, aggregate, stream_id, version, type, schema_version, data, metadata)
    SELECT u.epoch, u.last_ord, x.i, ${project}, ${add(aggregate)}, x.n, x.v, x.t, x.s, x.d, x.m
    FROM ${encodedEvents(events)} ${source}
    ORDER BY x.n, x.v
  )`;

const assemble = (expressions: string[], write: BulkWrite<unknown>, add: Parameters['add']): string => {
  // Side rows belong to the whole statement, not to one of its streams: one row is their source.
  const changes = changesSql(groupChanges(write.changes), '(SELECT 1 FROM u LIMIT 1) once', add);
  const all = [...expressions, ...changes.expressions];
  return `WITH ${all.join(',\n')}\nSELECT count(*)::int AS streams, CASE WHEN count(*) > 0 THEN ${changes.assertion} END FROM u`;
};

/** Inserts state rows and events of new streams: all, or none with a unique violation. Answers how many streams. */
export const createStatement = <State, Event extends EventData>(
  definition: Definition<State, Event>,
  write: BulkWrite<State>,
): Statement => {
  const { add, values } = new Parameters();
  const columns = columnsOf(definition);
  const project = add(write.projectId);
  const u = `
    INSERT INTO ${definition.table} (project_id, id, epoch, last_ord, ${columns.map(([name]) => name).join(', ')})
    SELECT ${project}, x.id, m.epoch, pg_current_xact_id(), ${columns.map(([, value]) => value).join(', ')}
    FROM event_store_meta m, ${rowRecords(definition, add(encodeRows(definition, write.rows)))}
    RETURNING 1`;
  // New streams all begin at this transaction, so that their events need no join with their rows.
  const source = ', (SELECT epoch, pg_current_xact_id() AS last_ord FROM event_store_meta) u';
  const e = insertEvents(definition.aggregate, source, project, add(`[${write.events.join(',')}]`), add);
  return { text: assemble([`u AS (${u})`, e], write, add), values };
};

/** Updates state rows whose versions match and inserts their events; answers how many streams matched. */
export const changeStatement = <State, Event extends EventData>(
  definition: Definition<State, Event>,
  write: BulkWrite<State>,
): Statement => {
  const { add, values } = new Parameters();
  const project = add(write.projectId);
  const u = `
    UPDATE ${definition.table} t SET epoch = m.epoch,
      last_ord = greatest(CASE WHEN t.epoch = m.epoch THEN t.last_ord END, pg_current_xact_id()),
      ${columnsOf(definition)
        .map(([name, value]) => `${name} = ${value}`)
        .join(', ')}
    FROM event_store_meta m, ${rowRecords(definition, add(encodeRows(definition, write.rows)))}
    WHERE t.project_id = ${project} AND t.id = x.id AND t.version = x.expected AND t.epoch = x.epoch${hasBasis(definition, () => 'x.basis')}
    RETURNING t.id, t.epoch, t.last_ord`;
  const e = insertEvents(
    definition.aggregate,
    'JOIN u ON u.id = x.n',
    project,
    add(`[${write.events.join(',')}]`),
    add,
  );
  return { text: assemble([`u AS (${u})`, e], write, add), values };
};
