import { sharedScrip } from '@scrip/testing';
import { type Shop, shopOf } from './shop.fixture';

interface Line {
  price?: number;
  amount: number;
  product_id?: string;
  sku_id?: string;
  product?: object;
  sku?: object;
}

interface Order {
  id: string;
  amount: number;
  total_amount: number;
  items: Line[];
}

describe('items that name records of the catalogue (reference 07 §5)', () => {
  let shop: Shop;
  let [product, sku]: { id: string; source_id: string }[] = [];

  const stored = async (path: string, body: object) =>
    (await shop.post<{ id: string; source_id: string }>(path, body)).body;

  beforeAll(async () => {
    shop = shopOf((await sharedScrip()).call);
    product = await stored('/v1/products', {
      source_id: 'shirt',
      name: 'Shirt',
      price: 2_100,
      metadata: { fabric: 'linen' },
    });
    sku = await stored('/v1/products/shirt/skus', { source_id: 'shirt-l', sku: 'Shirt L', price: 1_700 });
    await stored('/v1/products', { source_id: 'mug', name: 'Mug' });
  });

  const codeOf = () => shop.newCode(null, { type: 'PERCENT', percent_off: 10 });
  const ordered = async (path: string, order: object): Promise<Order> => {
    const redeemables = [{ object: 'voucher', id: await codeOf() }];
    const { status, body } = await shop.post<{ order: Order }>(path, { redeemables, order });
    expect([status, body]).toMatchObject([200, { order: {} }]);
    return body.order;
  };

  const named = (): Record<string, [item: object, line: object]> => {
    const shirt = {
      id: product!.id,
      source_id: 'shirt',
      name: 'Shirt',
      price: 2_100,
      metadata: { fabric: 'linen' },
    };
    const size = { id: sku!.id, source_id: 'shirt-l', sku: 'Shirt L', price: 1_700 };
    const ofSku = {
      sku_id: sku!.id,
      product_id: product!.id,
      price: 1_700,
      amount: 3_400,
      sku: size,
      product: shirt,
    };
    const ofProduct = { product_id: product!.id, price: 2_100, amount: 4_200, product: shirt };
    return {
      'a product by id': [{ product_id: product!.id }, ofProduct],
      'a product by source id': [{ source_id: 'shirt', related_object: 'product' }, ofProduct],
      'a product inside': [{ product: { source_id: 'shirt' } }, ofProduct],
      'a SKU by id': [{ sku_id: sku!.id }, ofSku],
      'a SKU by source id': [{ source_id: 'shirt-l', related_object: 'sku' }, ofSku],
      'what it says itself': [
        { product_id: product!.id, price: 5, product: { name: 'Own' } },
        { price: 5, amount: 10, product: { ...shirt, name: 'Own' } },
      ],
      'a product without a price': [
        { source_id: 'mug', related_object: 'product', amount: 7 },
        { amount: 7, product: { source_id: 'mug', name: 'Mug' } },
      ],
      'what nobody knows': [
        { product_id: 'prod_none', amount: 9 },
        { product_id: 'prod_none', amount: 9 },
      ],
    };
  };

  it('have its prices, names and metadata, in a validation as in a redemption', async () => {
    const items = Object.values(named()).map(([item]) => ({ quantity: 2, ...item }));
    const lines = Object.values(named()).map(([, line]) => line);
    const validated = await ordered('/v1/validations', { items });
    const redeemed = await ordered('/v1/redemptions', { items });
    for (const order of [validated, redeemed]) {
      expect(order.items).toMatchObject(lines);
      expect([order.amount, order.total_amount]).toEqual([19_426, 17_483]);
    }
    const kept = (await shop.get<Order>(`/v1/orders/${redeemed.id}`)).body;
    expect(kept.items).toMatchObject(lines);
    expect(kept.total_amount).toBe(17_483);
  });

  it('have those of now where an order named by id is overwritten, and what is stored where it is named by source id', async () => {
    const source_id = `kept-${Date.now()}`;
    const items = [{ product_id: product!.id }];
    const { id } = await ordered('/v1/redemptions', { source_id, items });
    await shop.post('/v1/products', { source_id: 'shirt', price: 2_200 });
    for (const path of ['/v1/validations', '/v1/redemptions']) {
      expect((await ordered(path, { source_id, items: [{ sku_id: sku!.id }] })).amount).toBe(2_100);
      expect((await ordered(path, { id, items: [{ sku_id: sku!.id }] })).amount).toBe(1_700);
      expect((await ordered(path, { id, items })).amount).toBe(2_200);
      if (path === '/v1/validations') expect((await ordered(path, { id })).amount).toBe(2_100);
    }
    await shop.post('/v1/products', { source_id: 'shirt', price: 2_100 });
  });

  it('store what they say with override in a redemption, never in a validation or beside a stored order', async () => {
    const source_id = `override-${Date.now()}`;
    const price = (amount: number) => [
      { product: { source_id, name: source_id, price: amount, override: true } },
    ];
    const product_of = () => shop.get<{ price: number; name: string }>(`/v1/products/${source_id}`);
    expect((await ordered('/v1/validations', { items: price(60_000) })).amount).toBe(60_000);
    expect((await product_of()).status).toBe(404);
    const named = `order-${source_id}`;
    const order = await ordered('/v1/redemptions', { source_id: named, items: price(60_000) });
    const { body } = await product_of();
    expect(body).toMatchObject({ name: source_id, price: 60_000 });
    expect(order).toMatchObject({
      amount: 60_000,
      items: [{ product_id: (body as unknown as { id: string }).id, price: 60_000 }],
    });
    expect((await ordered('/v1/redemptions', { source_id: named, items: price(1) })).amount).toBe(60_000);
    expect((await product_of()).body.price).toBe(60_000);
    expect((await ordered('/v1/redemptions', { id: order.id, items: price(50_000) })).amount).toBe(50_000);
    expect((await product_of()).body.price).toBe(50_000);
  });
});
