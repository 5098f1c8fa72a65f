import { isDatabaseAway, UniqueViolation } from '@scrip/event-store';
import { isRefused, newId } from '@scrip/kernel';
import { waitUntil } from '@scrip/testing';
import { bootCatalog, caller, type CatalogFixture } from '../catalog.fixture';
import { UpsertProducts } from '../product/upsert-products';
import type { UpsertSkuItem } from './sku-set';
import { UpsertSkus } from './upsert-skus';

describe('sets of SKUs beside other calls', () => {
  let fixture: CatalogFixture;
  let sets: UpsertSkus;

  beforeAll(async () => {
    fixture = await bootCatalog();
    sets = fixture.running.app.get(UpsertSkus, { strict: false });
    for (const source_id of ['shirt', 'hat', 'mug'])
      await fixture.call('POST', '/v1/products', { source_id, attributes: ['color'] });
  });
  afterAll(() => fixture?.running.close());

  const item = (product: string, source_id: string, fields: UpsertSkuItem['fields'] = {}): UpsertSkuItem => ({
    product,
    source_id,
    new_id: newId('sku_'),
    fields,
    fieldsIfStored: fields,
  });
  const upsert = async (items: readonly UpsertSkuItem[]) => {
    for (;;) {
      try {
        return await fixture.database.transaction((manager) => sets.upsertIn(manager, caller(), items));
      } catch (error) {
        // Fifty callers share a pool, which on a busy machine may have no connection for some of them.
        if (!(error instanceof UniqueViolation) && !isDatabaseAway(error)) throw error;
      }
    }
  };
  const skusOf = async (product: string): Promise<any[]> =>
    (await fixture.call('GET', `/v1/products/${product}/skus?limit=100`)).body.skus;

  it('store the SKUs of several products by one statement, and each SKU once', async () => {
    const answers = await upsert([
      item('shirt', 'one', { price: 1 }),
      item('hat', 'two', { sku: 'Name' }),
      item('shirt', 'one', { price: 2 }),
      item('hat', 'one'),
      item('unknown', 'three'),
    ]);
    expect(answers).toMatchObject([
      { found: false, updated: true },
      { found: false, updated: true },
      { found: true, updated: true, sku: { price: 2 } },
      { refused: 'resource_in_use' },
      { refused: 'not_found', details: 'Cannot find product with id unknown' },
    ]);
    expect(await upsert([item('shirt', 'one', { price: 2 })])).toMatchObject([
      { found: true, updated: false },
    ]);
    expect(await skusOf('shirt')).toMatchObject([{ source_id: 'one', price: 2 }]);
  });

  it('lose the values of an attribute that a set of products drops and declares again', async () => {
    await fixture.call('POST', '/v1/products', { source_id: 'again', attributes: ['color'] });
    await upsert([item('again', 'again-1', { attributes: { color: 'blue' } })]);
    const products = fixture.running.app.get(UpsertProducts, { strict: false });
    const change = (attributes: string[]) => ({
      source_id: 'again',
      new_id: newId('prod_'),
      fields: { attributes },
    });
    await fixture.database.transaction((manager) =>
      products.upsertIn(manager, caller(), [change([]), change(['color'])], () => null),
    );
    expect(await skusOf('again')).toMatchObject([{ source_id: 'again-1', attributes: {} }]);
    expect(await fixture.running.eventStores.get('catalog')?.verifyState()).toEqual([]);
  });

  it('lose the values of an attribute that their product drops, thousands of them by one event', async () => {
    const { id } = (
      await fixture.call('POST', '/v1/products', { source_id: 'many', attributes: ['color', 'size'] })
    ).body;
    const blue = Array.from({ length: 2_000 }, (_, n) =>
      item('many', `many ${n}`, { attributes: { color: 'blue', size: n } }),
    );
    await upsert(blue);
    expect((await fixture.call('PUT', '/v1/products/many', { attributes: ['size'] })).status).toBe(200);
    const [left] = await fixture.database.query<{ skus: number }[]>(
      `SELECT count(*)::int AS skus FROM skus WHERE product_id = $1 AND snapshot->'attributes' ? 'color'`,
      [id],
    );
    expect(left).toEqual({ skus: 0 });
    const { body: product } = await fixture.call('GET', '/v1/products/many');
    expect((await fixture.call('GET', '/v1/skus/many%207')).body).toMatchObject({
      attributes: { size: 7 },
      updated_at: product.updated_at,
    });
    const events = await fixture.running.eventStores
      .get('catalog')!
      .readStream('product', caller().project.id, id);
    expect(events.slice(2_001)).toMatchObject([
      { type: 'ProductUpdated' },
      {
        type: 'ProductAttributesDropped',
        data: { product_id: id, attributes: ['color'], updated_at: product.updated_at },
      },
    ]);
    await fixture.call('PUT', '/v1/products/hat', { attributes: [] });
    const hat = (await fixture.call('GET', '/v1/products/hat')).body;
    const ofHat = await fixture.running.eventStores
      .get('catalog')!
      .readStream('product', caller().project.id, hat.id);
    expect(ofHat.at(-1)).toMatchObject({ type: 'ProductUpdated' });
  });

  it('neither lose nor double a SKU, in whatever order fifty callers name products and SKUs', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `busy ${index}`);
    const products = ['shirt', 'hat', 'mug'];
    await Promise.all(
      Array.from({ length: 50 }, async (_, caller) => {
        const order = caller % 2 === 0 ? names : names.toReversed();
        const items = order.map((name, index) =>
          item(products[(index + caller) % 3]!, name, { metadata: { [`caller ${caller}`]: 1 } }),
        );
        if (caller % 5 === 0)
          await waitUntil(
            async () => {
              const single = { source_id: `single ${caller}`, price: 1 };
              return (await fixture.call('POST', '/v1/products/mug/skus', single)).status !== 503;
            },
            { what: 'a SKU of its own' },
          );
        const answers = await upsert(items);
        for (const answer of answers) if (isRefused(answer)) expect(answer.refused).toBe('resource_in_use');
      }),
    );
    const all = (await Promise.all(products.map(skusOf))).flat();
    expect(
      all.filter(({ source_id }) => source_id.startsWith('busy')).map((sku) => sku.source_id),
    ).toHaveLength(names.length);
    expect(all.filter(({ source_id }) => source_id.startsWith('single'))).toHaveLength(10);
    expect(await fixture.running.eventStores.get('catalog')?.verifyState()).toEqual([]);
  });
});
