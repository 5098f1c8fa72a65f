import type { RequestContext } from '@scrip/kernel';
import type { CatalogItemNames, CatalogItemOverride, CatalogPort } from './catalog.port';
import { namedCatalogue, storedCatalogue, storedCatalogues } from './named-catalogue';

const context = { channel: 'API' } as RequestContext;

const productOf = (source_id: string) => ({
  id: `prod_${source_id}`,
  source_id,
  name: source_id,
  price: 100,
  metadata: {},
});

/** A catalogue that has everything and answers `fitting` items at once; `asked`: how many items each call had. */
const catalogue = (fitting: number) => {
  const asked: string[] = [];
  const answer = (method: string, items: readonly (CatalogItemNames | CatalogItemOverride)[]) => {
    asked.push(`${method} ${items.length}`);
    expect(Buffer.byteLength(JSON.stringify(items))).toBeLessThan(1_000_000);
    return items
      .slice(0, fitting)
      .map(({ product }) => ({ product: productOf(product?.source_id ?? ''), sku: null }));
  };
  const port: Pick<CatalogPort, 'resolveItems' | 'overrideItems'> = {
    resolveItems: async (_, { items }) => answer('resolve', items),
    overrideItems: async (_, { items }) => answer('override', items),
  };
  return { asked, port: port as CatalogPort };
};

const linesOf = (count: number, product: object = {}) =>
  Array.from({ length: count }, (_, index) => ({ product: { source_id: `p${index}`, ...product } }));

const pricesOf = (found: Awaited<ReturnType<typeof namedCatalogue>>, lines: ReturnType<typeof linesOf>) =>
  lines.filter((line) => found.productBySource(line.product.source_id)?.product.price === 100).length;

describe('the records that lines name', () => {
  it('come by one call where one answer has them', async () => {
    const { port, asked } = catalogue(500);
    await namedCatalogue(port, context, linesOf(500));
    expect(asked).toEqual(['resolve 500']);
  });

  it('come by several where the catalogue answers some at a time, and all of them come', async () => {
    const { port, asked } = catalogue(150);
    expect(pricesOf(await namedCatalogue(port, context, linesOf(500)), linesOf(500))).toBe(500);
    expect(asked).toEqual(['resolve 500', 'resolve 300', 'resolve 200', 'resolve 50']);
  });

  it('are stored once where lines override them, and the rest of the answer is asked for', async () => {
    const { port, asked } = catalogue(4);
    const lines = linesOf(6, { override: true });
    expect(pricesOf(await storedCatalogue(port, context, lines), lines)).toBe(6);
    expect(asked).toEqual(['override 6', 'resolve 2']);
  });

  it('are stored by calls that fit the transport', async () => {
    const { port, asked } = catalogue(500);
    const lines = linesOf(40, { override: true, metadata: { text: 'x'.repeat(60_000) } });
    const found = await storedCatalogues(port, context, [lines.slice(0, 30), lines.slice(30)]);
    expect(found.map((of, index) => pricesOf(of, index ? lines.slice(30) : lines.slice(0, 30)))).toEqual([
      30, 10,
    ]);
    expect(asked).toEqual(['override 14', 'override 14', 'override 12']);
  });

  it('cost no call where lines name nothing', async () => {
    const { port, asked } = catalogue(1);
    await namedCatalogue(port, context, [{}]);
    expect(asked).toEqual([]);
  });

  it('fail where the catalogue answers none of them, rather than asking for ever', async () => {
    await expect(namedCatalogue(catalogue(0).port, context, linesOf(1))).rejects.toThrow(
      'none of what was asked for was answered',
    );
  });
});
