import { Catalogue } from './catalogue/catalogue';
import { after, cart, orderOf } from './effects/carts.fixture';
import { formulaContextOf } from './formula-facts';
import { isRefused } from '@scrip/kernel';
import { normaliseOrder } from './order/normalise-order';
import type { OrderState } from './order/order-state';

describe('what a formula reads (reference 01 §8)', () => {
  test('without any knowledge there is nothing, at the beginning of time, in UTC', () => {
    expect(formulaContextOf({}, null, null, undefined, {})).toEqual({
      now: new Date(0),
      timezone: 'UTC',
      order: null,
      line: null,
      customer: null,
      redeemableMetadata: {},
      redemptionMetadata: {},
      publicationMetadata: {},
      voucher: null,
      promotionTier: null,
    });
  });

  test('facts of the request and of the redeemable', () => {
    const now = new Date('2026-03-31T12:00:00Z');
    const customer = { metadata: { tier: 'gold' }, birthdate: '2000-01-01' };
    const voucher = {
      redemptionQuantity: null,
      redeemedQuantity: 3,
      publishCount: 1,
      startDate: null,
      expirationDate: '2026-12-31',
    };
    const promotionTier = { startDate: '2026-01-01', expirationDate: null };
    expect(
      formulaContextOf(
        {
          facts: {
            redeemableMetadata: { a: 1 },
            publicationMetadata: { b: 2 },
            voucher,
            promotionTier,
          },
        },
        orderOf({ amount: 1000 }),
        null,
        4,
        {
          now,
          timezone: 'Europe/Warsaw',
          facts: { customer, redemptionMetadata: { c: 3 }, orderMetadata: { d: 4 } },
        },
      ),
    ).toMatchObject({
      now,
      timezone: 'Europe/Warsaw',
      order: { amount: 1000, lines: [], metadata: { d: 4 }, bundleQuantity: 4 },
      line: null,
      customer,
      redeemableMetadata: { a: 1 },
      redemptionMetadata: { c: 3 },
      publicationMetadata: { b: 2 },
      voucher,
      promotionTier,
    });
  });

  test('an order without metadata or bundle', () => {
    const { order } = formulaContextOf({}, orderOf({}), null, undefined, {});
    expect(order).toMatchObject({ amount: undefined, metadata: {}, bundleQuantity: undefined, lines: [] });
  });

  test('lines: price, amounts before and after discounts, quantity and metadata', () => {
    const order = after(
      cart(
        { price: 500, quantity: 3, metadata: { size: 'M' } },
        { amount: 100, quantity: 4 },
        { quantity: 2 },
      ),
      { lines: [{ discountAmount: 200 }] },
    );
    const lines = formulaContextOf({}, order, null, undefined, {}).order!.lines;
    const read = lines.map((line) => ({
      price: line.price,
      amount: line.amount,
      subtotal: line.subtotal,
      quantity: line.quantity,
      metadata: line.metadata,
      productMetadata: line.productMetadata,
    }));
    expect(read).toEqual([
      { price: 500, amount: 1500, subtotal: 1300, quantity: 3, metadata: { size: 'M' }, productMetadata: {} },
      { price: 25, amount: 100, subtotal: 100, quantity: 4, metadata: {}, productMetadata: {} },
      {
        price: undefined,
        amount: undefined,
        subtotal: undefined,
        quantity: 2,
        metadata: {},
        productMetadata: {},
      },
    ]);
  });

  test('the current line', () => {
    const order = cart({ price: 500 }, { price: 700 });
    expect(formulaContextOf({}, order, order.lines[1]!, undefined, {}).line?.price).toBe(700);
  });

  test("the product's metadata with the SKU's over it", () => {
    const product = { id: 'prod_1', metadata: { fabric: 'cotton', colour: 'any' } };
    const catalogue = new Catalogue({
      products: [product, { id: 'prod_2' }],
      skus: [
        { id: 'sku_1', metadata: { colour: 'red' }, product },
        { id: 'sku_2', product },
        { id: 'sku_3', metadata: { colour: 'blue' }, product: { id: 'prod_2' } },
      ],
    });
    const order = normaliseOrder(
      { items: ['sku_1', 'sku_2', 'sku_3'].map((sku_id) => ({ sku_id })) },
      null,
      '',
      { catalogue },
    );
    if (isRefused(order)) throw new Error(order.details);
    const { lines } = formulaContextOf({}, order, null, undefined, {}).order!;
    expect(lines.map((line) => line.productMetadata)).toEqual([
      { fabric: 'cotton', colour: 'red' },
      { fabric: 'cotton', colour: 'any' },
      { colour: 'blue' },
    ]);
    expect(product.metadata).toEqual({ fabric: 'cotton', colour: 'any' });
  });

  test('lines are walked when they are read, and once', () => {
    let walks = 0;
    const order: OrderState = {
      ...orderOf({ amount: 1000 }),
      get lines() {
        walks += 1;
        return [];
      },
    };
    const context = formulaContextOf({}, order, null, undefined, {});
    expect(context.order?.amount).toBe(1000);
    const before = walks;
    const [first, second] = [context.order?.lines, context.order?.lines];
    expect([before, walks]).toEqual([0, 1]);
    expect(first).toBe(second);
  });
});
