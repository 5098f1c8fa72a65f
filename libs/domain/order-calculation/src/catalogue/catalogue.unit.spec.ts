import { cart } from '../calculation.fixture';
import type { OrderInput } from '../order/order';
import { allProductsCollection, lineMatches } from './line-identity';
import { Catalogue } from './catalogue';

const mug = {
  id: 'prod_mug',
  source_id: 'mug',
  name: 'Mug',
  price: 900,
  metadata: { colour: 'white', size: 1 },
  collections: ['pc_kitchen'],
};
const redMug = {
  id: 'sku_red',
  source_id: 'red-mug',
  sku: 'Red mug',
  price: 1100,
  metadata: { colour: 'red' },
  collections: ['pc_red', 'pc_kitchen'],
  product: mug,
};
const records = { products: [mug], skus: [redMug] };
const lineOf = (item: object) => cart({ items: [item] }, { records }).lines[0]!;

describe('which record a line means (reference 01 §3)', () => {
  test.each([
    ['a SKU id', { sku_id: 'sku_red', product_id: 'prod_5h1pp1ng' }, 'sku_red', 'prod_mug'],
    ['a product id', { product_id: 'prod_mug' }, undefined, 'prod_mug'],
    ['a source id of a SKU', { source_id: 'red-mug', related_object: 'sku' }, 'sku_red', 'prod_mug'],
    ['a source id of a product', { source_id: 'mug', related_object: 'product' }, undefined, 'prod_mug'],
    ['an embedded SKU', { sku: { id: 'sku_red' } }, 'sku_red', 'prod_mug'],
    ['the source id of an embedded SKU', { sku: { source_id: 'red-mug' } }, 'sku_red', 'prod_mug'],
    ['an embedded product', { product: { id: 'prod_mug' } }, undefined, 'prod_mug'],
    ['the source id of an embedded product', { product: { source_id: 'mug' } }, undefined, 'prod_mug'],
    ['a source id of unknown kind', { source_id: 'mug' }, undefined, undefined],
    ['an unknown SKU', { sku_id: 'sku_x' }, 'sku_x', undefined],
    ['an unknown product', { product_id: 'prod_x' }, undefined, 'prod_x'],
  ])('%s', (_, item, skuId, productId) => {
    expect(lineOf(item).identity).toMatchObject({ skuId, productId });
  });

  test('source ids of unknown items are kept by their kind', () => {
    expect(lineOf({ source_id: 's', related_object: 'sku' }).identity).toEqual({
      productId: undefined,
      productSourceId: undefined,
      skuId: undefined,
      skuSourceId: 's',
      collections: [],
    });
    expect(lineOf({ source_id: 'p', related_object: 'product' }).identity).toMatchObject({
      productSourceId: 'p',
      skuSourceId: undefined,
    });
    expect(
      lineOf({ product: { id: 'i', source_id: 'p' }, sku: { id: 'k', source_id: 's' } }).identity,
    ).toMatchObject({
      productId: 'i',
      productSourceId: 'p',
      skuId: 'k',
      skuSourceId: 's',
    });
  });

  test('a SKU is in its own collections and in those of its product, once', () => {
    expect(lineOf({ sku_id: 'sku_red' }).identity.collections).toEqual(['pc_kitchen', 'pc_red']);
    expect(lineOf({ product_id: 'prod_mug' }).identity.collections).toEqual(['pc_kitchen']);
  });
});

