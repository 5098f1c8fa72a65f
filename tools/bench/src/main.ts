// Measures the rows of architecture §10 that exist, beside baselines of the same run, and writes docs/benchmarks.md.
// Usage: npm run bench [-- --seconds 30] [-- --only stackable,popular,generation,webhooks,start,event-store] [-- --print]
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createDatabase, discard, startChild, startPostgres, startScrip } from '@scrip/testing';
import { eventStoreRows } from './rows/event-store';
import { generationRows } from './rows/generation';
import { popularCodeRows } from './rows/popular-code';
import { stackableRows } from './rows/stackable';
import { startRows } from './rows/start';
import { webhookLatencyRows } from './rows/webhook-latency';
import { reportOf } from './report';
import type { Row } from './row';

const options = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    only: { type: 'string', default: 'stackable,popular,generation,webhooks,start,event-store' },
    print: { type: 'boolean', default: false },
  },
}).values;

const main = async (): Promise<void> => {
  const seconds = Number(options.seconds);
  const wanted = new Set(options.only.split(','));
  const postgres = await startPostgres();
  process.env['SCRIP_TEST_POSTGRES_URL'] = postgres.url;
  const databaseUrl = await createDatabase('scrip');
  const baselineUrl = await createDatabase('baseline');
  const baseline = await startChild(
    join(__dirname, 'baseline-server.js'),
    { DATABASE_URL: baselineUrl },
    /on (http:\S+)/,
  );
  const scrip = await startScrip({ databaseUrl });
  const rows: Row[] = [];
  const measure = async (name: string, work: () => Promise<Row[]>) => {
    if (!wanted.has(name)) return;
    const measured = await work();
    for (const row of measured) console.log(`${row.work}: ${row.measured}; bar ${row.bar}; ${row.baseline}`);
    rows.push(...measured);
  };
  try {
    await measure('stackable', () => stackableRows(scrip, baseline, seconds));
    await measure('popular', () => popularCodeRows(scrip, baseline, seconds));
    await measure('generation', () => generationRows(scrip, databaseUrl));
    await measure('webhooks', () => webhookLatencyRows(scrip, seconds));
  } finally {
    await discard(scrip);
    await baseline.stop();
  }
  try {
    await measure('event-store', async () => eventStoreRows(await createDatabase('event_store')));
  } finally {
    await postgres.stop();
  }
  await measure('start', startRows);
  const report = reportOf(rows, seconds);
  if (options.print) console.log(report);
  else writeFileSync(resolve(__dirname, '../../../docs/benchmarks.md'), report);
};

void main();
