// Measures the rows of architecture §10 that exist, beside baselines of the same run, and writes docs/benchmarks.md.
// Usage: npm run bench [-- --shape distributed] [-- --seconds 30] [-- --only name,name] [-- --print]
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  createDatabase,
  discard,
  startChild,
  startKafka,
  startPostgres,
  startScrip,
  type Shape,
} from '@scrip/testing';
import { eventStoreRows } from './rows/event-store';
import { generationRows } from './rows/generation';
import { kafkaThroughputRows } from './rows/kafka-throughput';
import { popularCodeRows } from './rows/popular-code';
import { rpcRows } from './rows/rpc';
import { stackableRows } from './rows/stackable';
import { startRows } from './rows/start';
import { webhookLatencyRows } from './rows/webhook-latency';
import { pageWith, sectionOf } from './report';
import type { Row } from './row';

const overHttp = ['stackable', 'popular', 'generation', 'webhooks'];
const rowsOf: Record<Shape, string[]> = {
  embedded: [...overHttp, 'event-store', 'start'],
  distributed: [...overHttp, 'rpc', 'kafka'],
};

const options = parseArgs({
  options: {
    shape: { type: 'string', default: 'embedded' },
    seconds: { type: 'string', default: '30' },
    only: { type: 'string' },
    print: { type: 'boolean', default: false },
  },
}).values;

const main = async (): Promise<void> => {
  const shape: Shape = options.shape === 'distributed' ? 'distributed' : 'embedded';
  process.env['SCRIP_TEST_SHAPE'] = shape;
  const seconds = Number(options.seconds);
  const wanted = new Set(options.only?.split(',') ?? rowsOf[shape]);
  const rows: Row[] = [];
  const measure = async (name: string, work: () => Promise<Row[]>) => {
    if (!wanted.has(name)) return;
    const measured = await work();
    for (const row of measured) console.log(`${row.work}: ${row.measured}; bar ${row.bar}; ${row.baseline}`);
    rows.push(...measured);
  };
  const postgres = await startPostgres();
  process.env['SCRIP_TEST_POSTGRES_URL'] = postgres.url;
  try {
    if (overHttp.some((name) => wanted.has(name))) {
      const databaseUrl = await createDatabase('scrip');
      const baseline = await startChild(
        join(__dirname, 'baseline-server.js'),
        { DATABASE_URL: await createDatabase('baseline') },
        /on (http:\S+)/,
      );
      const scrip = await startScrip({ databaseUrl });
      try {
        await measure('stackable', () => stackableRows(scrip, baseline, { seconds, shape }));
        await measure('popular', () => popularCodeRows(scrip, baseline, { seconds, shape }));
        await measure('generation', () => generationRows(scrip, databaseUrl));
        await measure('webhooks', () => webhookLatencyRows(scrip, seconds));
      } finally {
        await discard(scrip);
        await baseline.stop();
      }
    }
    await measure('event-store', async () => eventStoreRows(await createDatabase('event_store')));
    if (wanted.has('kafka')) {
      const kafka = await startKafka();
      try {
        await measure('kafka', async () => kafkaThroughputRows(await createDatabase('kafka'), kafka.brokers));
      } finally {
        await kafka.stop();
      }
    }
  } finally {
    await postgres.stop();
  }
  await measure('rpc', () => rpcRows(seconds));
  await measure('start', startRows);
  const section = sectionOf(rows, { shape, seconds });
  const page = resolve(__dirname, '../../../docs/benchmarks.md');
  if (options.print) console.log(section);
  else writeFileSync(page, pageWith(page, shape, section));
};

void main();
