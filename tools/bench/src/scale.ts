import {
  createDatabase,
  discard,
  freePort,
  type Scrip,
  startPostgres,
  startScrip,
  waitUntil,
} from '@scrip/testing';
import { totalmem } from 'node:os';
import { Client } from 'pg';
import { largeExportRows } from './rows/large-export';
import { largeImportRows } from './rows/large-import';
import { largeListRows } from './rows/large-lists';
import { largeSegmentRows } from './rows/large-segment';
import type { Row } from './row';
import { seed } from './seed/seed';
import type { SeedSizes } from './seed/seed-records';

/** What can be measured of a large project. */
export const scaleMeasures = ['segment', 'lists', 'export', 'import'] as const;

/** As many orders as customers; a fifth as many products, one of which has a tenth as many SKUs. */
export const sizesOf = (customers: number): SeedSizes => ({
  customers,
  orders: customers,
  products: Math.ceil(customers / 5),
  skusOfOne: Math.ceil(customers / 50),
});

const perSecond = (work: string, count: number, seconds: number): Row => ({
  work: `seed of ${count.toLocaleString('en')} ${work}`,
  measured: `${seconds.toFixed(0)} s (${Math.round(count / seconds).toLocaleString('en')}/s)`,
  baseline: '–',
  bar: '–',
  met: null,
});

const lag = /^scrip_projection_lag_events\{[^}]*\} (\d+)$/gm;

/** Waits until all consumers have read what was stored beside them. */
const consumersCatchUp = (metricsPort: number): Promise<unknown> =>
  waitUntil(
    async () => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      return [...text.matchAll(lag)].every(([, waiting]) => waiting === '0');
    },
    { what: 'consumers to catch up', timeoutMs: 3_600_000, intervalMs: 1_000 },
  );

const vacuumed = async (databaseUrl: string): Promise<void> => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
};

/** A filled project. */
export interface Filled {
  scrip: Scrip;
  databaseUrl: string;
  sizes: SeedSizes;
  firstProductId: string;
  wanted: ReadonlySet<string>;
}

/** Measures what is wanted of a filled project. */
export const measuredRows = async (
  { scrip, databaseUrl, sizes, firstProductId, wanted }: Filled,
  printed: (rows: Row[]) => Row[],
): Promise<Row[]> => {
  const rows: Row[] = [];
  let segmentId: string | null = null;
  if (wanted.has('segment')) {
    const segment = await largeSegmentRows(scrip, databaseUrl, sizes);
    segmentId = segment.segmentId;
    rows.push(...printed(segment.rows));
  }
  if (wanted.has('lists')) rows.push(...(await largeListRows(scrip, sizes, { firstProductId, segmentId })));
  if (wanted.has('export')) rows.push(...printed(await largeExportRows(scrip, sizes)));
  if (wanted.has('import')) rows.push(...printed(await largeImportRows(scrip)));
  return rows;
};

/** What a server of a large project is given, as a setting of PostgreSQL. */
const quarterOfMemory = (): string => `${Math.floor(totalmem() / 4 / 1_048_576)}MB`;

/** Measures a project that has `customers` customers and as many orders, in one process. Takes minutes and gigabytes of disk. */
export const scaleRows = async (
  { customers, wanted }: { customers: number; wanted: ReadonlySet<string> },
  printed: (rows: Row[]) => Row[],
): Promise<Row[]> => {
  const sizes = sizesOf(customers);
  const postgres = await startPostgres({ settings: { shared_buffers: quarterOfMemory() } });
  process.env['SCRIP_TEST_POSTGRES_URL'] = postgres.url;
  try {
    const databaseUrl = await createDatabase('scrip');
    const metricsPort = await freePort();
    const environment = { SCRIP_METRICS_PORT: String(metricsPort) };
    const scrip = await startScrip({ databaseUrl, shape: 'embedded', environment });
    try {
      const projectId = scrip.credentials.project_id;
      const { seconds, firstProductId } = await seed(
        { databaseUrl, dataDir: scrip.dataDir, projectId },
        sizes,
      );
      const rows = printed([
        perSecond('products', sizes.products, seconds.products),
        perSecond('customers', sizes.customers, seconds.customers),
        perSecond('orders', sizes.orders, seconds.orders),
      ]);
      await consumersCatchUp(metricsPort);
      await vacuumed(databaseUrl);
      rows.push(...(await measuredRows({ scrip, databaseUrl, sizes, firstProductId, wanted }, printed)));
      return rows;
    } finally {
      await discard(scrip);
    }
  } finally {
    await postgres.stop();
  }
};
