import type { CatalogItem, CatalogItemOverride } from '@scrip/contracts/catalog';
import { isRefused } from '@scrip/kernel';
import { bootCatalog, caller, type CatalogFixture } from '../catalog.fixture';

let fixture: CatalogFixture;

beforeAll(async () => {
  fixture = await bootCatalog();
});
afterAll(() => fixture?.running.close());

const override = async (...items: CatalogItemOverride[]): Promise<CatalogItem[]> => {
  const stored = await fixture.port.overrideItems(caller(), { items });
  if (isRefused(stored)) throw new Error(stored.refused);
  return stored;
};
const get = async (path: string) => (await fixture.call('GET', path)).body;
const post = async (path: string, body: object) => (await fixture.call('POST', path, body)).body;

describe('overrides of an order (reference 07 §5)', () => {
  it('store product A and SKU B of the worked example at their prices', async () => {
    const stored = await override(
      { product: { source_id: 'A', override: true, fields: { name: 'A', price: 60_000 } } },
      {
        product: { source_id: 'B', override: true, fields: { price: 2_100 } },
        sku: { source_id: 'B-1', override: true, fields: { sku: 'B 1', price: 1_700 } },
      },
    );
    expect(stored).toMatchObject([
      { product: { source_id: 'A', name: 'A', price: 60_000 }, sku: null },
      { product: { source_id: 'B', price: 2_100 }, sku: { source_id: 'B-1', sku: 'B 1', price: 1_700 } },
    ]);
    expect(await get('/v1/products/A')).toMatchObject({ id: stored[0]!.product!.id, price: 60_000 });
    expect(await get('/v1/skus/B-1')).toMatchObject({
      id: stored[1]!.sku!.id,
      product_id: stored[1]!.product!.id,
    });
  });

  it('replace name, price and metadata, and leave the rest', async () => {
    const shirt = { source_id: 'shirt', name: 'Shirt', price: 1, attributes: ['color'], metadata: { a: 1 } };
    const before = await post('/v1/products', shirt);
    await post('/v1/products/shirt/skus', { source_id: 'blue', price: 1, attributes: { color: 'blue' } });
    await override({
      product: { source_id: 'shirt', override: true, fields: { price: 2, metadata: { b: 2 } } },
      sku: { source_id: 'blue', override: true, fields: { metadata: { c: 3 } } },
    });
    expect(await get('/v1/products/shirt?hide=sku')).toEqual({
      ...before,
      price: 2,
      metadata: { b: 2 },
      updated_at: expect.any(String),
    });
    expect(await get('/v1/skus/blue')).toMatchObject({
      price: 1,
      attributes: { color: 'blue' },
      metadata: { c: 3 },
    });
  });

  it('skip the check of product names, which direct writes keep', async () => {
    await post('/v1/products', { source_id: 'first', name: 'Same' });
    await override({ product: { source_id: 'second', override: true, fields: { name: 'Same' } } });
    expect(await get('/v1/products/second')).toMatchObject({ name: 'Same' });
    await fixture.call('DELETE', '/v1/products/first');
    expect(await fixture.call('POST', '/v1/products', { name: 'Same' })).toMatchObject({
      status: 409,
      body: { details: 'Duplicated product exists with name Same' },
    });
    expect((await fixture.call('PUT', '/v1/products/second', { name: 'Same', price: 1 })).status).toBe(200);
  });

  it('store nothing without override, without a source id, or for a SKU without a product', async () => {
    const nothing = { product: null, sku: null };
    expect(
      await override(
        { product: { source_id: 'plain', fields: { price: 1 } } },
        { product: { override: true, fields: { name: 'Nameless', price: 1 } } },
        { sku: { source_id: 'homeless', override: true, fields: { price: 1 } } },
      ),
    ).toEqual([nothing, nothing, nothing]);
    expect((await fixture.call('GET', '/v1/products/plain')).status).toBe(404);
  });

  it('store nothing for what is in the bin', async () => {
    await post('/v1/products', { source_id: 'binned' });
    await fixture.call('DELETE', '/v1/products/binned');
    expect(
      await override({ product: { source_id: 'binned', override: true, fields: { price: 5 } } }),
    ).toEqual([{ product: null, sku: null }]);
  });

  it('leave a SKU in its product, whatever product an item names', async () => {
    await post('/v1/products', { source_id: 'own' });
    const sku = await post('/v1/products/own/skus', { source_id: 'settled' });
    const [item] = await override({
      product: { source_id: 'foreign', override: true },
      sku: { source_id: 'settled', override: true, fields: { price: 9 } },
    });
    expect(item).toMatchObject({ product: { source_id: 'own' }, sku: { id: sku.id, price: 9 } });
  });

  it('take the last of several items for one source id, and make one record of fifty calls at once', async () => {
    const item = (price: number): CatalogItemOverride => ({
      product: { source_id: 'again', override: true, fields: { price } },
      sku: { source_id: 'again-sku', override: true, fields: { price } },
    });
    expect(await override(item(1), item(2))).toMatchObject([
      { product: { price: 2 }, sku: { price: 2 } },
      { product: { price: 2 }, sku: { price: 2 } },
    ]);
    const fresh: CatalogItemOverride = {
      product: { source_id: 'raced', override: true },
      sku: { source_id: 'raced-sku', override: true },
    };
    const answers = (await Promise.all(Array.from({ length: 50 }, () => override(fresh)))).flat();
    expect(new Set(answers.map(({ product }) => product?.id)).size).toBe(1);
    expect(new Set(answers.map((answer) => answer.sku?.id)).size).toBe(1);
    expect(answers.every(({ product, sku }) => product && sku)).toBe(true);
  });

  it('are refused to callers with a client-side key', async () => {
    const browser = { ...caller(), channel: 'CLIENT_API' as const };
    const items = [{ product: { source_id: 'browser', override: true } }];
    expect(await fixture.port.overrideItems(browser, { items })).toEqual({
      refused: 'forbidden',
      details: 'A client-side key cannot change the catalogue',
    });
    expect((await fixture.call('GET', '/v1/products/browser')).status).toBe(404);
  });

  it('store an order of 500 items by few statements', async () => {
    const items = Array.from({ length: 500 }, (_, n): CatalogItemOverride => ({
      product: { source_id: `many-${n % 250}`, override: true, fields: { price: n } },
      sku: { source_id: `many-sku-${n}`, override: true, fields: { price: n } },
    }));
    const stored = await override(...items);
    expect(stored.filter(({ product, sku }) => product && sku)).toHaveLength(500);
    expect(stored[499]).toMatchObject({ product: { price: 499 }, sku: { price: 499 } });
  });
});

it('keeps states that their events give', async () => {
  expect(await fixture.running.eventStores.get('catalog')?.verifyState()).toEqual([]);
});
