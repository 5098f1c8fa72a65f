import type { AggregateDefinition, RowChange } from '../aggregate/aggregate';
import type { Statement } from '../database/database';
import { hasBasis } from '../commit/append-statement';
import { encodedEvents } from '../aggregate/encoded-event';
import type { EventData } from '../aggregate/event';
import { ofAnyLength } from '../database/any-length';
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

/** What a statement writes for many streams of one aggregate and project; `events` are encoded with their streams. */
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

/** SQL that a statement runs before it locks or writes anything else: it inserts, and returns a row for each that it inserted. */
export type FirstExpression = (add: Parameters['add']) => string;

/** Makes a lock wait for what the statement runs first. */
const afterFirst = '(SELECT count(*) FROM first) IS NOT NULL';

/** A write as part of a statement, whose expressions are told from those of other parts by `place`. `alone`: the statement is a
 *  transaction by itself, rows that others have locked count as changed, and all is taken back unless each stream was written. */
export type WritePart = (
  place: number,
  add: Parameters['add'],
  alone: boolean,
) => {
  expressions: string[];
  /** How many streams were written. */
  streams: string;
  /** Aborts the statement unless the side rows were as expected. */
  assertion: string;
};

const insertEvents = (
  aggregate: string,
  source: string,
  { project, place, events }: { project: string; place: number; events: string },
  add: Parameters['add'],
): string => `
  e${place} AS (
    INSERT INTO events (epoch, ord, event_id, project_id, aggregate, stream_id, version, type, schema_version, data, metadata)
    SELECT u.epoch, u.last_ord, x.i, ${project}, ${add(aggregate)}, x.n, x.v, x.t, x.s, x.d, x.m
    FROM ${encodedEvents(events)} ${source}
    ORDER BY x.n, x.v
  )`;

const assemble = (
  [u, e]: [u: string, e: string],
  write: BulkWrite<unknown>,
  place: number,
  add: Parameters['add'],
): ReturnType<WritePart> => {
  // Side rows belong to the whole part, not to one of its streams: one row is their source.
  const once = `(SELECT 1 FROM u${place} LIMIT 1) once`;
  const changes = changesSql(groupChanges(write.changes), once, add, `r${place}_`);
  return {
    expressions: [`u${place} AS (${u})`, e, ...changes.expressions],
    streams: `(SELECT count(*)::int FROM u${place})`,
    assertion: `CASE WHEN EXISTS (SELECT FROM u${place}) THEN ${changes.assertion} END`,
  };
};

/** Inserts state rows and events of new streams: all, or none with a unique violation. */
export const creation =
  <State, Event extends EventData>(
    definition: Definition<State, Event>,
    write: BulkWrite<State>,
  ): WritePart =>
  (place, add) => {
    const columns = columnsOf(definition);
    const project = add(write.projectId);
    const u = `
    INSERT INTO ${definition.table} (project_id, id, epoch, last_ord, ${columns.map(([name]) => name).join(', ')})
    SELECT ${project}, x.id, m.epoch, pg_current_xact_id(), ${columns.map(([, value]) => value).join(', ')}
    FROM event_store_meta m, ${rowRecords(definition, add(encodeRows(definition, write.rows)))}
    RETURNING 1`;
    // New streams all begin at this transaction, so that their events need no join with their rows.
    const source = ', (SELECT epoch, pg_current_xact_id() AS last_ord FROM event_store_meta) u';
    const events = add(`[${write.events.join(',')}]`);
    const e = insertEvents(definition.aggregate, source, { project, place, events }, add);
    return assemble([u, e], write, place, add);
  };

/** Updates state rows whose versions match and inserts their events. */
export const change =
  <State, Event extends EventData>(
    definition: Definition<State, Event>,
    write: BulkWrite<State>,
  ): WritePart =>
  (place, add, alone) => {
    const project = add(write.projectId);
    // Without their ids the planner may read all streams of the project: it takes the records for a hundred. So it may for long
    // arrays that it sees, where it knows nothing of a table that was filled just before.
    const ids = ofAnyLength(add(write.rows.map(({ streamId }) => streamId)));
    const locked = alone ? ` AND t.id IN (SELECT id FROM l${place})` : '';
    const u = `
    UPDATE ${definition.table} t SET epoch = m.epoch,
      last_ord = greatest(CASE WHEN t.epoch = m.epoch THEN t.last_ord END, pg_current_xact_id()),
      ${columnsOf(definition)
        .map(([name, value]) => `${name} = ${value}`)
        .join(', ')}
    FROM event_store_meta m, ${rowRecords(definition, add(encodeRows(definition, write.rows)))}
    WHERE t.project_id = ${project} AND t.id = ANY(${ids}) AND t.id = x.id AND t.version = x.expected AND t.epoch = x.epoch${hasBasis(definition, () => 'x.basis')}${locked}
    RETURNING t.id, t.epoch, t.last_ord`;
    const events = add(`[${write.events.join(',')}]`);
    const source = `JOIN u${place} u ON u.id = x.n`;
    const e = insertEvents(definition.aggregate, source, { project, place, events }, add);
    const part = assemble([u, e], write, place, add);
    if (!alone) return part;
    // No such statement waits for a stream, so none waits for another in a circle.
    const lock = `l${place} AS MATERIALIZED (
      SELECT t.id FROM ${definition.table} t WHERE t.project_id = ${project} AND t.id = ANY(${ids}) AND ${afterFirst}
      ORDER BY t.id FOR NO KEY UPDATE SKIP LOCKED)`;
    const all = `assert_changed_rows(${part.streams}, ${add(write.rows.length)}::bigint, '${definition.table}')`;
    return {
      ...part,
      expressions: [lock, ...part.expressions],
      assertion: `${all}, ${part.assertion}`,
    };
  };

/** One statement of all parts; it returns `streams`, a list: how many each of them wrote. */
export const bulkStatement = (parts: readonly WritePart[]): Statement => statementOf(parts, null);

/** As `bulkStatement`, for a statement that is a transaction by itself. It is aborted as for a stale row unless all streams were
 *  written. */
export const loneStatement = (parts: readonly WritePart[], first: FirstExpression): Statement =>
  statementOf(parts, first);

const statementOf = (parts: readonly WritePart[], first: FirstExpression | null): Statement => {
  const { add, values } = new Parameters();
  const before = first ? [`first AS (${first(add)})`] : [];
  const written = parts.map((part, place) => part(place, add, first !== null));
  const expressions = [...before, ...written.flatMap((part) => part.expressions)];
  const streams = written.map((part) => part.streams);
  const assertions = written.map((part) => part.assertion);
  return {
    text: `WITH ${expressions.join(',\n')}\nSELECT ARRAY[${streams.join(', ')}] AS streams, ${assertions.join(', ')}`,
    values,
  };
};
