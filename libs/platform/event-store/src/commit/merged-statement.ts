import type { AggregateDefinition } from '../aggregate/aggregate';
import { encodedEventsOf } from '../aggregate/encoded-event';
import type { EventData } from '../aggregate/event';
import { mergedChangesSql } from '../aggregate/row-changes';
import { encodeRow, recordAssignments, recordColumns } from '../aggregate/row-record';
import type { Statement } from '../database/database';
import { Parameters } from '../database/parameters';
import { hasBasis, nextOrd, type StreamWrite } from './append-statement';

type Definition<State, Event extends EventData> = AggregateDefinition<State, Event>;

const eventBytesMax = 65_536;

/** Whether a write may share its statement with writes of other streams: an update of an existing row with events of
 *  at most 64 KB, whose side rows are inserts. Everything else can abort, or wait, for reasons of its own. */
export const canMerge = ({ expectedVersion, events, changes, receiptId }: StreamWrite<unknown>): boolean =>
  expectedVersion !== null &&
  receiptId === null &&
  events.length > 0 &&
  changes.every((change) => 'insert' in change) &&
  events.reduce((bytes, { json }) => bytes + json.length, 0) <= eventBytesMax;

// A member whose row another transaction has locked is left out, as if its version had changed: it comes back under the
// lock of its own row. So a merged statement neither waits for a stream nor deadlocks with another process's.
const lockRows = (
  definition: { table: string; basis?: string },
  {
    projects,
    ids,
    versions,
    epochs,
    bases,
  }: Record<'projects' | 'ids' | 'versions' | 'epochs' | 'bases', string>,
): string => `
  l AS MATERIALIZED (
    SELECT t.project_id, t.id, k.n
    FROM unnest(${projects}::text[], ${ids}::text[], ${versions}::bigint[], ${epochs}::int[], ${bases}::text[])
      WITH ORDINALITY AS k(project_id, id, version, epoch, basis, n)
    JOIN ${definition.table} t ON t.project_id = k.project_id AND t.id = k.id AND t.version = k.version
      AND t.epoch = k.epoch${hasBasis(definition, () => 'k.basis')}
    FOR NO KEY UPDATE OF t SKIP LOCKED
  )`;

const updateRows = <State, Event extends EventData>(
  definition: Definition<State, Event>,
  rows: string,
): string => `
  u AS (
    UPDATE ${definition.table} t SET version = x.version, epoch = m.epoch, last_ord = ${nextOrd},
      ${recordAssignments(definition)
        .map(([column, value]) => `${column} = ${value}`)
        .join(', ')}
    FROM event_store_meta m, l
    JOIN jsonb_to_recordset(${rows}::jsonb) AS x(n bigint, version bigint, state jsonb${recordColumns(definition)})
      ON x.n = l.n
    WHERE t.project_id = l.project_id AND t.id = l.id
    RETURNING l.n, t.project_id, t.id, t.epoch, t.last_ord
  )`;

const insertEvents = (aggregate: string, events: string): string => `
  e AS (
    INSERT INTO events (epoch, ord, event_id, project_id, aggregate, stream_id, version, type, schema_version, data, metadata)
    SELECT u.epoch, u.last_ord, x.i, u.project_id, ${aggregate}, u.id, x.v, x.t, x.s, x.d, x.m
    FROM u JOIN ${encodedEventsOf('n bigint', events)} ON x.n = u.n
    ORDER BY x.n, x.v
  )`;

/** One statement for writes of different streams of one aggregate, each of which `canMerge` accepts, and whose side rows
 *  have the same shape. Returns a row for each write that was made: its number `n`, counted from 1, and its epoch; for
 *  the others the version was another one, or their row was locked, and nothing of theirs was written. An error means
 *  that no write was made. Source: architecture §4 (Group commit per stream). */
export const mergedStatement = <State, Event extends EventData>(
  definition: Definition<State, Event>,
  writes: readonly StreamWrite<State>[],
): Statement => {
  const { add, values } = new Parameters();
  const lock = lockRows(definition, {
    projects: add(writes.map(({ projectId }) => projectId)),
    ids: add(writes.map(({ streamId }) => streamId)),
    versions: add(writes.map(({ expectedVersion }) => expectedVersion)),
    epochs: add(writes.map(({ expectedEpoch }) => expectedEpoch)),
    bases: add(writes.map(({ expectedBasis }) => expectedBasis)),
  });
  const rows = writes.map(({ nextVersion, state, snapshot }, index) =>
    encodeRow(definition, { n: index + 1, version: nextVersion }, { state: state as State, snapshot }),
  );
  const events = writes.flatMap((write, index) =>
    write.events.map(({ json }) => `{"n":${index + 1},${json.slice(1)}`),
  );
  const update = updateRows(definition, add(`[${rows.join(',')}]`));
  const insert = insertEvents(add(definition.aggregate), add(`[${events.join(',')}]`));
  const changes = mergedChangesSql(
    writes.map((write) => write.changes),
    add,
  );
  return {
    text: `WITH ${[lock, update, insert, ...changes].join(',\n')}\nSELECT u.n::int AS n, u.epoch FROM u`,
    values,
  };
};
