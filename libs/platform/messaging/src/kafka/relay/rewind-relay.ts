import {
  type LogPosition,
  type PositionParts,
  comparePositions,
  formatPosition,
  logStart,
} from '@scrip/event-store';
import { type Refusal, refuse } from '@scrip/kernel';
import type { DataSource } from 'typeorm';

/** The last event before the first that was appended at `$1` or later; no row where there is none as late. */
const beforeSql = `
  WITH first AS (
    SELECT epoch, ord, position FROM events WHERE recorded_at >= $1 ORDER BY epoch, ord, position LIMIT 1
  )
  SELECT before.epoch, before.ord::text, before.position::text
  FROM first LEFT JOIN LATERAL (
    SELECT e.epoch, e.ord, e.position FROM events e
    WHERE (e.epoch, e.ord, e.position) < (first.epoch, first.ord, first.position)
    ORDER BY e.epoch DESC, e.ord DESC, e.position DESC LIMIT 1
  ) before ON true`;

/** Sets a service's relay back, so that it publishes again what was appended at `since` (an ISO instant) or later;
 *  null: the whole log. For events that the brokers have lost: consumers drop by position what they have had. The
 *  process that leads notices within seconds. Returns from where to where it moved, which may be the same place.
 *  Refuses `relay_not_found` where the service never had a relay. Source: architecture §6. */
export const rewindRelay = (
  database: DataSource,
  service: string,
  since: string | null,
): Promise<{ from: LogPosition; to: LogPosition } | Refusal> =>
  database.transaction(async (manager) => {
    const [relay] = await manager.query<{ position: LogPosition }[]>(
      `SELECT position FROM relay_positions WHERE relay = $1 FOR UPDATE`,
      [service],
    );
    if (!relay) return refuse('relay_not_found', service);
    const from = relay.position;
    const to =
      since === null ? logStart : await placeBefore((sql, values) => manager.query(sql, values), since);
    if (to === undefined || comparePositions(to, from) >= 0) return { from, to: from };
    await manager.query(
      `UPDATE relay_positions SET position = $2, moved_at = clock_timestamp() WHERE relay = $1`,
      [service, to],
    );
    return { from, to };
  });

type Query = (
  sql: string,
  values: unknown[],
) => Promise<(PositionParts | Record<keyof PositionParts, null>)[]>;

const placeBefore = async (query: Query, since: string): Promise<LogPosition | undefined> => {
  const [before] = await query(beforeSql, [since]);
  if (!before) return undefined;
  return before.epoch === null ? logStart : formatPosition(before);
};
