import { cart } from '../calculation.fixture';

const mug = { id: 'prod_mug', name: 'Mug', metadata: { size: 1 } };
const redMug = { id: 'sku_red', sku: 'Red mug', product: mug };
const records = { products: [mug], skus: [redMug] };
const echoOf = (item: object) => cart({ items: [item] }, { records }).lines[0]!.echo;

describe('what every view shows of a line (reference 01 §3, §4)', () => {
  test.each([
    ['nothing but itself', {}, {}],
    ['its amount is no description', { amount: 5 }, {}],
    [
      'its references',
      { source_id: 'x', related_object: 'sku', metadata: { gift: true } },
      { source_id: 'x', related_object: 'sku', metadata: { gift: true } },
    ],
    ['a stored product without price', { product_id: 'prod_mug' }, { product_id: 'prod_mug', product: mug }],
    [
      'a stored SKU without price, with its product',
      { sku_id: 'sku_red' },
      { sku_id: 'sku_red', product_id: 'prod_mug', product: mug, sku: { id: 'sku_red', sku: 'Red mug' } },
    ],
    [
      'a SKU sent for an unknown product',
      { sku: { sku: 'S', price: 0 }, product_id: 'prod_x' },
      { product_id: 'prod_x', price: 0, sku: { sku: 'S', price: 0 } },
    ],
    [
      'a product sent over what is stored',
      { product_id: 'prod_mug', product: { name: 'Cup' } },
      { product_id: 'prod_mug', product: { ...mug, name: 'Cup' } },
    ],
    [
      'metadata sent for an item without any',
      { sku_id: 'sku_red', sku: { metadata: { new: true } } },
      {
        sku_id: 'sku_red',
        product_id: 'prod_mug',
        product: mug,
        sku: { id: 'sku_red', sku: 'Red mug', metadata: { new: true } },
      },
    ],
  ])('%s', (_, item, echo) => {
    expect(echoOf(item)).toStrictEqual({ object: 'order_item', ...echo });
  });
});
