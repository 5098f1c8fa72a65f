import { type Scrip, waitUntil } from '@scrip/testing';
import { memoryWhile } from '../resident-memory';
import type { Row } from '../row';
import type { SeedSizes } from '../seed/seed-records';

/** Most accepted memory above that of before, MB. */
const mbMax = 100;

interface Export {
  status: string;
}

/** An export of all customers: from the answer that takes it until it is done. */
export const largeExportRows = async (scrip: Scrip, { customers }: SeedSizes): Promise<Row[]> => {
  const startedAt = performance.now();
  const { aboveMb } = await memoryWhile(scrip.pid, async () => {
    const { id } = await scrip.ask<{ id: string }>('POST', '/v1/exports', {
      exported_object: 'customer',
      parameters: { fields: ['id', 'source_id', 'name', 'email', 'address_city', 'created_at'] },
    });
    let found: Export = { status: 'SCHEDULED' };
    await waitUntil(
      async () => {
        found = await scrip.ask<Export>('GET', `/v1/exports/${id}`);
        return found.status === 'DONE' || found.status === 'ERROR';
      },
      { what: 'the export', timeoutMs: 1_800_000, intervalMs: 200 },
    );
    if (found.status !== 'DONE') throw new Error(`the export ended as ${JSON.stringify(found)}`);
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  return [
    {
      work: `export of ${customers.toLocaleString('en')} customers, asked for → DONE`,
      measured: `${seconds.toFixed(1)} s (${Math.round(customers / seconds).toLocaleString('en')} rows/s)`,
      baseline: '–',
      bar: '–',
      met: null,
    },
    {
      work: 'the same: memory above that of before',
      measured: `${aboveMb.toFixed(0)} MB`,
      baseline: '–',
      bar: `≤ ${mbMax} MB`,
      met: aboveMb <= mbMax,
    },
  ];
};
