import { readInput } from '@scrip/edge';
import { eventStoreMigrations } from '@scrip/event-store';
import { isRefused } from '@scrip/kernel';
import { createDatabase, touchedRows } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { catalogContext } from '../index';
import { SkuListQuery, skuListStatements } from './sku.reads';

const calendar = { today: '2026-01-02', zone: 'UTC' };

let database: DataSource;

beforeAll(async () => {
  database = new DataSource({ type: 'postgres', url: await createDatabase('sku_plans') });
  await database.initialize();
  const runner = database.createQueryRunner();
  for (const Migration of [...eventStoreMigrations, ...catalogContext.migrations])
    await new Migration().up(runner);
  await runner.query(`
    INSERT INTO skus (project_id, id, product_id, status, source_id, sku, snapshot, created_at, updated_at)
      SELECT 'proj_1', 'sku_' || product || '_' || lpad(n::text, 6, '0'), 'prod_' || product, 'LIVE',
        'source-' || product || '-' || n, 'SKU ' || n, '{}', '2026-01-01'::timestamptz + n * interval '1 minute',
        CASE WHEN n % 2 = 0 THEN '2026-02-01'::timestamptz + n * interval '1 minute' END
      FROM generate_series(1, 1000) n, generate_series(1, 5) product`);
  await runner.query('VACUUM ANALYZE skus');
  await runner.release();
});
afterAll(() => database?.destroy());

it.each<[string, object, string]>([
  ['all', {}, 'skus_created'],
  ['the newest', { order: '-created_at' }, 'skus_created'],
  ['the latest changes', { order: '-updated_at' }, 'skus_updated'],
  ['what never changed', { order: 'updated_at' }, 'skus_updated'],
  ['a time', { end_date: '2026-01-01T00:05:00Z' }, 'skus_created'],
  ['a day', { filters: { created_at: { conditions: { $yesterday: true } } } }, 'skus_created'],
  ['a change', { updated_at: { before: '2026-02-01T00:10:00Z' } }, 'skus_updated'],
  ['what follows a SKU', { starting_after_id: 'sku_1_000500' }, 'skus_created'],
])(
  'a list of SKUs finds %s of a product by an index, and reads no more than it shows',
  async (_, query, index) => {
    const of = { projectId: 'proj_1', productId: 'prod_1' };
    const statements = skuListStatements(of, readInput(SkuListQuery, query, 'query'), calendar);
    if (isRefused(statements)) throw new Error(statements.details);
    const page = await touchedRows(database, statements.page, 'skus');
    expect(page.scans.filter((scan) => scan !== 'skus_pkey')).toEqual([index]);
    expect(page.rows).toBeLessThanOrEqual(11);
    const count = await touchedRows(database, statements.count, 'skus');
    expect(count.scans).toEqual([expect.stringMatching(/^skus_/)]);
  },
);
