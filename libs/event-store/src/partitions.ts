import { Logger } from '@nestjs/common';
import type { Database } from './database';
import { classifyDatabaseError } from './database-error';

const monthsAhead = 3;
const receiptsLiveHours = 24;

const monthStart = (year: number, month: number): string => new Date(Date.UTC(year, month, 1)).toISOString();

interface Partition {
  name: string;
  from: string;
  to: string;
}

/** The partitions of the month of `now` and the ones after it, in UTC. */
export const partitionsFrom = (now: Date): Partition[] =>
  Array.from({ length: monthsAhead + 1 }, (_, ahead) => {
    const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() + ahead];
    const from = monthStart(year, month);
    return { name: `events_${from.slice(0, 7).replace('-', '_')}`, from, to: monthStart(year, month + 1) };
  });

/** Creates the event partitions of this month and the next three where they are missing, and forgets old receipts.
 *  Events outside of any month's partition go to the default one; a month that already has events there stays there,
 *  which costs pruning but loses nothing. */
export const ensurePartitions = (database: Database, now: Date): Promise<void> =>
  database.withConnection(async ({ client }) => {
    for (const { name, from, to } of partitionsFrom(now)) {
      const { rows } = await client.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [
        name,
      ]);
      if (rows[0]?.found) continue;
      try {
        await client.query(`
          BEGIN;
          SET LOCAL lock_timeout = '5s';
          SELECT pg_advisory_xact_lock(hashtext('event_store_partitions'));
          CREATE TABLE IF NOT EXISTS ${name} PARTITION OF events FOR VALUES FROM ('${from}') TO ('${to}');
          COMMIT`);
      } catch (error) {
        await client.query('ROLLBACK');
        if (classifyDatabaseError(error).kind !== 'constraint') throw error;
        new Logger('EventStore').warn(
          `${name} not created: the default partition already holds events of that month`,
        );
      }
    }
    await client.query(
      `DELETE FROM event_store_receipts WHERE recorded_at < now() - interval '${receiptsLiveHours} hours'`,
    );
  });
