import { cart } from '../calculation.fixture';
import type { OrderItemInput } from '../order/order';
import type { BundleComponent, BundleResult } from './bundle-rules';
import { matchBundle } from './match-bundle';

const product = (id: string, quantity: number): BundleComponent => ({ object: 'product', id, quantity });
const sku = (id: string, quantity: number): BundleComponent => ({ object: 'sku', id, quantity });
const collection = (id: string, quantity: number): BundleComponent => ({
  object: 'products_collection',
  id,
  quantity,
});

const records = {
  products: [{ id: 'bottle' }, { id: 'shirt', collections: ['C'] }, { id: 'socks', collections: ['C', 'D'] }],
  skus: [
    { id: 'shirt-red', product: { id: 'shirt', collections: ['C'] } },
    { id: 'shirt-blue', product: { id: 'shirt', collections: ['C'] } },
  ],
};

/** Items as [id, quantity]; ids with a dash are SKUs. */
const bundle = (
  items: [id: string, quantity: number][],
  components: BundleComponent[],
  limit = 1,
): BundleResult =>
  matchBundle(
    cart(
      {
        items: items.map(([id, quantity]): OrderItemInput => ({
          [id.includes('-') ? 'sku_id' : 'product_id']: id,
          quantity,
        })),
      },
      { records },
    ),
    { components, limit, scaling: 'MULTIPLY' },
  );

/** Identified units as [line, units]. */
const found = ({ identified = [] }: BundleResult): [number, number][] =>
  identified.map(({ item_index, item_quantity }) => [item_index, item_quantity]);

describe('the number of bundles (reference 01 §9)', () => {
  test.each([
    [1, 0],
    [2, 1],
    [3, 1],
    [4, 2],
    [5, 2],
    [6, 3],
    [7, 3],
    [8, 3],
    [100, 3],
  ])('%i bottles hold %i bundles of 2, at most 3', (quantity, k) => {
    const { missing, ...result } = bundle([['bottle', quantity]], [product('bottle', 2)], 3);
    expect(result.quantity).toBe(k);
    expect(found(result)).toEqual([[0, 2 * Math.max(1, k) > quantity ? quantity : 2 * Math.max(1, k)]]);
    expect(missing).toEqual(k > 0 ? undefined : [{ id: 'bottle', object: 'product', item_quantity: 1 }]);
  });

  test.each([
    [99, 99],
    [100, 100],
    [101, 100],
  ])('%i units, a limit of 100: %i bundles', (quantity, k) => {
    expect(bundle([['bottle', quantity]], [product('bottle', 1)], 100).quantity).toBe(k);
  });

  test('is the smallest number that every component allows', () => {
    const components = [product('bottle', 1), product('socks', 3)];
    const quantityOf = (bottles: number, socks: number) =>
      bundle(
        [
          ['bottle', bottles],
          ['socks', socks],
        ],
        components,
        10,
      ).quantity;
    expect([quantityOf(5, 8), quantityOf(5, 9), quantityOf(2, 9)]).toEqual([2, 3, 2]);
  });

  test('counts no unit for two components', () => {
    const both = [product('socks', 1), collection('C', 1)];
    expect(bundle([['socks', 1]], both).missing).toEqual([
      { id: 'C', object: 'products_collection', item_quantity: 1 },
    ]);
    expect(bundle([['socks', 2]], both).quantity).toBe(1);
    expect(bundle([['socks', 7]], both, 9).quantity).toBe(3);
  });

  test('without components there is no bundle', () => {
    expect(bundle([['socks', 2]], [], 5)).toEqual({ quantity: 0, limit: 5, identified: [], missing: [] });
  });

  test('an empty cart lacks everything', () => {
    expect(bundle([], [sku('shirt-red', 2)])).toEqual({
      quantity: 0,
      limit: 1,
      identified: [],
      missing: [{ id: 'shirt-red', object: 'sku', item_quantity: 2 }],
    });
  });
});

describe('who chooses first (reference 02 §1.4)', () => {
  const items: [string, number][] = [
    ['shirt-red', 1],
    ['shirt-blue', 1],
    ['socks', 1],
  ];

  test.each([
    ['a SKU before its product', [product('shirt', 1), sku('shirt-red', 1)]],
    ['a SKU before its collection', [collection('C', 2), sku('shirt-blue', 1)]],
    ['a product before its collection', [collection('C', 2), product('socks', 1)]],
    ['all three', [collection('C', 1), product('shirt', 1), sku('shirt-red', 1)]],
  ])('%s, whatever the key order', (_, components) => {
    expect(bundle(items, components).quantity).toBe(1);
  });

  test('within a class key order decides', () => {
    const wide = collection('C', 1);
    const narrow = collection('D', 1);
    const cartOf = (first: string, second: string): [string, number][] => [
      [first, 1],
      [second, 1],
    ];
    expect(bundle(cartOf('socks', 'shirt'), [narrow, wide]).quantity).toBe(1);
    expect(bundle(cartOf('socks', 'shirt'), [wide, narrow])).toMatchObject({
      quantity: 0,
      identified: [{ id: 'socks', item_quantity: 1 }],
      missing: [{ id: 'D', item_quantity: 1 }],
    });
    expect(bundle(cartOf('shirt', 'socks'), [wide, narrow]).quantity).toBe(1);
  });

  test('lines give in request order', () => {
    expect(
      found(
        bundle(
          [
            ['socks', 2],
            ['bottle', 1],
            ['shirt', 2],
            ['socks', 3],
          ],
          [collection('C', 3)],
        ),
      ),
    ).toEqual([
      [0, 2],
      [2, 1],
    ]);
  });

  test('a line from which several components took has one entry', () => {
    expect(found(bundle([['socks', 4]], [product('socks', 1), collection('C', 2)]))).toEqual([[0, 3]]);
  });

  test('missing names components in the order in which they choose', () => {
    const { missing } = bundle([], [collection('C', 3), product('bottle', 2), sku('shirt-red', 1)]);
    expect(missing!.map(({ id }) => id)).toEqual(['shirt-red', 'bottle', 'C']);
  });
});

