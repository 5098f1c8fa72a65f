import { namedPerNote } from '@scrip/contracts/qualification';
import { bootCatalog, caller, type CatalogFixture } from '../catalog.fixture';

let fixture: CatalogFixture;
let product: { id: string };
let sku: { id: string };
let collection: { id: string };

beforeAll(async () => {
  fixture = await bootCatalog();
  const created = async (path: string, body: object) => (await fixture.call('POST', path, body)).body;
  product = await created('/v1/products', { source_id: 'shirt' });
  sku = await created('/v1/products/shirt/skus', { source_id: 'blue' });
  collection = await created('/v1/product-collections', { name: 'Summer', type: 'STATIC', products: [] });
});
afterAll(() => fixture?.running.close());
afterEach(() => fixture.rules.naming.clear());

/** `named`: what the rules name. */
const refused = async (path: string, object: string, { id }: { id: string }): Promise<void> => {
  fixture.rules.naming.set(id, ['val_1', 'val_2']);
  for (const query of ['', '?force=true'])
    expect(await fixture.call('DELETE', `${path}${query}`)).toMatchObject({
      status: 400,
      body: {
        key: 'resource_in_use',
        details: `Resource ${object} with id ${id} is in use by validation_rules with ids [val_1,val_2]`,
        resource_id: id,
        resource_type: object,
        related_object_ids: ['val_1', 'val_2'],
        related_object_type: 'validation_rules',
      },
    });
  expect(await fixture.call('GET', path.replace('/products/shirt/skus', '/skus'))).toMatchObject({
    status: 200,
  });
};

describe('what validation rules name is not deleted', () => {
  it('a product', () => refused('/v1/products/shirt', 'product', product));
  it('a product whose SKU they name', () => refused('/v1/products/shirt', 'sku', sku));
  it('a SKU', () => refused('/v1/products/shirt/skus/blue', 'sku', sku));
  it('a collection', () =>
    refused(`/v1/product-collections/${collection.id}`, 'products_collection', collection));

  it('a product is asked about with its source id, and with all of its SKUs', async () => {
    const { body: large } = await fixture.call('POST', '/v1/products', { source_id: 'large' });
    await fixture.database.query(
      `INSERT INTO skus (project_id, id, product_id, source_id, status, created_at, snapshot)
       SELECT $1, 'sku_large_' || n, $2, 'large-' || n, 'LIVE', now(), '{}' FROM generate_series(1, ${namedPerNote + 1}) n`,
      [caller().project.id, large.id],
    );
    const asked: { id: string; source_id?: string | null }[] = [];
    const note = fixture.rules.noteDeletion;
    fixture.rules.noteDeletion = async (context, request) => {
      asked.push(...request.objects);
      return note(context, request);
    };
    // The last one in the order of texts.
    fixture.rules.naming.set('sku_large_99', ['val_1']);
    expect(await fixture.call('DELETE', '/v1/products/large')).toMatchObject({ status: 400 });
    fixture.rules.noteDeletion = note;
    expect(asked[0]).toEqual({ object: 'product', id: large.id, source_id: 'large' });
    expect(new Set(asked.map(({ id }) => id)).size).toBe(namedPerNote + 2);
  });
});
