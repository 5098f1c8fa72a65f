import type { EntityManager } from 'typeorm';
import type { Consumer } from '../consumer/consumer';
import type { EventBatch } from '../feed/event-batch';

const strayedSql = `
  SELECT format('%I.%I', schemaname, relname) AS "table" FROM pg_stat_xact_user_tables
  WHERE schemaname <> $1 AND n_tup_ins + n_tup_upd + n_tup_del > 0`;

/** The consumer, whose commits may write into one schema only. Another write fails, and `strayed` is called with the
 *  error: a handler with other effects must not be fed its past again. */
export const confined = (consumer: Consumer, schema: string, strayed: (error: Error) => void): Consumer => {
  const check = async (manager: EntityManager): Promise<void> => {
    const [written] = await manager.query<{ table: string }[]>(strayedSql, [schema]);
    if (!written) return;
    const error = new Error(`${consumer.group} writes ${written.table}, which it does not say that it fills`);
    strayed(error);
    throw error;
  };
  const confinedBatch = (batch: EventBatch): EventBatch => ({
    topic: batch.topic,
    group: batch.group,
    events: batch.events,
    replayed: batch.replayed,
    commit: (work) =>
      batch.commit(async (manager) => {
        await work(manager);
        await check(manager);
      }),
  });
  return { ...consumer, handle: (batch) => consumer.handle(confinedBatch(batch)) };
};
