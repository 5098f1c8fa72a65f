import type { ExportedObject, ExportParameters } from '@scrip/contracts/operations';
import { exportKindOf } from '@scrip/contracts/operations';
import { eventStoreMigrations } from '@scrip/event-store';
import { fixedClock, internalContext, isRefused } from '@scrip/kernel';
import { createDatabase, projectOf } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { catalogContext } from '../index';
import type { LocatedRecords } from './located-records';
import { ProductExport } from './product.export';
import { SkuExport } from './sku.export';

const clock = fixedClock('2026-03-31T10:00:00Z');
const kinds = {
  product: new ProductExport(clock, {} as LocatedRecords),
  sku: new SkuExport(clock, {} as LocatedRecords),
};
const context = internalContext(projectOf({ id: 'proj_1' }));

/** Two products; the first has a SKU. */
const filled = `
  INSERT INTO products (project_id, id, version, epoch, last_ord, state, status, source_id, name, name_twin, created_at)
    SELECT 'proj_1', 'prod_' || n, 1, 1, '1'::xid8, jsonb_build_object('product', jsonb_build_object('id', 'prod_' || n,
        'price', n * 100, 'attributes', jsonb_build_array('color'), 'image_url', 'https://example.com/' || n || '.png',
        'metadata', jsonb_build_object('season', 'summer'))),
      'LIVE', 'source-' || n, 'Product ' || n, '', '2026-03-29T10:00:00Z'::timestamptz + n * interval '1 day'
    FROM generate_series(1, 2) n;
  INSERT INTO skus (project_id, id, product_id, status, source_id, sku, snapshot, created_at)
    VALUES ('proj_1', 'sku_1', 'prod_1', 'LIVE', 'sku-source', 'Red', '{"id": "sku_1", "price": 150,
      "attributes": {"color": "red"}, "image_url": null, "metadata": {"fit": "slim"}}', '2026-03-31T01:00:00Z')`;

describe('the filters of exports of products and SKUs', () => {
  let database: DataSource;

  beforeAll(async () => {
    database = new DataSource({ type: 'postgres', url: await createDatabase('record_exports') });
    await database.initialize();
    const runner = database.createQueryRunner();
    for (const Migration of [...eventStoreMigrations, ...catalogContext.migrations])
      await new Migration().up(runner);
    await runner.query(filled);
    await runner.release();
  });
  afterAll(() => database?.destroy());

  const found = async (kind: keyof typeof kinds, fields: ExportParameters['filters']['fields']) => {
    const parameters = { fields: ['id'], order: 'created_at', filters: { junction: 'and', fields } } as const;
    const statement = kinds[kind].statement(
      context,
      parameters as unknown as ExportParameters,
      () => undefined,
    );
    if (isRefused(statement)) throw new Error(statement.details);
    const rows = await database.query<{ state?: any; snapshot?: any }[]>(statement.text, statement.values);
    return rows.map(({ state, snapshot }) => state?.product.id ?? snapshot.id).join();
  };

  test.each<[keyof typeof kinds, string, string, unknown[], string]>([
    ['product', 'object', '$is', ['product'], 'prod_1,prod_2'],
    ['product', 'object', '$is', ['sku'], ''],
    ['product', 'product_id', '$has_value', [], ''],
    ['product', 'attributes', '$is', ['color'], 'prod_1,prod_2'],
    ['product', 'attributes', '$count', ['2'], ''],
    ['product', 'image_url', '$ends_with', ['1.png'], 'prod_1'],
    ['product', 'skus', '$is', ['sku_1'], 'prod_1'],
    ['product', 'skus', '$count', ['0'], 'prod_2'],
    ['product', 'name', '$is', ['Product 2'], 'prod_2'],
    ['product', 'price', '$less_than', ['150'], 'prod_1'],
    ['product', 'created_at', '$today', [], 'prod_2'],
    ['product', 'created_at', '$more_than', ['0'], 'prod_1'],
    ['product', 'created_at', '$is_month', ['March'], 'prod_1,prod_2'],
    ['product', 'updated_at', '$this_year', [], ''],
    ['product', 'metadata.season', '$contains', ['umme'], 'prod_1,prod_2'],
    ['sku', 'object', '$is', ['sku'], 'sku_1'],
    ['sku', 'product_id', '$is', ['prod_1'], 'sku_1'],
    ['sku', 'name', '$is', ['Red'], 'sku_1'],
    ['sku', 'sku', '$is', ['Red'], 'sku_1'],
    ['sku', 'attributes', '$is', ['color'], 'sku_1'],
    ['sku', 'skus', '$count', ['0'], 'sku_1'],
    ['sku', 'metadata.season', '$is', ['summer'], 'sku_1'],
    ['sku', 'metadata.fit', '$is_not', ['slim'], ''],
  ])('of a %s: %s %s %j finds %s', async (kind, field, operator, values, ids) => {
    expect(await found(kind, { [field]: { [operator]: values } })).toBe(ids);
  });

  test.each(Object.keys(kinds) as (keyof typeof kinds & ExportedObject)[])(
    'of a %s are all served',
    async (kind) => {
      for (const field of exportKindOf(kind).filters)
        await found(kind, { [field.replace('*', 'any')]: { $has_value: [] } });
    },
  );

  test.each(Object.keys(kinds) as (keyof typeof kinds)[])(
    'of a %s that ask for locations are checked, and left to the test of places',
    async (kind) => {
      expect(await found(kind, { 'metadata.home': { $in_location: ['loc_1'] } })).not.toBe('');
      await expect(found(kind, { name: { $in_location: ['loc_1'] } })).rejects.toThrow('has an operator');
    },
  );
});
