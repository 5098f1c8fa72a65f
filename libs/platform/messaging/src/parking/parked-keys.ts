import type { DataSource, EntityManager } from 'typeorm';
import { type Delivery, isUndecodable, keyOf } from '../feed/delivery';
import { StaleBatch } from '../feed/event-batch';
import { type PartitionOfGroup, countRelease } from '../partition/partition-position';
import type { NextAttempt } from '../partition/retry-schedule';

/** A key that failed, with how often in a row. */
export interface ParkedKey {
  key: string;
  attempts: number;
  state: NextAttempt['state'];
  error: string;
  firstSeenAt: Date;
}

/** One waiting event of a parked key. `content` is JSON of the event, or what arrived when it is not decoded. */
export interface ParkedEvent {
  id: string;
  key: string;
  position: string | null;
  decoded: boolean;
  content: string;
}

const errorLengthMax = 2_000;

const ofKey = `consumer_group = $1 AND topic = $2 AND partition = $3 AND key = $4`;

const keyPlace = ({ group, topic, partition }: PartitionOfGroup, key: string): unknown[] => [
  group,
  topic,
  partition,
  key,
];

/** A failure in the words that `parked_keys.error` keeps. */
export const errorText = (error: unknown): string =>
  // PostgreSQL's text takes no NUL character.
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error))
    .replaceAll('\u0000', '\\0')
    .slice(0, errorLengthMax);

/** Lists a key as failed. The caller moves the position in the same transaction. */
export const parkKey = async (
  manager: EntityManager,
  of: PartitionOfGroup,
  { key, error, attempts, next }: { key: string; error: string; attempts: number; next: NextAttempt },
): Promise<void> => {
  await manager.query(
    `INSERT INTO parked_keys (consumer_group, topic, partition, key, state, attempts, error, next_attempt_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, clock_timestamp() + $8 * interval '1 ms')`,
    [...keyPlace(of, key), next.state, attempts, error, next.delayMs],
  );
};

/** Adds events behind those of their parked keys, in the order given. */
export const addParkedEvents = async (
  manager: EntityManager,
  { group, topic, partition }: PartitionOfGroup,
  deliveries: readonly Delivery[],
): Promise<void> => {
  if (deliveries.length === 0) return;
  await manager.query(
    `INSERT INTO parked_events (consumer_group, topic, partition, key, position, decoded, event)
     SELECT $1, $2, $3, key, position, decoded, event
     FROM unnest($4::text[], $5::text[], $6::boolean[], $7::text[]) WITH ORDINALITY
       AS waiting (key, position, decoded, event, place)
     ORDER BY place`,
    [
      group,
      topic,
      partition,
      deliveries.map(keyOf),
      deliveries.map(({ position }) => position),
      deliveries.map((delivery) => !isUndecodable(delivery)),
      deliveries.map((delivery) => (isUndecodable(delivery) ? delivery.raw : JSON.stringify(delivery))),
    ],
  );
};

/** Of the keys whose time has come, the one that waits longest. */
export const dueKey = async (
  database: DataSource,
  { group, topic, partition }: PartitionOfGroup,
): Promise<ParkedKey | undefined> => {
  const [due] = await database.query<ParkedKey[]>(
    `SELECT key, attempts, state, error, first_seen_at AS "firstSeenAt" FROM parked_keys
     WHERE consumer_group = $1 AND topic = $2 AND partition = $3 AND next_attempt_at <= clock_timestamp()
     ORDER BY next_attempt_at, key LIMIT 1`,
    [group, topic, partition],
  );
  return due;
};

/** The named key, or all of them, whatever their time. */
export const parkedKeys = (
  database: DataSource,
  { group, topic, partition }: PartitionOfGroup,
  key?: string,
): Promise<ParkedKey[]> =>
  database.query<ParkedKey[]>(
    `SELECT key, attempts, state, error, first_seen_at AS "firstSeenAt" FROM parked_keys
     WHERE consumer_group = $1 AND topic = $2 AND partition = $3 AND ($4::text IS NULL OR key = $4)
     ORDER BY first_seen_at, key`,
    [group, topic, partition, key ?? null],
  );

/** Milliseconds until the next key is due, at least 0; undefined when none waits. */
export const nextDueInMs = async (
  database: DataSource,
  { group, topic, partition }: PartitionOfGroup,
): Promise<number | undefined> => {
  const [row] = await database.query<{ ms: string | null }[]>(
    `SELECT extract(epoch FROM min(next_attempt_at) - clock_timestamp()) * 1000 AS ms FROM parked_keys
     WHERE consumer_group = $1 AND topic = $2 AND partition = $3`,
    [group, topic, partition],
  );
  return row?.ms == null ? undefined : Math.max(0, Math.ceil(Number(row.ms)));
};

/** The oldest waiting events of a key: at most `limit.events`, and `limit.bytes` together with the last one. */
export const parkedEvents = (
  database: DataSource,
  of: PartitionOfGroup,
  key: string,
  limit: { events: number; bytes: number },
): Promise<ParkedEvent[]> =>
  database.query<ParkedEvent[]>(
    `SELECT id, key, position, decoded, content FROM (
       SELECT id, key, position, decoded, event AS content,
         sum(octet_length(event)) OVER (ORDER BY id) - octet_length(event) AS bytes_before
       FROM (SELECT * FROM parked_events WHERE ${ofKey} ORDER BY id LIMIT $5) e
     ) waiting WHERE bytes_before < $6 ORDER BY id`,
    [...keyPlace(of, key), limit.events, limit.bytes],
  );

/** Takes applied events away, and the key with its last one. The position row must be locked. Throws `StaleBatch`
 *  when one of them is gone already, that is, was applied by another replay. */
export const removeApplied = async (
  manager: EntityManager,
  of: PartitionOfGroup,
  key: string,
  ids: readonly string[],
): Promise<void> => {
  const removed = await manager.query<[unknown[], number]>(
    `DELETE FROM parked_events WHERE id = ANY($1::bigint[])`,
    [ids],
  );
  if (removed[1] !== ids.length)
    throw new StaleBatch(`parked events of ${of.group} were applied by another replay`);
  const released = await manager.query<[unknown[], number]>(
    `DELETE FROM parked_keys WHERE ${ofKey} AND NOT EXISTS (SELECT 1 FROM parked_events WHERE ${ofKey})`,
    keyPlace(of, key),
  );
  if (released[1] > 0) await countRelease(manager, of);
};

/** Notes one more failure of a key, unless it is listed no longer. */
export const recordFailure = async (
  database: DataSource,
  of: PartitionOfGroup,
  { key, error, attempts, next }: { key: string; error: string; attempts: number; next: NextAttempt },
): Promise<void> => {
  await database.query(
    `UPDATE parked_keys SET state = $5, attempts = $6, error = $7,
       next_attempt_at = clock_timestamp() + $8 * interval '1 ms'
     WHERE ${ofKey}`,
    [...keyPlace(of, key), next.state, attempts, error, next.delayMs],
  );
};
