import { LRUCache } from 'lru-cache';
import type { AggregateDefinition, RowChange } from '../aggregate/aggregate';
import type { Statement } from '../database/database';
import { hasBasis } from '../commit/append-statement';
import { encodedEvents } from '../aggregate/encoded-event';
import type { EventData } from '../aggregate/event';
import { ofAnyLength } from '../database/any-length';
import { type ChangeGroup, changesSql, groupChanges, parameterOf } from '../aggregate/row-changes';
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

/** Texts of statements that are remembered by their shapes: there are about as many as use cases, but callers choose how many tables
 *  a write touches. */
const textsMax = 500;

const texts = new LRUCache<string, string>({ max: textsMax });

/** SQL of a statement, apart from the values that it is given. To put it together and to look it up by its whole length, as for the
 *  name under which it is prepared, costs as much as to encode a few events: it is remembered by its shape. */
interface Expression<Place extends unknown[], Sql> {
  /** Tells expressions apart whose SQL differs in other things than its place. */
  shape: string;
  values: readonly unknown[];
  /** `parameters`: the places of `values`, such as `$1`. */
  sql: (parameters: readonly string[], ...place: Place) => Sql;
}

/** What a statement runs before it locks or writes anything else: it inserts, and returns a row for each that it inserted. */
export type FirstExpression = Expression<[], string>;

/** Makes a lock wait for what the statement runs first. */
const afterFirst = '(SELECT count(*) FROM first) IS NOT NULL';

/** A write as part of a statement, whose expressions are told from those of other parts by `place`. `alone`: the statement is a
 *  transaction by itself, rows that others have locked count as changed, and all is taken back unless each stream was written. */
export type WritePart = Expression<
  [place: number, alone: boolean],
  {
    expressions: string[];
    /** How many streams were written. */
    streams: string;
    /** Aborts the statement unless the side rows were as expected. */
    assertion: string;
  }
>;

const numbers = new WeakMap<object, number>();
let numbered = 0;

/** Tells definitions apart, two of one name too. */
const numberOf = (definition: object): number => {
  const number = numbers.get(definition) ?? (numbered += 1);
  numbers.set(definition, number);
  return number;
};

const shapeOf = (kind: 'creation' | 'change', definition: object, groups: readonly ChangeGroup[]): string =>
  [kind, numberOf(definition), ...groups.map(({ shape }) => shape)].join(' ');

const encodedEventsOf = ({ events }: BulkWrite<unknown>): string => `[${events.join(',')}]`;

const insertEvents = (
  aggregate: string,
  source: string,
  { project, place, events }: { project: string; place: number; events: string },
): string => `
  e${place} AS (
    INSERT INTO events (epoch, ord, event_id, project_id, aggregate, stream_id, version, type, schema_version, data, metadata)
    SELECT u.epoch, u.last_ord, x.i, ${project}, '${aggregate}', x.n, x.v, x.t, x.s, x.d, x.m
    FROM ${encodedEvents(events)} ${source}
    ORDER BY x.n, x.v
  )`;

const assemble = (
  [u, e]: [u: string, e: string],
  groups: readonly ChangeGroup[],
  parameters: readonly string[],
  place: number,
): ReturnType<WritePart['sql']> => {
  // Side rows belong to the whole part, not to one of its streams: one row is their source.
  const once = `(SELECT 1 FROM u${place} LIMIT 1) once`;
  const changes = changesSql(groups, once, parameters, `r${place}_`);
  return {
    expressions: [`u${place} AS (${u})`, e, ...changes.expressions],
    streams: `(SELECT count(*)::int FROM u${place})`,
    assertion: `CASE WHEN EXISTS (SELECT FROM u${place}) THEN ${changes.assertion} END`,
  };
};

/** Inserts state rows and events of new streams: all, or none with a unique violation. */
export const creation = <State, Event extends EventData>(
  definition: Definition<State, Event>,
  write: BulkWrite<State>,
): WritePart => {
  const groups = groupChanges(write.changes);
  return {
    shape: shapeOf('creation', definition, groups),
    values: [
      write.projectId,
      encodeRows(definition, write.rows),
      encodedEventsOf(write),
      ...groups.map(parameterOf),
    ],
    sql: ([project, rows, events, ...parameters], place) => {
      const columns = columnsOf(definition);
      const u = `
    INSERT INTO ${definition.table} (project_id, id, epoch, last_ord, ${columns.map(([name]) => name).join(', ')})
    SELECT ${project}, x.id, m.epoch, pg_current_xact_id(), ${columns.map(([, value]) => value).join(', ')}
    FROM event_store_meta m, ${rowRecords(definition, rows!)}
    RETURNING 1`;
      // New streams all begin at this transaction, so that their events need no join with their rows.
      const source = ', (SELECT epoch, pg_current_xact_id() AS last_ord FROM event_store_meta) u';
      const e = insertEvents(definition.aggregate, source, { project: project!, place, events: events! });
      return assemble([u, e], groups, parameters, place);
    },
  };
};

