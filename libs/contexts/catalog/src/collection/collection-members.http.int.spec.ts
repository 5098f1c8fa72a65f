import { waitUntil } from '@scrip/testing';
import { caller } from '../catalog.fixture';
import { productSnapshot } from '../product/product.fixture';
import {
  allProductsId,
  become,
  by,
  created,
  fixture,
  itemsOf,
  path,
  product,
  sku,
  sourceIds,
  keepsStates,
  useCatalog,
} from './collection-calls.fixture';
import { CollectionItems } from './collection-items';

useCatalog();

describe('an AUTO_UPDATE collection', () => {
  it.each<[string, object, string[]]>([
    ['its kind', by('object', '$is', 'sku'), ['red', 'plain']],
    ['the product of a SKU', by('product_id', '$has_value'), ['red', 'plain']],
    ['its source id', by('source_id', '$starts_with', 're'), ['red']],
    ['its name', by('name', '$in', 'Shirt', 'Red shirt'), ['shirt', 'red']],
    ['its own price, never that of its product', by('price', '$more_than', 100), ['shirt']],
    ['no price', by('price', '$is_unknown'), ['mug', 'red', 'plain']],
    ['attributes', by('attributes', '$is', 'color'), ['shirt', 'red']],
    ['the number of its SKUs', by('skus', '$count', 2), ['shirt']],
    ['no SKUs', by('skus', '$count', 0), ['mug', 'red', 'plain']],
    ['its image', by('image_url', '$ends_with', '.png'), ['mug']],
    [
      'metadata, those of a SKU over its product’s',
      by('metadata.season', '$is', 'spring'),
      ['shirt', 'plain'],
    ],
    ['metadata by number', by('metadata.stock', '$more_than', 5), ['red']],
    // Two days, so that a midnight between creation and question changes nothing.
    ['the days since its creation', by('created_at', '$less_than_ago', 2), ['shirt', 'mug', 'red', 'plain']],
    ['no change', by('updated_at', '$has_value'), []],
  ])('has what fits %s', async (name, filter, expected) => {
    const project = 'proj_fields';
    if ((await sourceIds(allProductsId, project)).length === 0) {
      const shirt = await product(
        {
          source_id: 'shirt',
          name: 'Shirt',
          price: 2_500,
          attributes: ['color'],
          metadata: { season: 'spring' },
        },
        project,
      );
      await product({ source_id: 'mug', image_url: 'https://a.example/b.png' }, project);
      await sku(
        shirt.id,
        {
          source_id: 'red',
          sku: 'Red shirt',
          attributes: { color: 'red' },
          metadata: { season: 'autumn', stock: 7 },
        },
        project,
      );
      await sku(shirt.id, { source_id: 'plain' }, project);
    }
    const { id } = await created({ name, type: 'AUTO_UPDATE', filter }, project);
    expect(await sourceIds(id, project)).toEqual(expected);
  });

  it('follows changes of products, of SKUs and of what a product adds to its SKUs', async () => {
    const project = 'proj_moves';
    const filter = { ...by('metadata.sale', '$is', true), ...by('price', '$is', 1), junction: 'or' };
    const { id } = await created({ name: 'Sale', type: 'AUTO_UPDATE', filter }, project);
    const shirt = await product({ source_id: 'shirt' }, project);
    const red = await sku(shirt.id, { source_id: 'red' }, project);
    await fixture.call('PUT', `/v1/products/${shirt.id}`, { metadata: { sale: true } }, project);
    await become(id, ['shirt', 'red'], project);
    await fixture.call(
      'PUT',
      `/v1/products/${shirt.id}/skus/${red.id}`,
      { metadata: { sale: false } },
      project,
    );
    await become(id, ['shirt'], project);
    await fixture.call('PUT', `/v1/products/${shirt.id}/skus/${red.id}`, { price: 1 }, project);
    await become(id, ['shirt', 'red'], project);
    await fixture.call('DELETE', `/v1/products/${shirt.id}/skus/${red.id}`, undefined, project);
    expect(await sourceIds(id, project)).toEqual(['shirt']);
    await fixture.call('DELETE', `/v1/products/${shirt.id}?force=true`, undefined, project);
    expect(await sourceIds(id, project)).toEqual([]);
    const kept = () => fixture.database.query('SELECT FROM collection_items WHERE collection_id = $1', [id]);
    await waitUntil(async () => (await kept()).length === 0, { what: 'the rows to go' });
  });

  it('has what fits another filter once that is replaced', async () => {
    const project = 'proj_refilter';
    for (const price of [1, 2]) await product({ source_id: String(price), price }, project);
    const { id } = await created(
      { name: 'One', type: 'AUTO_UPDATE', filter: by('price', '$is', 1) },
      project,
    );
    const changed = await fixture.call('PUT', `${path}/${id}`, { filter: by('price', '$is', 2) }, project);
    expect(changed).toMatchObject({
      status: 200,
      body: { name: 'One', filter: by('price', '$is', 2), updated_at: expect.any(String) },
    });
    expect(await sourceIds(id, project)).toEqual(['2']);
  });

  it('has what fits in the end, when walks, changes and filters come beside each other', async () => {
    const project = 'proj_beside';
    const items = fixture.running.app.get(CollectionItems, { strict: false });
    const products = await Promise.all(
      Array.from({ length: 30 }, (_, n) => product({ source_id: `p${n}`, price: n % 2 }, project)),
    );
    const { id } = await created(
      { name: 'Even', type: 'AUTO_UPDATE', filter: by('price', '$is', 0) },
      project,
    );
    await items.beginWalk(project, id);
    await Promise.all([
      ...products.map(({ id: one }, n) =>
        fixture.call('PUT', `/v1/products/${one}`, { price: n % 3 ? 0 : 1 }, project),
      ),
      ...Array.from({ length: 5 }, () => items.walk(caller(project), id)),
      fixture.call('PUT', `${path}/${id}`, { filter: by('price', '$is', 1) }, project),
    ]);
    const fitting = products.filter((_, n) => n % 3 === 0).map(({ source_id }) => source_id);
    await waitUntil(async () => (await sourceIds(id, project)).sort().join() === fitting.sort().join(), {
      what: 'what fits',
    });
  });

  it('of more records than a call tests is found in the background, and goes on where it stopped', async () => {
    const project = 'proj_large';
    await fixture.database.query(
      `INSERT INTO products (project_id, id, version, epoch, last_ord, state, status, source_id, name_twin, created_at)
       SELECT $1, 'prod_' || lpad(n::text, 6, '0'), 1, 1, '1'::xid8,
         jsonb_build_object('status', 'LIVE', 'product', $2::jsonb || jsonb_build_object('price', n % 2)),
         'LIVE', n::text, '', now()
       FROM generate_series(1, 9000) n`,
      [project, productSnapshot()],
    );
    // As autovacuum does in time: the planner knew of a project with a few products.
    await fixture.database.query('ANALYZE products');
    const { id } = await created(
      { name: 'Odd', type: 'AUTO_UPDATE', filter: by('price', '$is', 1) },
      project,
    );
    await waitUntil(async () => (await itemsOf(id, project)).total === 4_500, {
      what: 'all that fit',
      timeoutMs: 200_000,
    });
    // Behind the products the walk looks for SKUs.
    const walks = () => fixture.database.query('SELECT FROM collection_walks WHERE collection_id = $1', [id]);
    await waitUntil(async () => (await walks()).length === 0, { what: 'the end of the walk' });
    expect((await itemsOf(id, project)).total).toBe(4_500);
    await fixture.call('DELETE', `${path}/${id}`, undefined, project);
    const kept = () =>
      fixture.database.query('SELECT FROM collection_items WHERE collection_id = $1 LIMIT 1', [id]);
    await waitUntil(async () => (await kept()).length === 0, { what: 'the rows to go' });
    await fixture.database.query('DELETE FROM products WHERE project_id = $1', [project]);
  }, 240_000);
});