describe('prices and descriptions (reference 01 §3)', () => {
  test.each([
    ['the line', { sku_id: 'sku_red', price: 1, sku: { price: 2 }, product: { price: 3 } }, 1],
    ['the SKU sent', { sku_id: 'sku_red', sku: { price: 2 }, product: { price: 3 } }, 2],
    ['the SKU stored', { sku_id: 'sku_red', product: { price: 3 } }, 1100],
    ['the product sent', { product_id: 'prod_mug', product: { price: 3 } }, 3],
    ['the product stored', { product_id: 'prod_mug' }, 900],
  ])('the price of %s', (_, item, price) => {
    const line = lineOf({ ...item, quantity: 2 });
    expect([line.echo.price, line.amount]).toEqual([price, 2 * price]);
  });

  test('what is stored is shown, with what was sent over it, metadata key by key', () => {
    expect(
      lineOf({
        sku_id: 'sku_red',
        sku: { metadata: { new: true } },
        product: { name: 'My mug', metadata: { size: 2 } },
      }).echo,
    ).toEqual({
      object: 'order_item',
      product_id: 'prod_mug',
      sku_id: 'sku_red',
      price: 1100,
      product: {
        id: 'prod_mug',
        source_id: 'mug',
        name: 'My mug',
        price: 900,
        metadata: { colour: 'white', size: 2 },
      },
      sku: {
        id: 'sku_red',
        source_id: 'red-mug',
        sku: 'Red mug',
        price: 1100,
        metadata: { colour: 'red', new: true },
      },
    });
  });
});

describe('what a reference covers (reference 01 §6)', () => {
  const red = lineOf({ sku_id: 'sku_red' }).identity;
  const plain = lineOf({ product_id: 'prod_mug' }).identity;
  test.each([
    ['its SKU', { object: 'sku', id: 'sku_red' }, true, false],
    ['its SKU by source id', { object: 'sku', source_id: 'red-mug' }, true, false],
    ['its product, which covers its SKUs', { object: 'product', id: 'prod_mug' }, true, true],
    ['its product by source id', { object: 'product', source_id: 'mug' }, true, true],
    ['exactly its product', { object: 'product', id: 'prod_mug', strict: true }, false, true],
    ['a collection of both', { object: 'products_collection', id: 'pc_kitchen' }, true, true],
    ['a collection of the SKU', { object: 'products_collection', id: 'pc_red' }, true, false],
    ['all products', { object: 'products_collection', id: allProductsCollection }, true, true],
    ['another SKU', { object: 'sku', id: 'sku_blue' }, false, false],
    ['another product', { object: 'product', id: 'prod_cup' }, false, false],
    ['a product by the id of a SKU', { object: 'product', id: 'sku_red' }, false, false],
    ['nothing', { object: 'products_collection' }, false, false],
  ] as const)('%s', (_, reference, ofRed, ofPlain) => {
    expect([lineMatches(red, reference), lineMatches(plain, reference)]).toEqual([ofRed, ofPlain]);
  });

  test('nothing unknown is matched by nothing named', () => {
    const unknown = lineOf({ price: 1 }).identity;
    expect(lineMatches(unknown, { object: 'product' })).toBe(false);
    expect(lineMatches(unknown, { object: 'sku' })).toBe(false);
    const skuWithoutId = lineOf({ sku: { source_id: 's' }, product: { id: 'p' } }).identity;
    expect(lineMatches(skuWithoutId, { object: 'product', id: 'p', strict: true })).toBe(false);
  });
});

test('every catalogue has shipping, without a price (reference 01 §5)', () => {
  const shipping = { id: 'prod_5h1pp1ng', source_id: 'prod_5h1pp1ng', name: 'Shipping' };
  const catalogue = new Catalogue();
  expect(catalogue.product('prod_5h1pp1ng')?.product).toEqual(shipping);
  expect(catalogue.productBySource('prod_5h1pp1ng')?.product).toEqual(shipping);
});

test('lines may be in collections that the caller decided', () => {
  const item = { product_id: 'prod_x', price: 1 };
  const order = cart({ items: [item, item] }, { records, collections: [['pc_dynamic']] });
  expect(order.lines.map(({ identity }) => identity.collections)).toEqual([['pc_dynamic'], []]);
});

test('so may lines of a stored order, unless others are sent', () => {
  const item = { object: 'order_item', product_id: 'prod_x', quantity: 1, initial_quantity: 1 } as const;
  const known = { stored: { items: [item, item] }, records, collections: [['pc_dynamic']] };
  const collectionsOf = (sent: OrderInput) =>
    cart(sent, known).lines.map(({ identity }) => identity.collections);
  expect(collectionsOf({})).toEqual([['pc_dynamic'], []]);
  expect(collectionsOf({ items: [{ product_id: 'prod_y' }] })).toEqual([['pc_dynamic']]);
});