/** Updates state rows whose versions match and inserts their events. */
export const change = <State, Event extends EventData>(
  definition: Definition<State, Event>,
  write: BulkWrite<State>,
): WritePart => {
  const groups = groupChanges(write.changes);
  return {
    shape: shapeOf('change', definition, groups),
    values: [
      write.projectId,
      write.rows.map(({ streamId }) => streamId),
      encodeRows(definition, write.rows),
      encodedEventsOf(write),
      ...groups.map(parameterOf),
    ],
    sql: ([project, streams, rows, events, ...parameters], place, alone) => {
      // Without their ids the planner may read all streams of the project: it takes the records for a hundred. So it may for long
      // arrays that it sees, where it knows nothing of a table that was filled just before.
      const ids = ofAnyLength(streams!);
      const locked = alone ? ` AND t.id IN (SELECT id FROM l${place})` : '';
      const u = `
    UPDATE ${definition.table} t SET epoch = m.epoch,
      last_ord = greatest(CASE WHEN t.epoch = m.epoch THEN t.last_ord END, pg_current_xact_id()),
      ${columnsOf(definition)
        .map(([name, value]) => `${name} = ${value}`)
        .join(', ')}
    FROM event_store_meta m, ${rowRecords(definition, rows!)}
    WHERE t.project_id = ${project} AND t.id = ANY(${ids}) AND t.id = x.id AND t.version = x.expected AND t.epoch = x.epoch${hasBasis(definition, () => 'x.basis')}${locked}
    RETURNING t.id, t.epoch, t.last_ord`;
      const source = `JOIN u${place} u ON u.id = x.n`;
      const e = insertEvents(definition.aggregate, source, { project: project!, place, events: events! });
      const part = assemble([u, e], groups, parameters, place);
      if (!alone) return part;
      // No such statement waits for a stream, so none waits for another in a circle.
      const lock = `l${place} AS MATERIALIZED (
      SELECT t.id FROM ${definition.table} t WHERE t.project_id = ${project} AND t.id = ANY(${ids}) AND ${afterFirst}
      ORDER BY t.id FOR NO KEY UPDATE SKIP LOCKED)`;
      const all = `assert_changed_rows(${part.streams}, cardinality(${streams}::text[])::bigint, '${definition.table}')`;
      return {
        ...part,
        expressions: [lock, ...part.expressions],
        assertion: `${all}, ${part.assertion}`,
      };
    },
  };
};

/** One statement of all parts; it returns `streams`, a list: how many each of them wrote. */
export const bulkStatement = (parts: readonly WritePart[]): Statement => statementOf(parts, null);

/** As `bulkStatement`, for a statement that is a transaction by itself. It is aborted as for a stale row unless all streams were
 *  written. */
export const loneStatement = (parts: readonly WritePart[], first: FirstExpression): Statement =>
  statementOf(parts, first);

const statementOf = (parts: readonly WritePart[], first: FirstExpression | null): Statement => {
  const shape = [first?.shape ?? '', ...parts.map((part) => part.shape)].join('\n');
  const text = texts.get(shape) ?? textOf(parts, first);
  texts.set(shape, text);
  return { text, values: [...(first?.values ?? []), ...parts.flatMap(({ values }) => values)] };
};

const textOf = (parts: readonly WritePart[], first: FirstExpression | null): string => {
  let given = 0;
  const parametersOf = ({ values }: Pick<WritePart, 'values'>) => values.map(() => `$${(given += 1)}`);
  const before = first ? [`first AS (${first.sql(parametersOf(first))})`] : [];
  const written = parts.map((part, place) => part.sql(parametersOf(part), place, first !== null));
  const expressions = [...before, ...written.flatMap((part) => part.expressions)];
  const streams = written.map((part) => part.streams);
  const assertions = written.map((part) => part.assertion);
  return `WITH ${expressions.join(',\n')}\nSELECT ARRAY[${streams.join(', ')}] AS streams, ${assertions.join(', ')}`;
};
