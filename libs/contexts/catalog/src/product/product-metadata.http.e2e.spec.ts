import { type SharedScrip, sharedScrip } from '@scrip/testing';

describe('metadata of the catalogue and of orders (reference 07 §8)', () => {
  let scrip: SharedScrip;

  beforeAll(async () => {
    scrip = await sharedScrip();
    const schema = (related_object: string, properties: object) =>
      scrip.ask('POST', '/v1/metadata-schemas', { related_object, properties });
    await schema('product', {
      season: { type: 'string', optional: false },
      stock: { type: 'number' },
    });
    await schema('order', { note: { type: 'string', optional: false } });
    await schema('order_item', { gift: { type: 'boolean' } });
  }, 240_000);

  const refused = (details: string) => ({
    status: 400,
    body: { key: 'metadata_validation_failed', message: 'Metadata validation failed', details },
  });
  const season = "season: must be a string, property is required (actual value is 'undefined')";
  const stock = "stock: must be a number (actual value is 'many')";
  const metadata = { season: 'spring' };

  it('are checked when a product or SKU is created, and when they are sent', async () => {
    expect(await scrip.call('POST', '/v1/products', { source_id: 'bare' })).toMatchObject(refused(season));
    const { id } = await scrip.ask<any>('POST', '/v1/products', { source_id: 'checked', metadata });
    const wrong = { metadata: { stock: 'many' } };
    expect(await scrip.call('PUT', `/v1/products/${id}`, wrong)).toMatchObject(refused(stock));
    expect(await scrip.call('POST', '/v1/products', { id, ...wrong })).toMatchObject(refused(stock));
    expect((await scrip.call('PUT', `/v1/products/${id}`, { price: 1 })).status).toBe(200);
    const skus = `/v1/products/${id}/skus`;
    expect(await scrip.call('POST', skus, { source_id: 'bare' })).toMatchObject(refused(season));
    const sku = await scrip.ask<any>('POST', skus, { source_id: 'checked', metadata });
    expect(await scrip.call('PUT', `${skus}/${sku.id}`, wrong)).toMatchObject(refused(stock));
  });

  it('that an item wants stored with override are stored where they fit', async () => {
    const item = (source_id: string, own: object) => ({
      quantity: 1,
      product: { source_id, override: true, name: source_id, price: 700, metadata: own },
    });
    const order = await scrip.ask<any>('POST', '/v1/orders', {
      metadata: { note: 'x' },
      items: [item('fits', metadata), item('does not', {})],
    });
    expect(order.amount).toBe(1_400);
    const stored = await scrip.ask<any>('GET', '/v1/products/fits');
    expect(stored).toMatchObject({ name: 'fits', price: 700, metadata });
    expect(order.items[0]).toMatchObject({ product_id: stored.id });
    expect((await scrip.call('GET', '/v1/products/does%20not')).status).toBe(404);
  });

  it('of an order are checked when it is created, and when they are sent', async () => {
    const note = "note: must be a string, property is required (actual value is 'undefined')";
    expect(await scrip.call('POST', '/v1/orders', { amount: 1 })).toMatchObject(refused(note));
    const { id } = await scrip.ask<any>('POST', '/v1/orders', { amount: 1, metadata: { note: 'x' } });
    expect((await scrip.call('PUT', `/v1/orders/${id}`, { amount: 2 })).status).toBe(200);
    expect(await scrip.call('PUT', `/v1/orders/${id}`, { metadata: { note: 1 } })).toMatchObject(
      refused("note: must be a string, property is required (actual value is '1')"),
    );
    const items = [{ quantity: 1, price: 1, metadata: { gift: 'yes' } }];
    expect(await scrip.call('PUT', `/v1/orders/${id}`, { items })).toMatchObject(
      refused("gift: must be a boolean (actual value is 'yes')"),
    );
  });
});
