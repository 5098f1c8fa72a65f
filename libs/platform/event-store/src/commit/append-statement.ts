import type { AggregateDefinition, RowChange } from '../aggregate/aggregate';
import type { Statement } from '../database/database';
import { type EncodedEvent, encodedEvents } from '../aggregate/encoded-event';
import type { EventData } from '../aggregate/event';
import { Parameters, quoted } from '../database/parameters';
import { changesSql, groupChanges, parameterOf } from '../aggregate/row-changes';
import { snapshotAssignments, storedState } from '../aggregate/row-record';

/** What one statement writes for one stream. */
export interface StreamWrite<State> {
  projectId: string;
  streamId: string;
  /** Null: the stream does not exist yet. */
  expectedVersion: number | null;
  /** The epoch in which the expected version was committed. */
  expectedEpoch: number;
  /** What the aggregate's `basis` has to give still. */
  expectedBasis: string | null;
  nextVersion: number;
  state: State | undefined;
  /** The version of the event that holds the state, where the row need not. */
  snapshot: number | null;
  events: readonly EncodedEvent[];
  changes: readonly RowChange[];
  /** Left behind where no event id could tell later that the statement was committed. */
  receiptId: string | null;
}

type Definition<State, Event extends EventData> = AggregateDefinition<State, Event>;

const asJson = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

const stateAssignments = <State, Event extends EventData>(
  definition: Definition<State, Event>,
  { state, snapshot }: { state: State; snapshot: number | null },
  add: Parameters['add'],
): [column: string, value: string][] => [
  ['state', `${add(asJson(storedState(definition, state, snapshot)))}::jsonb`],
  ...(definition.snapshotEvents ? snapshotAssignments(`${add(snapshot)}::bigint`) : []),
  ...Object.entries(definition.columns).map(([column, { type, of }]): [string, string] => [
    quoted(column),
    `${add(columnParameter(type, of(state)))}::${type}`,
  ]),
];

// pg writes arrays and objects as array literals, which JSON columns do not read.
const columnParameter = (type: string, value: unknown): unknown =>
  value !== null && value !== undefined && /^jsonb?$/.test(type) ? JSON.stringify(value) : (value ?? null);

/** `last_ord` counts only within its epoch, and never falls within it: a stream's events must not go behind ones that
 *  readers have passed, nor behind each other when a transaction took its id before the previous one appended. */
export const nextOrd = `greatest(CASE WHEN t.epoch = m.epoch THEN t.last_ord END, pg_current_xact_id())`;

const createState = <State, Event extends EventData>(
  definition: Definition<State, Event>,
  write: StreamWrite<State>,
  add: Parameters['add'],
): string => {
  const [project, stream, version] = [add(write.projectId), add(write.streamId), add(write.nextVersion)];
  const columns = stateAssignments(definition, write as StreamWrite<State> & { state: State }, add);
  return `
    INSERT INTO ${definition.table} (project_id, id, version, epoch, last_ord, ${columns.map(([name]) => name).join(', ')})
    SELECT ${project}, ${stream}, ${version}::bigint, m.epoch, pg_current_xact_id(), ${columns.map(([, value]) => value).join(', ')}
    FROM event_store_meta m
    ON CONFLICT (project_id, id) DO NOTHING
    RETURNING epoch, last_ord`;
};

/** A condition that the aggregate's basis still gives the value that was read; empty where it has none. */
export const hasBasis = ({ basis }: { basis?: string }, expected: () => string): string =>
  basis === undefined ? '' : ` AND ${basis} IS NOT DISTINCT FROM ${expected()}`;

// In another epoch the same version may be that of another commit: the one that a cached state came from was lost.
const isExpected = (
  definition: { basis?: string },
  { expectedVersion, expectedEpoch, expectedBasis }: StreamWrite<unknown>,
  add: Parameters['add'],
): string =>
  `t.version = ${add(expectedVersion)}::bigint AND t.epoch = ${add(expectedEpoch)}::int` +
  hasBasis(definition, () => `${add(expectedBasis)}::text`);

const updateState = <State, Event extends EventData>(
  definition: Definition<State, Event>,
  write: StreamWrite<State>,
  add: Parameters['add'],
): string => {
  const [project, stream] = [add(write.projectId), add(write.streamId)];
  const columns = stateAssignments(definition, write as StreamWrite<State> & { state: State }, add);
  return `
    UPDATE ${definition.table} t SET version = ${add(write.nextVersion)}::bigint, epoch = m.epoch, last_ord = ${nextOrd},
      ${columns.map(([name, value]) => `${name} = ${value}`).join(', ')}
    FROM event_store_meta m
    WHERE t.project_id = ${project} AND t.id = ${stream} AND ${isExpected(definition, write, add)}
    RETURNING t.epoch, t.last_ord`;
};

// Side rows without events leave the state as it is, yet must not be written on another state than was decided on.
const holdState = <State, Event extends EventData>(
  definition: Definition<State, Event>,
  write: StreamWrite<State>,
  add: Parameters['add'],
): string => {
  const row = `FROM ${definition.table} t WHERE t.project_id = ${add(write.projectId)} AND t.id = ${add(write.streamId)}`;
  return write.expectedVersion === null
    ? `SELECT 0 AS epoch WHERE NOT EXISTS (SELECT ${row})`
    : `SELECT t.epoch ${row} AND ${isExpected(definition, write, add)} FOR NO KEY UPDATE OF t`;
};

const stateExpression = <State, Event extends EventData>(
  definition: Definition<State, Event>,
  write: StreamWrite<State>,
  add: Parameters['add'],
): string => {
  if (write.events.length === 0) return holdState(definition, write, add);
  return write.expectedVersion === null
    ? createState(definition, write, add)
    : updateState(definition, write, add);
};

const insertEvents = (aggregate: string, write: StreamWrite<unknown>, add: Parameters['add']): string => `
  e AS (
    INSERT INTO events (epoch, ord, event_id, project_id, aggregate, stream_id, version, type, schema_version, data, metadata)
    SELECT u.epoch, u.last_ord, x.i, ${add(write.projectId)}, ${add(aggregate)}, ${add(write.streamId)}, x.v, x.t, x.s, x.d, x.m
    FROM u, ${encodedEvents(add(`[${write.events.map(({ json }) => json).join(',')}]`))}
    ORDER BY x.v
  )`;

/** The one statement that commits a decision: state row where version and epoch match, events and side rows from it. It
 *  answers one row with the row's epoch, or none where they do not match; then nothing was written. Source:
 *  architecture §4. */
export const appendStatement = <State, Event extends EventData>(
  definition: Definition<State, Event>,
  write: StreamWrite<State>,
): Statement => {
  const { add, values } = new Parameters();
  const expressions = [`u AS (${stateExpression(definition, write, add)})`];
  if (write.events.length > 0) expressions.push(insertEvents(definition.aggregate, write, add));
  if (write.receiptId !== null) {
    expressions.push(
      `receipt AS (INSERT INTO event_store_receipts (receipt_id) SELECT ${add(write.receiptId)}::uuid FROM u)`,
    );
  }
  const groups = groupChanges(write.changes);
  const changes = changesSql(
    groups,
    'u',
    groups.map((group) => add(parameterOf(group))),
  );
  return {
    text: `WITH ${[...expressions, ...changes.expressions].join(',\n')}\nSELECT u.epoch, ${changes.assertion} AS written FROM u`,
    values,
  };
};
