import type { DataSource } from 'typeorm';
import type { PartitionOfGroup } from '../partition/partition-position';

/** A copy of a parked event for those who watch from outside. Told at least once. Source: reference 06 §9.4. */
export interface DeadLetter extends PartitionOfGroup {
  key: string;
  /** JSON of the stored event, or what arrived when it could not be decoded. */
  content: string;
  decoded: boolean;
  error: string;
  attempts: number;
  firstSeenAt: Date;
}

/** Where dead letters go besides the table of parked events: a topic, an alert. All of a call are of one group and
 *  topic, in their order. */
export type Mirror = (letters: readonly DeadLetter[]) => Promise<void>;

type MirrorRow = Pick<DeadLetter, 'key' | 'content' | 'decoded' | 'error' | 'attempts' | 'firstSeenAt'> & {
  id: string;
};

/** A page is read and sent at once: so many letters, and so many bytes of them together with the last one. */
const page = { letters: 500, bytes: 500_000 };

/** Tells `mirror` of the parked events it has not heard of, in their order, and notes that it has. */
export const mirrorParkedEvents = async (
  database: DataSource,
  { group, topic, partition }: PartitionOfGroup,
  mirror: Mirror,
): Promise<void> => {
  for (;;) {
    const rows = await database.query<MirrorRow[]>(
      `SELECT id, key, decoded, content, error, attempts, "firstSeenAt" FROM (
         SELECT e.id, e.key, e.decoded, e.event AS content, k.error, k.attempts, k.first_seen_at AS "firstSeenAt",
           sum(octet_length(e.event)) OVER (ORDER BY e.id) - octet_length(e.event) AS bytes_before
         FROM (
           SELECT * FROM parked_events
           WHERE consumer_group = $1 AND topic = $2 AND partition = $3 AND mirrored_at IS NULL
         ) e JOIN parked_keys k USING (consumer_group, topic, partition, key)
         WHERE k.state = 'PARKED' ORDER BY e.id LIMIT ${page.letters}
       ) letter WHERE bytes_before < ${page.bytes} ORDER BY id`,
      [group, topic, partition],
    );
    if (rows.length === 0) return;
    await mirror(rows.map(({ id: _id, ...letter }) => ({ group, topic, partition, ...letter })));
    await database.query(
      `UPDATE parked_events SET mirrored_at = clock_timestamp() WHERE id = ANY($1::bigint[])`,
      [rows.map(({ id }) => id)],
    );
  }
};
