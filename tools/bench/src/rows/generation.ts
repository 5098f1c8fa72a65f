import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Scrip, campaignOf } from '@scrip/testing';
import { Client } from 'pg';
import type { Row } from '../row';

const codes = 100_000;

/** Longest accepted time, as a multiple of a COPY of the same rows. Source: architecture §12. */
const timesCopy = 3;

/** How long PostgreSQL takes to COPY the rows just generated into a table with the same indexes, milliseconds. */
const copyOfEqualRows = async (databaseUrl: string, campaignId: string): Promise<number> => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const file = join(tmpdir(), `scrip-bench-${process.pid}.copy`);
  try {
    await client.query(
      `COPY (SELECT * FROM campaigns.vouchers WHERE campaign_id = '${campaignId}') TO '${file}';
       CREATE TABLE baseline_vouchers (LIKE campaigns.vouchers INCLUDING ALL)`,
    );
    const startedAt = performance.now();
    await client.query(`COPY baseline_vouchers FROM '${file}'`);
    const elapsedMs = performance.now() - startedAt;
    await client.query('DROP TABLE baseline_vouchers');
    return elapsedMs;
  } finally {
    rmSync(file, { force: true });
    await client.end();
  }
};

/** A campaign with 100,000 vouchers, from POST answered until GET says DONE. */
export const generationRows = async (scrip: Scrip, databaseUrl: string): Promise<Row[]> => {
  const startedAt = performance.now();
  const { id } = await campaignOf(scrip, `Bench generation ${Date.now()}`, codes);
  const elapsedMs = performance.now() - startedAt;
  const baseMs = await copyOfEqualRows(databaseUrl, id);
  return [
    {
      work: 'campaign with 100,000 vouchers, POST answered → GET says DONE',
      measured: `${(elapsedMs / 1_000).toFixed(1)} s (${(elapsedMs / baseMs).toFixed(1)} × COPY)`,
      baseline: `COPY of the same rows ${(baseMs / 1_000).toFixed(2)} s`,
      bar: `≤ ${timesCopy} × COPY of equal rows`,
      met: elapsedMs <= timesCopy * baseMs,
    },
  ];
};
