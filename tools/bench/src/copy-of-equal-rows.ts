import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

/** How long PostgreSQL takes to COPY the rows just generated into a table with the same indexes, milliseconds. */
export const copyOfEqualRows = async (databaseUrl: string, campaignId: string): Promise<number> => {
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
