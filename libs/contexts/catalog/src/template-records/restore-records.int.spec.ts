import type { CatalogReferences, KeptCatalog } from '@scrip/contracts/catalog';
import { isRefused, newId } from '@scrip/kernel';
import { bootCatalog, caller, type CatalogFixture } from '../catalog.fixture';

let fixture: CatalogFixture;

beforeAll(async () => {
  fixture = await bootCatalog();
}, 60_000);
afterAll(() => fixture?.running.close());

const template_id = newId('camp_tpl_');

const made = async (path: string, body: object, project?: string): Promise<any> => {
  const { status, body: answer } = await fixture.call('POST', path, body, project);
  expect([status, answer]).toEqual([200, answer]);
  return answer;
};

const keep = async (references: Partial<CatalogReferences>): Promise<KeptCatalog> => {
  const all = { products: [], skus: [], collections: [], units: [], ...references };
  const kept = await fixture.port.keepRecords(caller(), { references: all });
  if (isRefused(kept)) throw new Error(kept.details);
  return kept;
};

const restore = (kept: KeptCatalog, project?: string) =>
  fixture.port.restoreRecords(caller(project), { template_id, kept, renamed: [] });

const unchanged = { renamed: [], created: [] };

describe('records that a template keeps', () => {
  it('are SKUs with their products, and collections with what they list; others are left out', async () => {
    const mug = await made('/v1/products', { name: 'Mug', attributes: ['colour'] });
    const red = await made(`/v1/products/${mug.id}/skus`, { sku: 'red', attributes: { colour: 'red' } });
    const cup = await made('/v1/products', { name: 'Cup' });
    const listed = await made('/v1/product-collections', {
      ...{ name: 'Listed', type: 'STATIC', products: [{ id: cup.id, object: 'product' }] },
    });
    const kept = await keep({
      ...{ units: [red.id, 'none'], products: ['prod_5h1pp1ng'] },
      collections: [listed.id, 'pc_a11pr0dUc75', 'pc_none'],
    });
    expect(kept.products.map(({ id }) => id).sort()).toEqual([mug.id, cup.id].sort());
    expect(kept.skus).toMatchObject([{ id: red.id, product_id: mug.id, attributes: { colour: 'red' } }]);
    expect(kept.collections).toMatchObject([{ id: listed.id, products: [{ id: cup.id }] }]);
    expect(await restore(kept)).toEqual(unchanged);
  });

  it('are as they are now where they are there, and created as they were where they are not', async () => {
    const product = await made('/v1/products', {
      name: 'Hat',
      price: 900,
      source_id: 'hat',
      metadata: { a: 1 },
    });
    const sku = await made(`/v1/products/${product.id}/skus`, { sku: 'M', source_id: 'hat-m' });
    const kept = await keep({ skus: [sku.id] });
    await fixture.call('PUT', `/v1/products/${product.id}`, { price: 1_000 });
    expect(await restore(kept)).toEqual(unchanged);
    expect((await fixture.call('GET', `/v1/products/${product.id}`)).body.price).toBe(1_000);

    await fixture.call('DELETE', `/v1/products/${product.id}?force=true`);
    const answers = await Promise.all([restore(kept), restore(kept), restore(kept)]);
    for (const answer of answers) expect(answer).toMatchObject({ renamed: [] });
    expect(await fixture.call('GET', `/v1/products/${product.id}`)).toMatchObject({
      body: { name: 'Hat', price: 900, source_id: 'hat', metadata: { a: 1 }, skus: { total: 1 } },
    });
    expect(await restore(kept)).toEqual(unchanged);
  });

  it('are refused while they are in the bin, and then nothing is created', async () => {
    const gone = await made('/v1/products', { name: 'Gone', source_id: 'gone' });
    const binned = await made('/v1/products', { name: 'Binned', source_id: 'binned' });
    const kept = await keep({ products: [gone.id, binned.id] });
    await fixture.call('DELETE', `/v1/products/${gone.id}?force=true`);
    await fixture.call('DELETE', `/v1/products/${binned.id}`);
    expect(await restore(kept)).toMatchObject({
      refused: 'resource_in_use',
      details: `Resource product with id ${binned.id} is in the trash bin`,
    });
    expect((await fixture.call('GET', `/v1/products/${gone.id}`)).status).toBe(404);
  });

  it('have other ids in another project where their source ids are known there, and so has what names them', async () => {
    const product = await made('/v1/products', { name: 'Bag', source_id: 'bag' });
    const sku = await made(`/v1/products/${product.id}/skus`, { sku: 'small' });
    const filter = { junction: 'and', product_id: { conditions: { $is: [product.id] } } };
    const collection = await made('/v1/product-collections', { name: 'Bags', type: 'AUTO_UPDATE', filter });
    const kept = await keep({ skus: [sku.id], collections: [collection.id] });
    const there = await made('/v1/products', { name: 'Their bag', source_id: 'bag' }, 'proj_2');
    await made('/v1/product-collections', { name: 'Bags', type: 'STATIC', products: [] }, 'proj_2');
    const restored: any = await restore(kept, 'proj_2');
    const created = restored.created[1].id;
    expect(restored).toEqual({
      renamed: [
        { object: 'product', from: product.id, to: there.id },
        { object: 'products_collection', from: collection.id, to: created },
      ],
      created: [
        { object: 'sku', id: sku.id },
        { object: 'products_collection', id: created },
      ],
    });
    const { body } = await fixture.call('GET', `/v1/product-collections/${created}`, undefined, 'proj_2');
    expect(body).toMatchObject({
      name: `Bags (${created})`,
      filter: { product_id: { conditions: { $is: [there.id] } } },
    });
    expect(await restore(kept, 'proj_2')).toEqual({ renamed: restored.renamed, created: [] });
  });

  it('are created beside a collection that changed, once however often', async () => {
    const filter = (price: number) => ({ junction: 'and', price: { conditions: { $less_than: [price] } } });
    const sent = { name: 'Cheap', type: 'AUTO_UPDATE', filter: filter(100) };
    const { id } = await made('/v1/product-collections', sent);
    const kept = await keep({ collections: [id] });
    await fixture.call('PUT', `/v1/product-collections/${id}`, { filter: filter(200) });
    const answers: any[] = await Promise.all(Array.from({ length: 10 }, () => restore(kept)));
    const ids = answers.map(({ renamed }) => renamed[0].to as string);
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).not.toBe(id);
    await fixture.call('PUT', `/v1/product-collections/${id}`, { filter: filter(100), name: 'Renamed' });
    expect(await restore(kept)).toEqual(unchanged);
  });

  it('are created again however often a collection is deleted', async () => {
    const { id } = await made('/v1/product-collections', { name: 'Often', type: 'STATIC', products: [] });
    const kept = await keep({ collections: [id] });
    const ids = new Set([id]);
    // Each has an id of its own; one question names twenty of them.
    for (let n = 0; n < 21; n += 1) {
      const [last] = [...ids].slice(-1);
      expect((await fixture.call('DELETE', `/v1/product-collections/${last}`)).status).toBe(204);
      ids.add(((await restore(kept)) as any).renamed[0].to);
    }
    expect(ids.size).toBe(22);
    const [last] = [...ids].slice(-1);
    expect(await restore(kept)).toEqual({
      ...{ created: [], renamed: [{ object: 'products_collection', from: id, to: last }] },
    });
  });
});
