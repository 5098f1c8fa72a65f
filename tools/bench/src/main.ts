// npm run bench: measures the figures of architecture §12 beside baselines of the same run and writes docs/benchmarks.md.
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { endWithUsage, readCommandLine } from '@scrip/service';
import {
  createDatabase,
  discard,
  startChild,
  startKafka,
  startPostgres,
  startScrip,
  type Shape,
} from '@scrip/testing';
import { decisionRows } from './rows/decisions';
import { engineRows } from './rows/engine';
import { eventStoreRows } from './rows/event-store';
import { generationRows } from './rows/generation';
import { kafkaThroughputRows } from './rows/kafka-throughput';
import { listRows } from './rows/lists';
import { largeUpdateRows, manyVoucherRows } from './rows/many-vouchers';
import { limitedCodeRows } from './rows/limited-code';
import { popularCodeRows } from './rows/popular-code';
import { publishingRows } from './rows/publishing';
import { qualificationRows } from './rows/qualification';
import { type Redeeming, redemptionCostRows } from './rows/redemption-cost';
import { replicaRows } from './rows/replicas';
import { rpcRows } from './rows/rpc';
import { stackableRows } from './rows/stackable';
import { startRows } from './rows/start';
import { webhookLatencyRows } from './rows/webhook-latency';
import { type Subject, pageWith, sectionOf } from './report';
import type { Row } from './row';
import { scaleMeasures, scaleRows } from './scale';

const overHttp = ['cost', 'stackable', 'decisions', 'popular', 'limited', 'generation', 'webhooks'];
const rowsOf: Record<Shape, string[]> = {
  embedded: [
    ...overHttp,
    'qualification',
    'publishing',
    'imports',
    'lists',
    'update',
    'event-store',
    'start',
  ],
  distributed: [...overHttp, 'replicas', 'rpc', 'kafka'],
};

const usage = `npm run bench [-- --shape embedded|distributed|engine|scale] [--seconds 30] [--only name,name] [--print]
  [--against <folder> [--against-node <file>]] [--customers 1000000] [--vouchers 1000000] [--campaigns 20000]

Measures beside baselines of the same run, and writes docs/benchmarks.md; with --print it prints instead.
--only      some of the measures: embedded ${rowsOf.embedded.join(', ')}; distributed ${rowsOf.distributed.join(', ')};
            scale ${scaleMeasures.join(', ')}
--customers of the project that the shape scale fills first: as many orders, a fifth as many products
--vouchers  that are listed; a tenth as many are imported
--campaigns that qualifications are asked over; a twentieth of them first
--against   another checkout, built, and with --against-node Node's program that runs it: what a redemption costs is
            measured of both in turn`;

const options = readCommandLine(usage, {
  shape: { type: 'string', default: 'embedded' },
  seconds: { type: 'string', default: '30' },
  only: { type: 'string' },
  against: { type: 'string' },
  'against-node': { type: 'string' },
  customers: { type: 'string', default: '1000000' },
  vouchers: { type: 'string', default: '1000000' },
  campaigns: { type: 'string', default: '20000' },
  print: { type: 'boolean', default: false },
}).values;

const page = resolve(__dirname, '../../../docs/benchmarks.md');

const report = (subject: Subject, rows: readonly Row[], seconds: number): void => {
  const text = sectionOf(rows, { subject, seconds });
  if (options.print) console.log(text);
  else writeFileSync(page, pageWith(page, subject, text));
};

const printed = (rows: Row[]): Row[] => {
  for (const row of rows) console.log(`${row.work}: ${row.measured}; bar ${row.bar}; ${row.baseline}`);
  return rows;
};

const measureCost = async (own: Redeeming, how: { seconds: number; shape: Shape }): Promise<Row[]> => {
  if (!options.against) return redemptionCostRows(own, null, how);
  const databaseUrl = await createDatabase('scrip_other');
  const scrip = await startScrip({
    databaseUrl,
    checkout: resolve(options.against),
    ...(options['against-node'] === undefined ? {} : { node: options['against-node'] }),
  });
  try {
    return await redemptionCostRows(own, { scrip, databaseUrl }, how);
  } finally {
    await discard(scrip);
  }
};

const measureShape = async (shape: Shape): Promise<void> => {
  process.env['SCRIP_TEST_SHAPE'] = shape;
  const [seconds, vouchers] = [Number(options.seconds), Number(options.vouchers)];
  const wanted = new Set(options.only?.split(',') ?? rowsOf[shape]);
  const rows: Row[] = [];
  const measure = async (name: string, work: () => Promise<Row[]>) => {
    if (!wanted.has(name)) return;
    rows.push(...printed(await work()));
  };
  const postgres = await startPostgres();
  process.env['SCRIP_TEST_POSTGRES_URL'] = postgres.url;
  try {
    if (
      [...overHttp, 'qualification', 'publishing', 'imports', 'replicas', 'lists', 'update'].some((name) =>
        wanted.has(name),
      )
    ) {
      const databaseUrl = await createDatabase('scrip');
      const baseline = await startChild(
        join(__dirname, 'baseline-server.js'),
        { DATABASE_URL: await createDatabase('baseline') },
        /on (http:\S+)/,
      );
      const scrip = await startScrip({ databaseUrl });
      try {
        await measure('cost', () => measureCost({ scrip, databaseUrl }, { seconds, shape }));
        await measure('stackable', () => stackableRows(scrip, baseline, { seconds, shape }));
        await measure('decisions', () => decisionRows(scrip, baseline, { seconds, shape }));
        await measure('popular', () => popularCodeRows(scrip, baseline, { seconds, shape }));
        await measure('limited', () => limitedCodeRows(scrip, { seconds }));
        await measure('replicas', () => replicaRows(scrip, { seconds }));
        await measure('generation', () => generationRows(scrip, databaseUrl));
        await measure('webhooks', () => webhookLatencyRows(scrip, seconds));
        await measure('qualification', () =>
          qualificationRows(scrip, baseline, { seconds, campaigns: Number(options.campaigns) }),
        );
        await measure('publishing', () => publishingRows(scrip, baseline, { seconds }));
        await measure('imports', () => manyVoucherRows(scrip, databaseUrl, Math.ceil(vouchers / 10)));
        await measure('lists', () => listRows(scrip, vouchers));
        await measure('update', () => largeUpdateRows(scrip, vouchers));
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
  report(shape, rows, seconds);
};

const main = async (): Promise<void> => {
  const { shape, seconds } = options;
  if (shape === 'engine') return report('engine', printed(engineRows()), Number(seconds));
  if (shape === 'scale') {
    const wanted = new Set<string>(options.only?.split(',') ?? scaleMeasures);
    return report('scale', await scaleRows({ customers: Number(options.customers), wanted }, printed), 0);
  }
  if (shape !== 'embedded' && shape !== 'distributed')
    return endWithUsage(usage, `there is no shape ${shape}`);
  await measureShape(shape);
};

void main();
