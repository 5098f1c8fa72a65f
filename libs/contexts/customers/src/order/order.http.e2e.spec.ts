import { type ScripAnswer, type SharedScrip, sharedScrip } from '@scrip/testing';

describe('orders over HTTP (reference 07 §5)', () => {
  let scrip: SharedScrip;

  beforeAll(async () => {
    scrip = await sharedScrip();
  });

  const post = (body: unknown, headers?: Record<string, string>): Promise<ScripAnswer> =>
    scrip.call('POST', '/v1/orders', body, headers);
  const get = (name: string): Promise<ScripAnswer> => scrip.call('GET', `/v1/orders/${name}`);
  const put = (name: string, body: unknown): Promise<ScripAnswer> =>
    scrip.call('PUT', `/v1/orders/${name}`, body);

  const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

  it('shows a created order by id and by source id', async () => {
    const { status, body } = await post({
      source_id: 'A/1 %',
      status: 'PAID',
      customer: { source_id: 'ada', name: 'Ada', metadata: { vip: true } },
      referrer: { source_id: 'bea' },
      items: [
        { product_id: 'prod_1', quantity: '2', price: 500, metadata: { engraved: 'A' } },
        {
          source_id: 'cup',
          related_object: 'sku',
          product: { name: 'Cup', price: 700 },
          sku: { sku: 'red' },
        },
      ],
      metadata: { channel: 'web' },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^ord_[0-9a-f]{32}$/),
      source_id: 'A/1 %',
      status: 'PAID',
      customer_id: expect.stringMatching(/^cust_/),
      customer: { id: body.customer_id, object: 'customer' },
      referrer_id: expect.stringMatching(/^cust_/),
      referrer: { id: body.referrer_id, object: 'customer' },
      amount: 1_700,
      initial_amount: 1_700,
      total_amount: 1_700,
      items: [
        {
          object: 'order_item',
          product_id: 'prod_1',
          quantity: 2,
          initial_quantity: 2,
          price: 500,
          amount: 1_000,
          initial_amount: 1_000,
          subtotal_amount: 1_000,
          metadata: { engraved: 'A' },
        },
        {
          object: 'order_item',
          source_id: 'cup',
          related_object: 'sku',
          quantity: 1,
          initial_quantity: 1,
          price: 700,
          amount: 700,
          initial_amount: 700,
          subtotal_amount: 700,
          product: { name: 'Cup', price: 700 },
          sku: { sku: 'red' },
        },
      ],
      metadata: { channel: 'web' },
      redemptions: {},
      created_at: instant,
      updated_at: null,
      object: 'order',
    });
    expect((await get(body.id)).body).toEqual(body);
    expect((await get(encodeURIComponent('A/1 %'))).body).toEqual(body);
  });

  it('changes what is sent and nothing else, by id, by source id, and by a repeated POST', async () => {
    const { body: created } = await post({ source_id: 'changed', amount: 900, metadata: { a: 1 } });
    const put1 = await put(created.id, { status: 'PAID', metadata: { b: null } });
    expect(put1.status).toBe(200);
    expect(put1.body).toEqual({
      ...created,
      status: 'PAID',
      metadata: { a: 1, b: null },
      updated_at: instant,
    });
    const byItems = await put('changed', { items: [{ product_id: 'prod_1', price: 30, quantity: 4 }] });
    expect(byItems.body).toMatchObject({ id: created.id, status: 'PAID', amount: 120, total_amount: 120 });
    const again = await post({ source_id: 'changed', status: 'FULFILLED' });
    expect(again.body).toMatchObject({ id: created.id, status: 'FULFILLED', amount: 120 });
    const byId = await post({ id: created.id, source_id: 'renamed' });
    expect(byId.body).toMatchObject({ id: created.id, source_id: 'renamed', amount: 120 });
    expect((await get('changed')).status).toBe(404);
    const { body: last } = await get('renamed');
    expect((await put('renamed', { status: 'FULFILLED', metadata: { a: 1 } })).body).toEqual(last);
  });

  it('names the customers it is given, whom it stores', async () => {
    const { body } = await post({ customer: { source_id: 'cleo' } });
    const { body: other } = await post({
      customer: { source_id: 'cleo', name: 'Cleo' },
      referrer_id: body.customer_id,
    });
    expect(other).toMatchObject({ customer_id: body.customer_id, referrer_id: body.customer_id });
    const cleared = await put(other.id, { referrer_id: null });
    expect(cleared.body.referrer_id).toBeNull();
    expect(cleared.body).not.toHaveProperty('referrer');
  });

  it('shows what redemptions did, without what it keeps for itself', async () => {
    const code = 'ORDER-10';
    await scrip.ask('POST', '/v1/campaigns', {
      name: 'Of orders',
      campaign_type: 'DISCOUNT_COUPONS',
      type: 'STANDALONE',
      voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 10 }, code },
    });
    const { body: order } = await post({ source_id: 'redeemed', amount: 100 });
    const { redemptions } = await scrip.ask<{ redemptions: { id: string }[] }>('POST', '/v1/redemptions', {
      redeemables: [{ object: 'voucher', id: code }],
      order: { id: order.id },
    });
    const shown = (await get('redeemed')).body;
    expect(shown).toMatchObject({ status: 'PAID', amount: 100, total_discount_amount: 10, total_amount: 90 });
    expect(shown.redemptions).toEqual({
      [redemptions[0]!.id]: {
        date: instant,
        related_object_type: 'voucher',
        related_object_id: expect.stringMatching(/^v_/),
        related_object_parent_id: expect.stringMatching(/^camp_/),
      },
    });
    const changed = await put('redeemed', { metadata: { parcel: 'P-1' } });
    expect(changed.body).toEqual({ ...shown, metadata: { parcel: 'P-1' }, updated_at: instant });
    const smaller = await put('redeemed', { amount: 60 });
    expect(smaller.body).toMatchObject({ amount: 60, total_discount_amount: 10, total_amount: 50 });
  });

  it('creates one order however often a keyed call is repeated', async () => {
    const headers = { 'idempotency-key': 'order-once' };
    const answers = await Promise.all(Array.from({ length: 5 }, () => post({ amount: 5 }, headers)));
    const created = answers.filter(({ status }) => status === 200);
    expect(new Set(created.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    expect((await post({ amount: 5 }, headers)).body.id).toBe(created[0]!.body.id);
  });

  it.each<[string, unknown, string]>([
    ['no object', [], 'Payload must be object'],
    [
      'an unknown status',
      { status: 'OPEN' },
      'Property .status should be equal to one of the allowed values [ CREATED, PAID, CANCELED, FULFILLED ]',
    ],
    ['a quantity of 0', { items: [{ quantity: 0 }] }, 'Property .items[0].quantity cannot be lower than 1'],
    ['half a unit', { items: [{ quantity: 0.5 }] }, 'Property .items[0].quantity must be integer'],
    [
      'an initial quantity of 0',
      { items: [{ initial_quantity: 0 }] },
      'Property .items[0].initial_quantity cannot be lower than 1',
    ],
    ['a negative price', { items: [{ price: -1 }] }, 'Property .items[0].price must be >= 0'],
    ['a negative amount', { amount: -1 }, 'Property .amount must be >= 0'],
    [
      '501 items',
      { items: Array.from({ length: 501 }, () => ({})) },
      'Property .items should NOT have more than 500 items',
    ],
    ['metadata of another kind', { metadata: [] }, 'Property .metadata must be object'],
    [
      'a long source id',
      { source_id: 'x'.repeat(513) },
      'Property .source_id should NOT be longer than 512 characters',
    ],
    ['a customer by name', { customer: 'ada' }, 'Property .customer must be object'],
    [
      'more than an event holds',
      { metadata: {}, items: Array.from({ length: 500 }, () => ({ product: { name: 'x'.repeat(1_500) } })) },
      'Payload cannot make the order larger than 600000 bytes',
    ],
  ])('refuses %s', async (_, body, details) => {
    const { status, body: answer } = await post(body);
    expect([status, answer]).toEqual([
      400,
      {
        code: 400,
        key: 'invalid_payload',
        message: 'Invalid payload',
        details,
        request_id: expect.any(String),
      },
    ]);
  });

  it.each<[string, () => Promise<ScripAnswer>, string, string]>([
    ['an id to change', () => post({ id: 'ord_none', amount: 1 }), 'order', 'ord_none'],
    ['an id to show', () => get('ord_none'), 'order', 'ord_none'],
    [
      'an id in the path, before what is wrong with the body',
      () => put('ord_none', { amount: -1 }),
      'order',
      'ord_none',
    ],
    ['a customer', () => post({ customer: { id: 'cust_none' } }), 'customer', 'cust_none'],
    ['a referrer', () => post({ referrer_id: 'cust_none' }), 'customer', 'cust_none'],
  ])('does not find %s that nobody has', async (_, call, type, id) => {
    const { status, body } = await call();
    expect([status, body]).toEqual([
      404,
      {
        code: 404,
        key: 'not_found',
        message: 'Resource not found',
        details: `Cannot find ${type} with id ${id}`,
        resource_id: id,
        resource_type: type,
        request_id: expect.any(String),
      },
    ]);
  });

  it('refuses a source id that another order has', async () => {
    await post({ source_id: 'of-one' });
    const { body: other } = await post({ source_id: 'of-another' });
    for (const { status, body } of [
      await put('of-another', { source_id: 'of-one' }),
      await post({ id: other.id, source_id: 'of-one' }),
    ]) {
      expect([status, body]).toEqual([
        409,
        {
          code: 409,
          key: 'duplicate_found',
          message: 'Duplicated resource found',
          details: 'Duplicated order exists with source_id of-one',
          resource_id: 'of-one',
          resource_type: 'order',
          request_id: expect.any(String),
        },
      ]);
    }
  });

  describe('with items of the catalog', () => {
    let [productId, skuId] = ['', ''];

    beforeAll(async () => {
      const product = { source_id: 'shirt', name: 'Shirt', price: 2_100, metadata: { fabric: 'linen' } };
      productId = (await scrip.ask<{ id: string }>('POST', '/v1/products', product)).id;
      const sku = { source_id: 'shirt-red', sku: 'Red', price: 1_700, metadata: { colour: 'red' } };
      skuId = (await scrip.ask<{ id: string }>('POST', `/v1/products/${productId}/skus`, sku)).id;
    });

    const stored = () => ({
      product: {
        id: productId,
        source_id: 'shirt',
        name: 'Shirt',
        price: 2_100,
        metadata: { fabric: 'linen' },
      },
      sku: { id: skuId, source_id: 'shirt-red', sku: 'Red', price: 1_700, metadata: { colour: 'red' } },
    });

    it.each<[string, () => object, () => object]>([
      [
        'a SKU by its id costs its own price, before its product’s',
        () => ({ sku_id: skuId }),
        () => ({ price: 1_700, amount: 1_700, product_id: productId, sku_id: skuId, ...stored() }),
      ],
      [
        'a product by its source id costs its price',
        () => ({ source_id: 'shirt', related_object: 'product', quantity: 2 }),
        () => ({ price: 2_100, amount: 4_200, product_id: productId, product: stored().product }),
      ],
      [
        'an embedded source id names a record too',
        () => ({ sku: { source_id: 'shirt-red' } }),
        () => ({ price: 1_700, sku_id: skuId, product_id: productId, ...stored() }),
      ],
      [
        'the stored SKU price goes before an inline product price, which the block shows',
        () => ({ sku_id: skuId, product: { price: 9_000, name: 'Blouse' } }),
        () => ({
          price: 1_700,
          ...stored(),
          product: { ...stored().product, price: 9_000, name: 'Blouse' },
        }),
      ],
      [
        'an inline SKU price goes before the stored one, a price of the item before all',
        () => ({ sku_id: skuId, price: 5, sku: { price: 6 } }),
        () => ({ price: 5, amount: 5, ...stored(), sku: { ...stored().sku, price: 6 } }),
      ],
      [
        'what is not stored is what was sent',
        () => ({ product_id: 'prod_none', product: { price: 60_000 }, quantity: 2 }),
        () => ({ product_id: 'prod_none', price: 60_000, amount: 120_000, product: { price: 60_000 } }),
      ],
    ])('%s', async (_, sent, shown) => {
      const { body } = await post({ items: [sent()] });
      expect(body.items).toEqual([expect.objectContaining(shown())]);
      const changed = await put((await post({})).body.id, { items: [sent()] });
      expect(changed.body.items).toEqual(body.items);
    });

    it('costs what the worked example says: 2 × 60000 and a SKU of 1700 under a product of 2100', async () => {
      const { body } = await post({
        items: [
          { source_id: 'A', related_object: 'product', quantity: 2, product: { price: 60_000 } },
          { sku_id: skuId },
        ],
      });
      expect(body.items.map(({ amount }: { amount: number }) => amount)).toEqual([120_000, 1_700]);
      expect(body.amount).toBe(121_700);
    });
  });

  it('names what it does not read: figures are its own', async () => {
    const { headers, body } = await post({ amount: 100, discount_amount: 50, created_at: '2020-01-01' });
    expect(headers.get('x-scrip-ignored')).toBe('discount_amount, created_at');
    expect(body.total_amount).toBe(100);
  });
});
