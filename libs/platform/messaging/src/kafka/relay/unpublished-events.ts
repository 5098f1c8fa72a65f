import type { LogPosition } from '@scrip/event-store';
import { parsePosition } from '@scrip/event-store';
import type { DataSource } from 'typeorm';
import { errorText } from '../../parking/parked-keys';
import type { OutgoingEvent } from './event-publisher';

const countMax = 10_000;

/** Notes an event that the broker refuses; one noted before stays as it is. */
export const noteUnpublished = async (
  database: DataSource,
  { event, topic }: OutgoingEvent,
  error: unknown,
): Promise<void> => {
  await database.query(
    `INSERT INTO unpublished_events (event_id, position, topic, error) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING`,
    [event.id, event.position, topic, errorText(error)],
  );
};

/** How many events were refused. */
export const countUnpublished = async (database: DataSource): Promise<number> => {
  const [row] = await database.query<{ count: number }[]>(
    `SELECT count(*)::int AS count FROM unpublished_events`,
  );
  return row?.count ?? 0;
};

/** Events behind a position, counted up to 10,000, and the age of the first. */
export const lagBehind = async (
  database: DataSource,
  position: LogPosition,
): Promise<{ events: number; seconds: number }> => {
  const { epoch, ord, position: place } = parsePosition(position);
  const [row] = await database.query<{ events: number; seconds: number }[]>(
    `SELECT count(*)::int AS events,
       coalesce(greatest(extract(epoch FROM clock_timestamp() - min(recorded_at)), 0), 0)::float8 AS seconds
     FROM (
       SELECT recorded_at FROM events WHERE (epoch, ord, position) > ($1::int, $2::xid8, $3::bigint)
       ORDER BY epoch, ord, position LIMIT ${countMax}
     ) waiting`,
    [epoch, ord, place],
  );
  return row ?? { events: 0, seconds: 0 };
};

/** The relay's position in the database; null before it first ran. */
export const storedPosition = async (database: DataSource, relay: string): Promise<LogPosition | null> => {
  const [row] = await database.query<{ position: LogPosition }[]>(
    `SELECT position FROM relay_positions WHERE relay = $1`,
    [relay],
  );
  return row?.position ?? null;
};
