import { type Scrip, waitUntil } from '@scrip/testing';
import { Client } from 'pg';
import { memoryWhile } from '../resident-memory';
import type { Row } from '../row';
import { largeCity, type SeedSizes } from '../seed/seed-records';

/** Longest accepted time from the answer until all members are found, and from a change of a customer until it belongs. */
const longest = { buildSeconds: 60, changeSeconds: 2 };

/** Most accepted memory above that of before, MB. */
const mbMax = 100;

const changes = 20;

/** An auto-update segment of a tenth of all customers: its first members, and customers who come to match. */
export const largeSegmentRows = async (
  scrip: Scrip,
  databaseUrl: string,
  { customers }: SeedSizes,
): Promise<{ segmentId: string; rows: Row[] }> => {
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  const membersOf = async (id: string, customerId: string | null = null): Promise<number> => {
    const { rows } = await database.query<{ members: number }>(
      `SELECT count(*)::int AS members FROM customers.segment_members
       WHERE segment_id = $1 AND ($2::text IS NULL OR customer_id = $2)`,
      [id, customerId],
    );
    return rows[0]?.members ?? 0;
  };
  const isBuilt = async (id: string): Promise<boolean> => {
    const { rows } = await database.query('SELECT 1 FROM customers.segment_builds WHERE segment_id = $1', [
      id,
    ]);
    return rows.length === 0;
  };
  const timeoutMs = 1_800_000;
  try {
    const startedAt = performance.now();
    const { result: id, aboveMb } = await memoryWhile(scrip.pid, async () => {
      const segment = await scrip.ask<{ id: string }>('POST', '/v1/segments', {
        name: `Bench ${Date.now()}`,
        type: 'auto-update',
        filter: { city: { conditions: { $is: [largeCity] } } },
      });
      await waitUntil(() => isBuilt(segment.id), { what: 'the segment', timeoutMs, intervalMs: 100 });
      return segment.id;
    });
    const buildSeconds = (performance.now() - startedAt) / 1_000;
    const [found, expected] = [await membersOf(id), Math.ceil(customers / 10)];
    if (found !== expected) throw new Error(`the segment has ${found} members, not ${expected}`);
    const changeMs: number[] = [];
    for (let change = 0; change < changes; change += 1) {
      const changed = await scrip.ask<{ id: string }>('PUT', `/v1/customers/customer-${10 * change + 1}`, {
        address: { city: largeCity },
      });
      const changedAt = performance.now();
      await waitUntil(async () => (await membersOf(id, changed.id)) === 1, {
        what: 'the member',
        timeoutMs,
        intervalMs: 5,
      });
      changeMs.push(performance.now() - changedAt);
    }
    const slowestMs = Math.max(...changeMs);
    const rows = [
      {
        work: `segment of a tenth of ${customers.toLocaleString('en')} customers, POST answered → all members found`,
        measured: `${buildSeconds.toFixed(1)} s (${Math.round(customers / buildSeconds).toLocaleString('en')} customers/s)`,
        baseline: '–',
        bar: `≤ ${longest.buildSeconds} s`,
        met: buildSeconds <= longest.buildSeconds,
      },
      {
        work: 'the same: memory above that of before',
        measured: `${aboveMb.toFixed(0)} MB`,
        baseline: '–',
        bar: `≤ ${mbMax} MB`,
        met: aboveMb <= mbMax,
      },
      {
        work: `the same: change of a customer answered → member, the slowest of ${changes}`,
        measured: `${slowestMs.toFixed(0)} ms`,
        baseline: '–',
        bar: `≤ ${longest.changeSeconds} s`,
        met: slowestMs <= longest.changeSeconds * 1_000,
      },
    ];
    return { segmentId: id, rows };
  } finally {
    await database.end();
  }
};
