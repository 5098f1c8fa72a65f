import { bootCatalog, caller, type CatalogFixture } from '../catalog.fixture';
import { skuSnapshot } from '../product/product.fixture';

let fixture: CatalogFixture;
let shirt: { id: string };

const addSku = (id: string, product_id: string, status = 'LIVE') => {
  const sku = skuSnapshot({ id, product_id, source_id: `${id}-source`, sku: id });
  return fixture.database.query(
    `INSERT INTO skus (project_id, id, product_id, status, source_id, sku, snapshot, created_at)
     VALUES ($1, $2, $3, $4, $5, $2, $6, now())`,
    [caller().project.id, id, product_id, status, sku.source_id, sku],
  );
};

beforeAll(async () => {
  fixture = await bootCatalog();
  const create = async (source_id: string) =>
    (
      await fixture.call('POST', '/v1/products', {
        source_id,
        name: source_id,
        price: 2_500,
        metadata: { a: 1 },
      })
    ).body;
  shirt = await create('shirt');
  const binned = await create('binned');
  await addSku('sku_blue', shirt.id);
  await addSku('sku_gone', shirt.id, 'BINNED');
  await addSku('sku_orphan', binned.id);
  await fixture.call('DELETE', '/v1/products/binned');
});
afterAll(() => fixture?.running.close());

const resolve = (...items: object[]) => fixture.port.resolveItems(caller(), { items });

const stored = () => ({ id: shirt.id, source_id: 'shirt', name: 'shirt', price: 2_500, metadata: { a: 1 } });
const blue = () => ({
  id: 'sku_blue',
  source_id: 'sku_blue-source',
  product_id: shirt.id,
  sku: 'sku_blue',
  price: 2_700,
  metadata: { stock: 3 },
});

describe('items of an order', () => {
  it('are resolved by id or source id, in their order', async () => {
    expect(
      await resolve(
        { product: { source_id: 'shirt' } },
        { product: { id: 'none', source_id: 'shirt' } },
        { sku: { id: 'sku_blue' } },
        {},
        { product: { id: shirt.id }, sku: { source_id: 'none' } },
        { sku: { source_id: 'sku_blue-source' } },
      ),
    ).toEqual([
      { product: stored(), sku: null },
      { product: null, sku: null },
      { product: stored(), sku: blue() },
      { product: null, sku: null },
      { product: stored(), sku: null },
      { product: stored(), sku: blue() },
    ]);
  });

  it('have the product that their SKU belongs to, whatever product they name', async () => {
    await fixture.call('POST', '/v1/products', { source_id: 'hat' });
    expect(await resolve({ product: { source_id: 'hat' }, sku: { id: 'sku_blue' } })).toEqual([
      { product: stored(), sku: blue() },
    ]);
  });

  it('have nothing of deleted records', async () => {
    const nothing = { product: null, sku: null };
    expect(
      await resolve(
        { product: { source_id: 'binned' } },
        { sku: { id: 'sku_orphan' } },
        { sku: { id: 'sku_gone' } },
      ),
    ).toEqual([nothing, nothing, nothing]);
  });

  it('are read by one statement, whatever their number', async () => {
    const query = jest.spyOn(fixture.database, 'query');
    const items = Array.from({ length: 500 }, () => ({ product: { source_id: 'shirt' } }));
    expect(await resolve(...items)).toHaveLength(500);
    expect(query).toHaveBeenCalledTimes(1);
    query.mockRestore();
    expect(await resolve()).toEqual([]);
  });
});
