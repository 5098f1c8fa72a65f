import { sharedScrip } from '@scrip/testing';
import { type Shop, shopOf } from './shop.fixture';

interface Outcome {
  order: {
    amount: number;
    total_amount: number;
    items?: { product_id?: string; sku_id?: string; quantity: number; discount_quantity?: number }[];
  };
  redeemables?: { result: { discount: Record<string, unknown> } }[];
  redemptions?: { id: string; redemption: string }[];
}

describe('discounts of every type, validated and redeemed (reference 01 §7, §8)', () => {
  let shop: Shop;
  let shirtId: string;

  beforeAll(async () => {
    shop = shopOf((await sharedScrip()).call);
    const product = { source_id: 'free-shirt', name: 'Shirt', price: 2_000 };
    shirtId = (await shop.post<{ id: string }>('/v1/products', product)).body.id;
    const sku = { source_id: 'free-shirt-l', sku: 'Shirt L', price: 1_500 };
    expect((await shop.post('/v1/products/free-shirt/skus', sku)).status).toBe(200);
  });

  /** What a code of this discount makes of an order: a redemption has to come to what the validation said. */
  const outcomeOf = async (discount: object, order: object, more: object = {}): Promise<Outcome> => {
    const redeemables = [{ object: 'voucher', id: await shop.newCode(1, discount) }];
    const call = { redeemables, order, ...more };
    const validated = await shop.post<Outcome>('/v1/validations', call);
    expect([validated.status, validated.body]).toMatchObject([200, { valid: true }]);
    const redeemed = await shop.post<Outcome>('/v1/redemptions', call);
    expect([redeemed.status, redeemed.body]).toMatchObject([200, {}]);
    expect(redeemed.body.order.total_amount).toBe(validated.body.order.total_amount);
    expect(redeemed.body.order.items?.length).toBe(validated.body.order.items?.length);
    return validated.body;
  };
  const discountIn = ({ redeemables }: Outcome) => redeemables![0]!.result.discount;

  it('adds free units at the price of the catalogue, and shows what they are', async () => {
    const discount = { type: 'UNIT', unit_off: 2, unit_type: shirtId, effect: 'ADD_NEW_ITEMS' };
    const outcome = await outcomeOf(discount, { items: [{ product_id: 'prod_own', amount: 1_000 }] });
    expect(outcome.order).toMatchObject({ amount: 5_000, total_amount: 1_000 });
    expect(outcome.order.items).toMatchObject([
      { product_id: 'prod_own', quantity: 1 },
      { product_id: shirtId, quantity: 2, discount_quantity: 2 },
    ]);
    expect(discountIn(outcome)).toMatchObject({
      unit_off: 2,
      product: { id: shirtId, source_id: 'free-shirt', name: 'Shirt' },
    });
  });

  it('makes units of the cart free before it adds others', async () => {
    const discount = { type: 'UNIT', unit_off: 2, unit_type: 'free-shirt-l' };
    const items = [{ source_id: 'free-shirt-l', related_object: 'sku', quantity: 1 }];
    const outcome = await outcomeOf(discount, { items });
    expect(outcome.order).toMatchObject({ amount: 3_000, total_amount: 0 });
    expect(discountIn(outcome)).toMatchObject({ effect: 'ADD_MISSING_ITEMS', sku: { sku: 'Shirt L' } });
  });

  it('adds several kinds of units, as many as formulas say', async () => {
    const units = [
      { unit_off: 1, unit_type: shirtId, effect: 'ADD_NEW_ITEMS' },
      {
        unit_off: 1,
        unit_off_formula: 'ORDER_METADATA("friends") + 1',
        unit_type: 'free-shirt-l',
        effect: 'ADD_NEW_ITEMS',
      },
    ];
    const order = { items: [{ product_id: 'prod_own', amount: 1_000 }], metadata: { friends: 2 } };
    const outcome = await outcomeOf({ type: 'UNIT', units }, order);
    expect(outcome.order).toMatchObject({ amount: 1_000 + 2_000 + 3 * 1_500, total_amount: 1_000 });
    expect(discountIn(outcome)).toMatchObject({
      is_dynamic: true,
      units: [{ unit_off: 1 }, { unit_off: 3 }],
    });
  });

  it('adds more of each item of the cart', async () => {
    const discount = { type: 'UNIT', unit_off: 1, unit_type: 'pc_a11pr0dUc75', effect: 'ADD_SAME_ITEMS' };
    const items = [{ product_id: shirtId, quantity: 2 }];
    const { order } = await outcomeOf(discount, { items });
    expect(order).toMatchObject({ amount: 6_000, total_amount: 4_000, items: [{ quantity: 3 }] });
  });

  it('adds more of each item of a collection, static or filtered, as it is then', async () => {
    const cup = { source_id: 'free-cup', price: 500 };
    const { body: made } = await shop.post<{ id: string }>('/v1/products', cup);
    const collected = async (body: object) =>
      (await shop.post<{ id: string }>('/v1/product-collections', body)).body.id;
    const products = [{ id: made.id, object: 'product' }];
    const ids = [
      await collected({ name: 'Cups', type: 'STATIC', products }),
      await collected({
        ...{ name: 'Cheap', type: 'AUTO_UPDATE' },
        filter: { junction: 'and', price: { conditions: { $less_than: [600] } } },
      }),
    ];
    const items = [{ product_id: made.id, quantity: 2 }, { product_id: shirtId }];
    for (const unit_type of ids) {
      const discount = { type: 'UNIT', unit_off: 1, unit_type, effect: 'ADD_SAME_ITEMS' };
      const { order } = await outcomeOf(discount, { items });
      expect(order).toMatchObject({
        amount: 1_500 + 2_000,
        total_amount: 1_000 + 2_000,
        items: [{ quantity: 3 }, { quantity: 1 }],
      });
    }
  });

  it('ships for free', async () => {
    const discount = { type: 'UNIT', unit_off: 1, unit_type: 'prod_5h1pp1ng' };
    const items = [{ product_id: 'prod_5h1pp1ng', amount: 700 }, { product_id: shirtId }];
    expect((await outcomeOf(discount, { items })).order).toMatchObject({
      amount: 2_700,
      total_amount: 2_000,
    });
  });

  it.each<[string, object, object, object, number]>([
    [
      'the order',
      { type: 'AMOUNT', amount_off: 1, amount_off_formula: 'ORDER_AMOUNT / 4' },
      { amount: 4_000 },
      {},
      3_000,
    ],
    [
      'the customer',
      { type: 'PERCENT', percent_off: 1, percent_off_formula: 'CUSTOMER_METADATA("rate")' },
      { amount: 4_000 },
      { customer: { source_id: 'formula-customer', metadata: { rate: 50 } } },
      2_000,
    ],
    [
      'the request',
      { type: 'FIXED', fixed_amount: 1, fixed_amount_formula: 'REDEMPTION_METADATA("price")' },
      { amount: 4_000 },
      { metadata: { price: 12.5 } },
      1_250,
    ],
    [
      'the voucher',
      { type: 'PERCENT', percent_off: 1, percent_off_formula: 'VOUCHER_REDEMPTION_QUANTITY * 25' },
      { amount: 4_000 },
      {},
      3_000,
    ],
    [
      'prices of the catalogue',
      { type: 'AMOUNT', amount_off: 1, amount_off_formula: 'CHEAPEST_ORDER_ITEM_PRICE' },
      { items: [{ source_id: 'free-shirt', related_object: 'product', quantity: 2 }] },
      {},
      2_000,
    ],
    [
      'what is not there, and falls back',
      { type: 'AMOUNT', amount_off: 500, amount_off_formula: 'ORDER_METADATA("none") * 2' },
      { amount: 4_000 },
      {},
      3_500,
    ],
  ])('evaluates formulas on %s', async (_, discount, order, more, total) => {
    expect((await outcomeOf(discount, order, more)).order.total_amount).toBe(total);
  });

  it('gives back what free units added, when the redemption is rolled back', async () => {
    const discount = { type: 'UNIT', unit_off: 1, unit_type: shirtId, effect: 'ADD_NEW_ITEMS' };
    const code = await shop.newCode(1, discount);
    const order = { items: [{ product_id: 'prod_own', amount: 1_000 }] };
    const { body } = await shop.redeem(code, { order });
    const undone = await shop.post<Outcome>(`/v1/redemptions/${body.redemptions[0]!.id}/rollback`, {});
    expect([undone.status, undone.body]).toMatchObject([
      200,
      { order: { amount: 1_000, total_amount: 1_000 } },
    ]);
    expect(await shop.redeemedQuantity(code)).toBe(0);
  });
});
