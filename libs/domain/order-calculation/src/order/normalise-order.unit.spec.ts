import { isRefused } from '@scrip/kernel';
import { cart } from '../calculation.fixture';
import { type NamedOrder, normaliseOrder, orderLinesMax } from './normalise-order';
import type { CalculatedOrder, OrderInput } from './order';
import { orderView } from './order-state';

const view = (sent: OrderInput, named: NamedOrder | null = null): CalculatedOrder => {
  const order = normaliseOrder(sent, named);
  if (isRefused(order)) throw new Error(order.details);
  return orderView(order, order);
};

describe('prices and amounts (reference 01 §3)', () => {
  test.each([
    ['the line price first', { price: 100, sku: { price: 200 }, product: { price: 300 } }, 100],
    ['then the price of the sku', { sku: { price: 200 }, product: { price: 300 } }, 200],
    ['then the price of the product', { product: { price: 300 } }, 300],
    ['a price of 0 is a price', { price: 0, product: { price: 300 } }, 0],
  ])('%s', (_, item, price) => {
    expect(view({ items: [{ ...item, quantity: 2 }] }).items[0]).toMatchObject({ price, amount: price * 2 });
  });

  test('a record that says that it has no price leaves the amount sent', () => {
    const records = {
      products: [{ id: 'prod_1', price: null }],
      skus: [{ id: 'sku_1', price: null, product: { id: 'prod_2', price: 70 } }],
    };
    const sent = [{ product_id: 'prod_1', amount: 900, quantity: 3 }, { sku_id: 'sku_1' }];
    const { items } = orderView(cart({ items: sent }, { records }), cart({}));
    expect(items[0]).toMatchObject({ quantity: 3, amount: 900, product: { id: 'prod_1' } });
    expect(items[0]!.product).not.toHaveProperty('price');
    expect(items[0]).not.toHaveProperty('price');
    expect(items[1]).toMatchObject({ price: 70, amount: 70, sku: { id: 'sku_1' } });
    expect(items[1]!.sku).not.toHaveProperty('price');
  });

  test('price × quantity wins over an amount sent; without a price the amount counts', () => {
    const order = view({
      items: [{ price: 100, quantity: 3, amount: 1 }, { amount: 50, quantity: 2 }, { quantity: 4 }],
    });
    expect(order.items.map((item) => item.amount)).toEqual([300, 50, undefined]);
    expect(order.items.map((item) => item.subtotal_amount)).toEqual([300, 50, undefined]);
    expect(order.amount).toBe(350);
  });

  test('the amount of the order wins over its lines', () => {
    expect(view({ amount: 1000, items: [{ price: 1 }] })).toMatchObject({ amount: 1000, total_amount: 1000 });
  });

  test('numeric strings are read, absent quantities are 1, discounts sent along are ignored', () => {
    const sent = { amount: '10000', items: [{ quantity: '2', price: '50', discount_amount: 10 }, {}] };
    expect(view(sent)).toEqual({
      amount: 10000,
      initial_amount: 10000,
      total_amount: 10000,
      items: [
        {
          object: 'order_item',
          quantity: 2,
          initial_quantity: 2,
          price: 50,
          amount: 100,
          initial_amount: 100,
          subtotal_amount: 100,
        },
        { object: 'order_item', quantity: 1, initial_quantity: 1 },
      ],
    });
  });

  test('product and sku are echoed, the wish to store them is not', () => {
    const product = { id: 'prod_1', name: 'Mug', price: '100', metadata: { color: 'red' }, override: true };
    expect(view({ items: [{ product, sku: { sku: 'S', override: false } }] }).items[0]).toMatchObject({
      product: { id: 'prod_1', name: 'Mug', price: 100, metadata: { color: 'red' } },
      sku: { sku: 'S' },
    });
    expect(view({ items: [{ product }] }).items[0]?.product).not.toHaveProperty('override');
  });
});

