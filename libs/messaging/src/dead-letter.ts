import type { DataSource } from 'typeorm';
import type { ParkedEvent } from './parked-keys';
import type { PartitionOfGroup } from './partition-position';

/** A copy of a parked event for those who watch from outside. Told at least once. Source: spec 06 §9.4. */
export interface DeadLetter extends PartitionOfGroup {
  key: string;
  /** JSON of the stored event, or what arrived when it could not be decoded. */
  content: string;
  decoded: boolean;
  error: string;
  attempts: number;
  firstSeenAt: Date;
}

/** Where dead letters go besides the table of parked events: a topic, an alert. */
export type Mirror = (letter: DeadLetter) => Promise<void>;

type MirrorRow = ParkedEvent & { error: string; attempts: number; firstSeenAt: Date };

const pageSize = 100;

/** Tells `mirror` of the parked events it has not heard of, in their order, and notes that it has. */
export const mirrorParkedEvents = async (
  database: DataSource,
  of: PartitionOfGroup,
  mirror: Mirror,
): Promise<void> => {
  for (;;) {
    const rows = await database.query<MirrorRow[]>(
      `SELECT e.id, e.key, e.position, e.decoded, e.event AS content, k.error, k.attempts,
         k.first_seen_at AS "firstSeenAt"
       FROM parked_events e JOIN parked_keys k USING (consumer_group, topic, partition, key)
       WHERE e.consumer_group = $1 AND e.topic = $2 AND e.partition = $3 AND e.mirrored_at IS NULL
         AND k.state = 'PARKED'
       ORDER BY e.id LIMIT ${pageSize}`,
      [of.group, of.topic, of.partition],
    );
    for (const { key, content, decoded, error, attempts, firstSeenAt } of rows) {
      const { group, topic, partition } = of;
      await mirror({ group, topic, partition, key, content, decoded, error, attempts, firstSeenAt });
    }
    if (rows.length > 0) {
      await database.query(
        `UPDATE parked_events SET mirrored_at = clock_timestamp() WHERE id = ANY($1::bigint[])`,
        [rows.map(({ id }) => id)],
      );
    }
    if (rows.length < pageSize) return;
  }
};
