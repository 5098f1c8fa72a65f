import type { QueryResultRow } from 'pg';
import type { AggregateDefinition } from './aggregate';
import type { Statement } from './database';
import type { EventData } from './event';

/** A state row as it was read: `state` is undefined in rows that no event has touched, unless the aggregate says
 *  otherwise. `exists` is false where there is no row at all. */
export interface StreamState<State> {
  exists: boolean;
  version: number;
  state: State | undefined;
}

type Definition<State, Event extends EventData> = AggregateDefinition<State, Event>;

export const absent = { exists: false, version: 0, state: undefined } as const;

const selectState = <State, Event extends EventData>({ select, table }: Definition<State, Event>): string =>
  `SELECT ${select?.columns ?? 't.state'}, t.id AS stream_id, t.project_id AS stream_project_id,
    t.version::text AS stream_version FROM ${select?.from ?? `${table} t`}`;

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
  text: `${selectState(definition)} WHERE t.project_id = $1 AND t.id = ANY($2)`,
  values: [projectId, streamIds],
});

/** The next rows of a state table in key order, all projects. */
export const pageStatement = <State, Event extends EventData>(
  definition: Definition<State, Event>,
  after: { projectId: string; streamId: string },
  limit: number,
): Statement => ({
  text: `${selectState(definition)} WHERE (t.project_id, t.id) > ($1, $2) ORDER BY t.project_id, t.id LIMIT $3`,
  values: [after.projectId, after.streamId, limit],
});

/** A loaded row, read by the aggregate's own rule. */
export const readState = <State, Event extends EventData>(
  definition: Definition<State, Event>,
  row: QueryResultRow | undefined,
): StreamState<State> => {
  if (!row) return absent;
  const state = definition.fromRow ? definition.fromRow(row) : ((row.state as State | null) ?? undefined);
  return { exists: true, version: Number(row.stream_version), state };
};