describe('refusals', () => {
  const tooMuch = Number.MAX_SAFE_INTEGER + 1;

  test.each<[OrderInput, string]>([
    [{ items: [{ initial_quantity: 0 }] }, 'Property .items[0].initial_quantity cannot be lower than 1'],
    [{ items: [{}, { quantity: 0 }] }, 'Property .items[1].quantity cannot be lower than 1'],
    [{ items: [{ quantity: 1.5 }] }, 'Property .items[0].quantity must be integer'],
    [{ items: [{ price: 'abc' }] }, 'Property .items[0].price must be integer'],
    [{ items: [{ price: '1e3' }] }, 'Property .items[0].price must be integer'],
    [{ items: [{ product: { price: -1 } }] }, 'Property .items[0].product.price cannot be lower than 0'],
    [{ items: [{ price: '' }] }, 'Property .items[0].price must be integer'],
    [{ items: [{ price: '12x' }] }, 'Property .items[0].price must be integer'],
    [{ items: [{ price: 'x12' }] }, 'Property .items[0].price must be integer'],
    [{ items: [{ price: true as never }] }, 'Property .items[0].price must be integer'],
    [{ items: [{ price: tooMuch }] }, 'Property .items[0].price must be <= 9007199254740991'],
    [{ items: [{ amount: -1 }] }, 'Property .items[0].amount cannot be lower than 0'],
    [{ items: [{ sku: { price: -1 } }] }, 'Property .items[0].sku.price cannot be lower than 0'],
    [{ amount: 'much' }, 'Property .amount must be integer'],
    [{ items: [{ amount: tooMuch }] }, 'Property .items[0].amount must be <= 9007199254740991'],
    [{ items: [{ price: 2 ** 52, quantity: 2 }] }, 'Property .items[0].amount must be <= 9007199254740991'],
    [{ items: [{ amount: 2 ** 52 }, { amount: 2 ** 52 }] }, 'Property .amount must be <= 9007199254740991'],
    [{ amount: -1 }, 'Property .amount cannot be lower than 0'],
    [
      { items: Array.from({ length: orderLinesMax + 1 }, () => ({})) },
      'Property .items must NOT have more than 500 items',
    ],
  ])('%#: %j', (sent, details) => {
    expect(normaliseOrder(sent)).toEqual({ refused: 'invalid_payload', details });
  });

  test('the greatest figures pass', () => {
    expect(view({ items: [{ amount: Number.MAX_SAFE_INTEGER }] }).amount).toBe(Number.MAX_SAFE_INTEGER);
    expect(view({ items: Array.from({ length: orderLinesMax }, () => ({})) }).items).toHaveLength(500);
  });
});

describe('stored orders', () => {
  const stored: CalculatedOrder = {
    amount: 1000,
    initial_amount: 1000,
    discount_amount: 100,
    items_discount_amount: 50,
    total_discount_amount: 150,
    total_amount: 850,
    applied_discount_amount: 100,
    items_applied_discount_amount: 50,
    total_applied_discount_amount: 150,
    items: [
      {
        object: 'order_item',
        quantity: 2,
        initial_quantity: 2,
        price: 500,
        amount: 1000,
        initial_amount: 1000,
        discount_amount: 50,
        applied_discount_amount: 50,
        subtotal_amount: 950,
      },
    ],
  };
  const byId: NamedOrder = { namedBy: 'id', order: stored };

  test('start from their discounts, with nothing applied yet', () => {
    const order = view({}, byId);
    expect(order).toMatchObject({ discount_amount: 100, items_discount_amount: 50, total_amount: 850 });
    expect(order).not.toHaveProperty('total_applied_discount_amount');
    expect(order.items[0]).toMatchObject({ discount_amount: 50, subtotal_amount: 950 });
  });

  test('named by source id they win over what is sent', () => {
    expect(view({ amount: 5, items: [] }, { ...byId, namedBy: 'source_id' })).toEqual(view({}, byId));
  });

  test('sent items drop the item discounts and keep those of the order', () => {
    const order = view({ items: [{ price: 300, quantity: 2 }] }, byId);
    expect(order).toMatchObject({ amount: 600, discount_amount: 100, total_amount: 500 });
    expect(order).not.toHaveProperty('items_discount_amount');
  });

  test('a sent amount keeps lines and discounts', () => {
    expect(view({ amount: 2000 }, byId)).toMatchObject({
      amount: 2000,
      total_discount_amount: 150,
      total_amount: 1850,
    });
  });

  test('an amount below the discounts leaves nothing to pay, and nothing negative', () => {
    expect(view({ amount: 120 }, byId)).toMatchObject({ discount_amount: 70, total_amount: 0 });
    expect(view({ amount: 150 }, byId)).toMatchObject({ discount_amount: 100, total_amount: 0 });
    expect(view({ amount: 50 }, byId)).toMatchObject({ items_discount_amount: 50, total_amount: 0 });
    const tiny = view({ amount: 20 }, byId);
    expect(tiny).toMatchObject({ items_discount_amount: 20, total_discount_amount: 20, total_amount: 0 });
  });

  test('discounts of lines that an amount no longer holds are cut from the last line backwards', () => {
    const [line] = stored.items;
    const twoLines = { ...stored, amount: 2000, items_discount_amount: 100, items: [line!, line!] };
    const order = view({ amount: 70 }, { namedBy: 'id', order: twoLines });
    expect(order.items.map((one) => one.discount_amount)).toEqual([50, 20]);
    expect(order).toMatchObject({ total_discount_amount: 70, total_amount: 0 });
  });

  test('an order that contradicts itself is no reason to pay less than nothing', () => {
    const wrong = { ...stored, amount: 120 };
    expect(view({}, { namedBy: 'id', order: wrong })).toMatchObject({ discount_amount: 70, total_amount: 0 });
    expect(view({}, { namedBy: 'source_id', order: wrong })).toMatchObject({ total_amount: 0 });
  });

  test('null is no amount', () => {
    expect(view({ amount: null, items: null }, byId)).toEqual(view({}, byId));
  });

  test('without items and amount nothing is left to discount', () => {
    expect(view({ items: [] }, byId)).toEqual({ items: [] });
  });
});