describe('the items of an order', () => {
  it('belong to the collections that their product and SKU match at that moment', async () => {
    const project = 'proj_items';
    const shirt = await product({ source_id: 'shirt', price: 5 }, project);
    const red = await sku(shirt.id, { source_id: 'red', price: 50 }, project);
    const cheap = await created(
      { name: 'Cheap', type: 'AUTO_UPDATE', filter: by('price', '$less_than', 10) },
      project,
    );
    const dear = await created(
      { name: 'Dear', type: 'AUTO_UPDATE', filter: by('price', '$more_than', 10) },
      project,
    );
    const products = [{ id: shirt.id, object: 'product' }];
    const listed = await created({ name: 'Listed', type: 'STATIC', products }, project);
    const asked = (...items: object[]) =>
      fixture.port.matchCollections(caller(project), {
        items,
        collection_ids: [cheap.id, dear.id, listed.id, allProductsId, 'pc_none'],
      });
    const sorted = (ids: string[]) => [allProductsId, ...ids.sort()];
    const [bySku, byProduct, unknown] = await asked(
      { sku: { source_id: 'red' } },
      { product: { id: shirt.id } },
      { sku: { source_id: 'none' }, product: { id: 'none' } },
    );
    expect([bySku!.product, byProduct!.product].map(([all, ...rest]) => [all, ...rest.sort()])).toEqual([
      sorted([cheap.id, listed.id]),
      sorted([cheap.id, listed.id]),
    ]);
    expect([bySku!.sku[0], ...bySku!.sku.slice(1).sort()]).toEqual(sorted([dear.id, listed.id]));
    expect(byProduct!.sku).toEqual([]);
    expect(unknown).toEqual({ product: [allProductsId], sku: [allProductsId] });
    await fixture.call('PUT', `/v1/products/${shirt.id}/skus/${red.id}`, { price: 1 }, project);
    const [changed] = await asked({ sku: { id: red.id } });
    expect(changed!.sku).toContain(cheap.id);
    expect(await fixture.port.matchCollections(caller(project), { items: [{}], collection_ids: [] })).toEqual(
      [{ product: [], sku: [] }],
    );
  });
});

keepsStates();
