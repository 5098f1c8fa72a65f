import { type CatalogPort, namedCatalogue, storedCatalogue } from '@scrip/contracts/catalog';
import { PreparingClient } from '@scrip/event-store';
import type { Catalogue } from '@scrip/order-calculation';
import { bootCatalog, caller, type CatalogFixture } from '../catalog.fixture';
import { skuSnapshot } from '../product/product.fixture';
import { ItemReads } from './item.reads';

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
afterEach(() => jest.restoreAllMocks());
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

  /** Counts statements that look for items; consumers run others beside them. */
  const looksAtItems = () => {
    const query = jest.spyOn(PreparingClient.prototype, 'query');
    return (): number =>
      query.mock.calls.filter(([text]) => typeof text === 'string' && text.includes('FROM skus')).length;
  };

  it('are read by one statement, whatever their number', async () => {
    const looks = looksAtItems();
    const items = Array.from({ length: 500 }, () => ({ product: { source_id: 'shirt' } }));
    expect(await resolve(...items)).toHaveLength(500);
    expect(looks()).toBe(1);
    expect(await resolve()).toEqual([]);
  });

  it('of orders that are asked about at once are read by one statement for each project', async () => {
    const reads = fixture.running.app.get(ItemReads, { strict: false });
    const looks = looksAtItems();
    const answers = await Promise.all([
      reads.resolve(caller(), [{ product: { source_id: 'shirt' } }, { sku: { id: 'none' } }]),
      reads.resolve(caller(), [{ sku: { id: 'sku_blue' } }]),
      reads.resolve(caller('proj_other'), [{ product: { source_id: 'shirt' } }]),
    ]);
    expect(looks()).toBe(2);
    const nothing = { product: null, sku: null };
    expect(answers).toEqual([
      [{ product: stored(), sku: null }, nothing],
      [{ product: stored(), sku: blue() }],
      [nothing],
    ]);
  });

  it('of 500 lines with much metadata are stored and resolved by calls that fit the transport', async () => {
    const bytes: number[] = [];
    const noted = <Body>(body: Body): Body => {
      bytes.push(Buffer.byteLength(JSON.stringify(body)));
      return body;
    };
    const catalog: CatalogPort = Object.assign(Object.create(fixture.port) as CatalogPort, {
      resolveItems: (async (context, request) =>
        noted(
          await fixture.port.resolveItems(context, noted(request)),
        )) satisfies CatalogPort['resolveItems'],
      overrideItems: (async (context, request) =>
        noted(
          await fixture.port.overrideItems(context, noted(request)),
        )) satisfies CatalogPort['overrideItems'],
    });
    const names = Array.from({ length: 500 }, (_, index) => ({ product: { source_id: `large${index}` } }));
    const metadata = { text: 'é'.repeat(5_000) };
    const lines = names.map(({ product }) => ({ product: { ...product, override: true, metadata } }));
    const withText = (found: Catalogue) =>
      names.filter(
        ({ product }) => found.productBySource(product.source_id)?.product.metadata?.text === metadata.text,
      ).length;
    // What is asked here is how much goes in a call, not how long the calls take.
    const patient = { ...caller(), deadlineAt: Date.now() + 100_000 };
    expect(withText(await storedCatalogue(catalog, patient, lines))).toBe(500);
    expect(withText(await namedCatalogue(catalog, patient, names))).toBe(500);
    // The largest frame of the transport has 1,048,576 bytes.
    expect(Math.max(...bytes)).toBeLessThan(1_000_000);
    expect(Math.max(...bytes)).toBeGreaterThan(800_000);
  });
});
