import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';

const pollMs = 20;

/** Waits for the end of all transactions that began before now: those that come after see what is stored by now. */
export const untilOthersSee = async (dataSource: DataSource): Promise<void> => {
  const [{ next }] = await dataSource.query<[{ next: string }]>(
    'SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next',
  );
  for (;;) {
    const [{ over }] = await dataSource.query<[{ over: boolean }]>(
      'SELECT pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 AS over',
      [next],
    );
    if (over) return;
    await pause(pollMs);
  }
};
