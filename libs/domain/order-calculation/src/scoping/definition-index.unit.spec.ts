import fc from 'fast-check';
import { type LineIdentity, allProductsCollection, lineMatches } from '../catalogue/line-identity';
import { DefinitionIndex } from './definition-index';
import type { ScopedItem } from './item-scope';

type Definition = Pick<ScopedItem, 'object' | 'id' | 'source_id' | 'strict'>;

const shirt: LineIdentity = {
  productId: 'prod_shirt',
  productSourceId: 'shirt',
  skuId: 'sku_shirt_m',
  skuSourceId: 'shirt-m',
  collections: ['pc_merch', 'pc_red'],
};
const poster: LineIdentity = {
  productId: 'prod_poster',
  productSourceId: 'poster',
  skuId: undefined,
  skuSourceId: undefined,
  collections: ['pc_merch'],
};
const nameless: LineIdentity = {
  productId: undefined,
  productSourceId: undefined,
  skuId: undefined,
  skuSourceId: undefined,
  collections: [],
};

const sku = (id: string): Definition => ({ object: 'sku', id });
const product = (id: string): Definition => ({ object: 'product', id });
const collection = (id: string): Definition => ({ object: 'products_collection', id });

const found = (line: LineIdentity, ...definitions: Definition[]): number | null =>
  new DefinitionIndex(definitions).mostSpecific(line);

describe('what a definition matches (reference 01 §6)', () => {
  const cases: [string, LineIdentity, Definition, boolean][] = [
    ['a SKU its own id', shirt, sku('sku_shirt_m'), true],
    ['a SKU its source id', shirt, { object: 'sku', source_id: 'shirt-m' }, true],
    ['a SKU no other', shirt, sku('sku_shirt_s'), false],
    ['a SKU no product', poster, sku('prod_poster'), false],
    ['a product its SKUs', shirt, product('prod_shirt'), true],
    ['a product its SKUs by source id', shirt, { object: 'product', source_id: 'shirt' }, true],
    ['a product itself', poster, product('prod_poster'), true],
    ['a product no id of a SKU', shirt, product('sku_shirt_m'), false],
    ['a strict product itself', poster, { ...product('prod_poster'), strict: true }, true],
    ['a strict product none of its SKUs', shirt, { ...product('prod_shirt'), strict: true }, false],
    [
      'a strict product no SKU known by source id alone',
      { ...poster, skuSourceId: 'poster-a1' },
      { ...product('prod_poster'), strict: true },
      false,
    ],
    ['a collection what it holds', poster, collection('pc_merch'), true],
    ['a collection what it holds, wherever listed', shirt, collection('pc_red'), true],
    ['a collection nothing else', poster, collection('pc_red'), false],
    [
      'a collection none by source id',
      poster,
      { object: 'products_collection', source_id: 'pc_merch' },
      false,
    ],
    ['the built-in collection everything', poster, collection(allProductsCollection), true],
    ['the built-in collection lines without a name', nameless, collection(allProductsCollection), true],
    ['a definition without a name nothing', nameless, { object: 'product' }, false],
    ['a SKU without a name nothing', nameless, { object: 'sku' }, false],
  ];

  test.each(cases)('%s', (_, line, definition, matches) => {
    expect(found(line, definition)).toBe(matches ? 0 : null);
    expect(lineMatches(line, definition)).toBe(matches);
  });
});

describe('which definition a line belongs to (reference 01 §6)', () => {
  test('its SKU before its product before a collection, wherever they stand', () => {
    expect(found(shirt, collection('pc_merch'), product('prod_shirt'), sku('sku_shirt_m'))).toBe(2);
    expect(found(shirt, collection('pc_merch'), product('prod_shirt'))).toBe(1);
    expect(found(shirt, collection('pc_merch'), product('prod_mug'))).toBe(0);
  });

  test('ties go to the first of the list', () => {
    expect(found(shirt, collection('pc_red'), collection('pc_merch'))).toBe(0);
    expect(found(shirt, collection('pc_merch'), collection('pc_red'))).toBe(0);
    expect(
      found(shirt, collection('pc_other'), collection(allProductsCollection), collection('pc_red')),
    ).toBe(1);
    expect(found(poster, product('prod_poster'), { object: 'product', source_id: 'poster' })).toBe(0);
    expect(found(poster, { object: 'product', source_id: 'poster' }, product('prod_poster'))).toBe(0);
    expect(found(poster, { ...product('prod_poster'), strict: true }, product('prod_poster'))).toBe(0);
    expect(found(poster, product('prod_poster'), { ...product('prod_poster'), strict: true })).toBe(0);
    expect(found(shirt, sku('sku_shirt_m'), sku('sku_shirt_m'))).toBe(0);
    expect(
      found(shirt, { object: 'sku', source_id: 'shirt-m' }, { object: 'sku', source_id: 'shirt-m' }),
    ).toBe(0);
  });

  test('finds what comparing line by line finds', () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const maybe = fc.option(name, { nil: undefined });
    const line: fc.Arbitrary<LineIdentity> = fc.record({
      productId: maybe,
      productSourceId: maybe,
      skuId: maybe,
      skuSourceId: maybe,
      collections: fc.uniqueArray(name),
    });
    const definition = fc.record(
      {
        object: fc.constantFrom('product' as const, 'sku' as const, 'products_collection' as const),
        id: fc.constantFrom('a', 'b', 'c', allProductsCollection),
        source_id: name,
        strict: fc.boolean(),
      },
      { requiredKeys: ['object'] },
    );
    const ranks = ['sku', 'product', 'products_collection'];
    fc.assert(
      fc.property(line, fc.array(definition, { maxLength: 6 }), (identity, definitions) => {
        const best = definitions
          .map((one, position) => ({ one, position }))
          .filter(({ one }) => lineMatches(identity, one))
          .sort((a, b) => ranks.indexOf(a.one.object) - ranks.indexOf(b.one.object))[0];
        expect(found(identity, ...definitions)).toBe(best?.position ?? null);
      }),
    );
  });
});
