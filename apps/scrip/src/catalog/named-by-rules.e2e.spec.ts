import { type SharedScrip, sharedScrip } from '@scrip/testing';

interface Named {
  id: string;
}

describe('what validation rules name (reference 07 §4, §6, §7)', () => {
  let scrip: SharedScrip;

  beforeAll(async () => {
    scrip = await sharedScrip();
  });

  const created = (path: string, body: object) => scrip.ask<Named>('POST', path, body);
  const remove = (path: string) => scrip.call('DELETE', path);
  const items = (object: string, name: object) => ({
    name: 'order.items.any',
    conditions: { $is: [{ ...name, object }] },
    rules: {},
  });
  const ruleOf = (leaf: object) =>
    created('/v1/validation-rules', { name: 'Rule', rules: { '1': leaf, logic: '1' } });

  it.each<[string, () => Promise<{ path: string; id: string; leaf: object }>]>([
    [
      'segment',
      async () => {
        const { id } = await created('/v1/segments', { name: 'VIP', customers: [] });
        const leaf = { name: 'customer.segment', conditions: { $is: [id] }, rules: {} };
        return { path: `/v1/segments/${id}`, id, leaf };
      },
    ],
    [
      'product',
      async () => {
        const { id } = await created('/v1/products', { source_id: 'mug' });
        return { path: '/v1/products/mug', id, leaf: items('product', { source_id: 'mug' }) };
      },
    ],
    [
      'sku',
      async () => {
        await created('/v1/products', { source_id: 'shirt' });
        const { id } = await created('/v1/products/shirt/skus', { source_id: 'blue' });
        return { path: '/v1/products/shirt', id, leaf: items('sku', { id }) };
      },
    ],
    [
      'products_collection',
      async () => {
        const { id } = await created('/v1/product-collections', {
          name: 'All',
          type: 'STATIC',
          products: [],
        });
        return { path: `/v1/product-collections/${id}`, id, leaf: items('products_collection', { id }) };
      },
    ],
  ])('keep a %s from being deleted until they go', async (object, make) => {
    const { path, id, leaf } = await make();
    const rule = await ruleOf(leaf);
    expect(await remove(path)).toMatchObject({
      status: 400,
      body: {
        key: 'resource_in_use',
        details: `Resource ${object} with id ${id} is in use by validation_rules with ids [${rule.id}]`,
      },
    });
    expect(await remove(`/v1/validation-rules/${rule.id}`)).toMatchObject({ status: 204 });
    expect(await remove(path)).toMatchObject({ status: 204 });
  });
});
