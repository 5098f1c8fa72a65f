import { Client } from 'pg';
import type { Row } from '../row';
import { type Scrip, campaignOf } from '@scrip/testing';

const codes = 100_000;

/** Rows of a voucher's width, copied in by the server itself: what PostgreSQL alone takes. */
const copyOfEqualRows = async (databaseUrl: string): Promise<number> => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`
    DROP TABLE IF EXISTS baseline_copy, baseline_source;
    CREATE TABLE baseline_source AS SELECT 'proj_bench' AS project_id, 'v_' || md5(n::text) AS id, substr(md5(n::text), 1, 8) AS code,
      'camp_' || md5('c') AS campaign_id, 'def_' || md5('d') AS definition_id, now() AS created_at FROM generate_series(1, ${codes}) n;
    CREATE TABLE baseline_copy (project_id text COLLATE "C", id text COLLATE "C", code text COLLATE "C", campaign_id text COLLATE "C",
      definition_id text COLLATE "C", created_at timestamptz, PRIMARY KEY (project_id, id), UNIQUE (project_id, code));`);
  const startedAt = performance.now();
  await client.query('INSERT INTO baseline_copy SELECT * FROM baseline_source');
  const elapsedMs = performance.now() - startedAt;
  await client.query('DROP TABLE baseline_copy, baseline_source');
  await client.end();
  return elapsedMs;
};

/** A campaign with 100,000 vouchers, from POST answered until GET says DONE. */
export const generationRows = async (scrip: Scrip, databaseUrl: string): Promise<Row[]> => {
  const baseMs = await copyOfEqualRows(databaseUrl);
  const startedAt = performance.now();
  await campaignOf(scrip, `Bench generation ${Date.now()}`, codes);
  const elapsedMs = performance.now() - startedAt;
  return [
    {
      work: 'campaign with 100,000 vouchers, POST answered → GET says DONE',
      measured: `${(elapsedMs / 1_000).toFixed(1)} s (${(elapsedMs / baseMs).toFixed(1)} × COPY)`,
      baseline: `bulk insert of equal rows ${(baseMs / 1_000).toFixed(2)} s`,
      bar: '≤ 8 × COPY of equal rows',
      met: elapsedMs <= 8 * baseMs,
    },
  ];
};
