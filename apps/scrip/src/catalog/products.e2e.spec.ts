import { type ScripProject, sharedScrip } from '@scrip/testing';

describe('products of a running Scrip', () => {
  let scrip: ScripProject;

  beforeAll(async () => {
    scrip = await sharedScrip();
  }, 240_000);

  it('are created, changed, listed and deleted', async () => {
    const created = await scrip.call('POST', '/v1/products', { source_id: 'shirt', name: 'Shirt' });
    expect(created).toMatchObject({ status: 200, body: { object: 'product', name: 'Shirt' } });
    const changed = await scrip.call('PUT', '/v1/products/shirt', { price: 2_500 });
    expect(changed).toMatchObject({ status: 200, body: { price: 2_500, name: 'Shirt' } });
    const { body } = await scrip.call('GET', '/v1/products');
    expect(body).toMatchObject({ total: 1, products: [changed.body] });
    expect((await scrip.call('DELETE', '/v1/products/shirt')).status).toBe(204);
    expect((await scrip.call('GET', '/v1/products/shirt')).status).toBe(404);
  });
});
