import { readInput } from '@scrip/edge';
import { eventStoreMigrations } from '@scrip/event-store';
import { isRefused } from '@scrip/kernel';
import { createDatabase, touchedRows } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { productSnapshot, skuSnapshot } from '../product/product.fixture';
import { catalogContext } from '../index';
import { allProducts } from './all-products';
import { CollectionItemsQuery, collectionItemsStatements } from './collection-items-list.query';

let database: DataSource;

beforeAll(async () => {
  database = new DataSource({ type: 'postgres', url: await createDatabase('collection_plans') });
  await database.initialize();
  const runner = database.createQueryRunner();
  for (const Migration of [...eventStoreMigrations, ...catalogContext.migrations])
    await new Migration().up(runner);
  const at = (column: string) => `'2026-01-01'::timestamptz + n * interval '1 minute'${column}`;
  await runner.query(
    `INSERT INTO products (project_id, id, version, epoch, last_ord, state, status, source_id, name, name_twin, created_at)
       SELECT project, 'prod_' || lpad(n::text, 6, '0'), 1, 1, '1'::xid8,
         jsonb_build_object('status', 'LIVE', 'product', $1::jsonb || jsonb_build_object('id', 'prod_' || lpad(n::text, 6, '0'))),
         'LIVE', 'source-' || n, 'Product ' || n, '', ${at('')}
       FROM generate_series(1, 3000) n, unnest(ARRAY['proj_1', 'proj_2']) project`,
    [productSnapshot()],
  );
  await runner.query(
    `INSERT INTO skus (project_id, id, product_id, status, snapshot, created_at, updated_at)
       SELECT project_id, 'sku_' || substr(id, 6), id, 'LIVE', $1::jsonb || jsonb_build_object('id', 'sku_' || substr(id, 6)),
         created_at, created_at + interval '1 day' FROM products`,
    [skuSnapshot()],
  );
  await runner.query(`
    INSERT INTO collection_items (project_id, collection_id, object, id, product_id, created_at, updated_at)
      SELECT project_id, collection_id, 'product', id, id, created_at, NULL
      FROM products, unnest(ARRAY['pc_1', 'pc_2']) collection_id
      UNION ALL
      SELECT project_id, collection_id, 'sku', id, product_id, created_at, updated_at
      FROM skus, unnest(ARRAY['pc_1', 'pc_2']) collection_id`);
  await runner.query('VACUUM ANALYZE products, skus, collection_items');
  await runner.release();
});
afterAll(() => database?.destroy());

const statementsOf = (collectionId: string, query: object) => {
  const at = { projectId: 'proj_1', collectionId };
  const statements = collectionItemsStatements(at, readInput(CollectionItemsQuery, query, 'query'), {
    today: '2026-01-02',
    zone: 'UTC',
  });
  if (isRefused(statements)) throw new Error(statements.details);
  return statements;
};
const idsOf = async (collectionId: string, query: object): Promise<string[]> => {
  const { text, values } = statementsOf(collectionId, query).page;
  const rows = await database.query<{ product: { id: string }; sku: { id: string } | null }[]>(text, values);
  return rows.map(({ product, sku }) => (sku ?? product).id);
};
const collections = [
  ['a kept collection', 'pc_1'],
  ['all products', allProducts.id],
] as const;

describe.each(collections)('the records of %s', (_, id) => {
  it.each<[string, object]>([
    ['nothing', {}],
    ['nothing, oldest first', { order: 'created_at' }],
    ['the latest changes', { order: '-updated_at' }],
    ['what never changed', { order: 'updated_at' }],
    ['a time', { created_at: { before: '2026-01-01T00:05:00Z' } }],
    [
      'a change',
      { filters: { updated_at: { conditions: { $before: '2026-01-02T00:05:00Z' } } }, order: '-updated_at' },
    ],
    ['a day', { filters: { created_at: { conditions: { $yesterday: true } } } }],
    ['what follows a time', { starting_after: '2026-01-02T00:00:00Z' }],
    ['what follows a record', { starting_after: '2026-01-02T00:00:00Z', starting_after_id: 'sku_001440' }],
  ])('are found by %s by indexes, and no more are read than are shown', async (__, query) => {
    const { page, count } = statementsOf(id, query);
    for (const table of ['products', 'skus', 'collection_items']) {
      const read = await touchedRows(database, page, table);
      expect(read.scans).not.toContain('Seq Scan');
      expect(read.rows).toBeLessThanOrEqual(22);
    }
    const counted = await touchedRows(database, count, 'collection_items');
    expect(counted.scans).not.toContain('Seq Scan');
  });

  it('go on behind a record, those of one time by their ids', async () => {
    const shown = await idsOf(id, { limit: 3, order: 'created_at' });
    expect(shown).toEqual(['prod_000001', 'sku_000001', 'prod_000002']);
    const next = { limit: 2, order: 'created_at', starting_after: '2026-01-01T00:02:00Z' };
    expect(await idsOf(id, { ...next, starting_after_id: 'prod_000002' })).toEqual([
      'sku_000002',
      'prod_000003',
    ]);
    expect(await idsOf(id, next)).toEqual(['prod_000003', 'sku_000003']);
    expect(await idsOf(id, { ...next, order: '-created_at' })).toEqual(['sku_000001', 'prod_000001']);
    const { count } = statementsOf(id, next);
    expect(await database.query(count.text, count.values)).toEqual([{ total: '6000' }]);
  });
});

it.each([
  [
    { starting_after: '2026-01-01', order: 'updated_at' },
    'Property .starting_after cannot be combined with an order other than created_at or -created_at',
  ],
  [{ starting_after_id: 'sku_1' }, 'Property .starting_after_id goes with .starting_after only'],
  [{ order: 'type' }, 'should be equal to one of the allowed values'],
  [{ starting_after: 'x' }, 'cannot be recognized as a ISO-8601 compliant date'],
])('the records of a collection are not listed by %j', (query, message) => {
  expect(() => statementsOf('pc_1', query)).toThrow(message);
});