describe('identified lines', () => {
  const identify = (item: OrderItemInput, component: BundleComponent) =>
    matchBundle(cart({ items: [item] }), { components: [component], limit: 1, scaling: 'ONCE' }).identified;
  const everything = collection('pc_a11pr0dUc75', 1);

  test.each([
    ['a SKU by its id', { sku_id: 'S', product_id: 'P' }, product('P', 1), 'S', 'sku'],
    ['a SKU by its source id', { sku: { source_id: 's' } }, everything, 's', 'sku'],
    [
      'a product by its id',
      { product_id: 'P', product: { source_id: 'p' } },
      product('P', 1),
      'P',
      'product',
    ],
    ['a product by its source id', { product: { source_id: 'p' } }, everything, 'p', 'product'],
    ['a line that names no kind by its source id', { source_id: 'x' }, everything, 'x', 'product'],
    ['a line that names nothing', { price: 100 }, everything, '', 'product'],
  ])('%s', (_, item, component, id, object) => {
    expect(identify(item, component)).toEqual([{ id, object, item_index: 0, item_quantity: 1 }]);
  });

  test('components may be named by source id alone, and are missing by it', () => {
    const component: BundleComponent = { object: 'product', source_id: 'p', quantity: 2 };
    expect(identify({ product: { source_id: 'p' } }, component)).toHaveLength(1);
    const { missing } = matchBundle({ lines: [] }, { components: [component], limit: 1, scaling: 'ONCE' });
    expect(missing).toEqual([{ id: 'p', object: 'product', item_quantity: 2 }]);
  });
});

test('quantities beyond what a number counts stay exact', () => {
  const max = Number.MAX_SAFE_INTEGER;
  const items: [string, number][] = [
    ['socks', max],
    ['socks', max],
  ];
  const half = (max - 1) / 2;
  const result = bundle(items, [product('socks', half)], 100);
  expect(result.quantity).toBe(2);
  expect(found(result)).toEqual([[0, max - 1]]);
});

test('100 components on 500 lines are matched in a few milliseconds', () => {
  const items = Array.from({ length: 500 }, (): [string, number] => ['socks', 3]);
  const components = Array.from({ length: 100 }, (_, index) => collection('C', 1 + (index % 2)));
  expect(bundle(items, components, 100).quantity).toBe(10);
});

describe('bundles of several rules (reference 01 §9, reference 02 §4.2)', () => {
  const matched = (
    items: [id: string, quantity: number][],
    [components, limit]: [BundleComponent[], number],
    ...further: [BundleComponent[], number][]
  ) => {
    return matchBundle(
      cart({ items: items.map(([product_id, quantity]) => ({ product_id, quantity })) }, { records }),
      {
        components,
        limit,
        further: further.map(([others, most]) => ({ components: others, limit: most })),
        scaling: 'MULTIPLY',
      },
    );
  };

  test('are each met by itself: what one takes the other may take too', () => {
    const result = matched([['bottle', 3]], [[product('bottle', 2)], 1], [[product('bottle', 3)], 1]);
    expect(result).toEqual({
      quantity: 1,
      limit: 1,
      identified: [{ id: 'bottle', object: 'product', item_index: 0, item_quantity: 3 }],
    });
  });

  test('the least frequent one counts, and of each line the largest need', () => {
    const result = matched(
      [
        ['bottle', 6],
        ['shirt', 4],
      ],
      [[product('bottle', 2), product('shirt', 1)], 5],
      [[product('bottle', 3)], 9],
    );
    expect(result).toMatchObject({ quantity: 2, limit: 5 });
    expect(found(result)).toEqual([
      [0, 6],
      [1, 2],
    ]);
  });

  test('what several lack of one item is what the largest need lacks', () => {
    const result = matched(
      [['bottle', 1]],
      [[product('bottle', 2)], 1],
      [[product('bottle', 4), product('shirt', 1)], 1],
    );
    expect(result.quantity).toBe(0);
    expect(result.missing).toEqual([
      { id: 'bottle', object: 'product', item_quantity: 3 },
      { id: 'shirt', object: 'product', item_quantity: 1 },
    ]);
  });
});
