import { newestSchemaVersion, upcast, type Upcasters } from '@scrip/kernel';
import type { QueryResultRow } from 'pg';
import type { Statement } from '../database/database';
import type { EventData } from '../aggregate/event';
import { formatPosition } from './log-position';
import type { StoredEvent } from '../aggregate/event';

/** The columns of an event as `toStoredEvent` reads them. */
export const eventColumns = `
  e.epoch, e.ord::text AS ord, e.position::text AS position, e.event_id::text AS event_id, e.project_id, e.aggregate,
  e.stream_id, e.version::text AS version, e.type, e.schema_version, e.data, e.metadata, e.recorded_at`;

/** Type and data of a row, in the newest schema version. */
export const toEvent = (row: QueryResultRow, upcasters: Upcasters | undefined): EventData => ({
  type: row.type as string,
  data: upcast(
    upcasters,
    row.type as string,
    row.schema_version as number,
    row.data as Record<string, unknown>,
  ),
});

/** A row of the log as the public event. */
export const toStoredEvent = (
  row: QueryResultRow,
  service: string,
  upcasters: Upcasters | undefined,
): StoredEvent => ({
  id: row.event_id as string,
  ...toEvent(row, upcasters),
  schemaVersion: Math.max(row.schema_version as number, newestSchemaVersion(upcasters, row.type as string)),
  service,
  aggregate: row.aggregate as string,
  projectId: row.project_id as string,
  streamId: row.stream_id as string,
  version: Number(row.version),
  position: formatPosition({
    epoch: row.epoch as number,
    ord: row.ord as string,
    position: row.position as string,
  }),
  recordedAt: (row.recorded_at as Date).toISOString(),
  metadata: row.metadata as StoredEvent['metadata'],
});

/** Whether a stream has an event above a version. */
export const hasEventsStatement = (
  aggregate: string,
  projectId: string,
  streamId: string,
  version: number,
): Statement => ({
  text: `
    SELECT EXISTS (
      SELECT 1 FROM events e
      WHERE e.project_id = $1 AND e.aggregate = $2 AND e.stream_id = $3 AND e.version > $4::bigint
    ) AS found`,
  values: [projectId, aggregate, streamId, version],
});

/** The events of some streams of one project, each stream's in its order; `before` is a version, exclusive. */
export const readStreamStatement = (query: {
  projectId: string;
  aggregate: string;
  streamIds: readonly string[];
  before?: number;
}): Statement => ({
  text: `
    SELECT ${eventColumns} FROM events e
    WHERE e.project_id = $1 AND e.aggregate = $2 AND e.stream_id = ANY($3) AND e.version < $4::bigint
    ORDER BY e.stream_id, e.version`,
  values: [query.projectId, query.aggregate, query.streamIds, query.before ?? Number.MAX_SAFE_INTEGER],
});
