import { waitUntil } from '@scrip/testing';
import { bootCatalog, caller, type CatalogFixture } from '../catalog.fixture';
import { productSnapshot } from '../product/product.fixture';
import { CollectionItems } from './collection-items';

let fixture: CatalogFixture;

beforeAll(async () => {
  fixture = await bootCatalog();
});
afterAll(() => fixture?.running.close());

const path = '/v1/product-collections';
const create = (body: object, project?: string) => fixture.call('POST', path, body, project);
const created = async (body: object, project?: string): Promise<any> => {
  const { status, body: collection } = await create(body, project);
  expect({ status, collection }).toMatchObject({ status: 200 });
  return collection;
};
const product = async (body: object, project?: string): Promise<any> =>
  (await fixture.call('POST', '/v1/products', body, project)).body;
const sku = async (productId: string, body: object, project?: string): Promise<any> =>
  (await fixture.call('POST', `/v1/products/${productId}/skus`, body, project)).body;
const itemsOf = async (id: string, project?: string, query = ''): Promise<any> =>
  (await fixture.call('GET', `${path}/${id}/products?limit=100&order=created_at${query}`, undefined, project))
    .body;
const sourceIds = async (id: string, project?: string, query?: string): Promise<string[]> =>
  (await itemsOf(id, project, query)).data.map((item: any) => item.source_id);
const become = (id: string, expected: string[], project: string) =>
  waitUntil(async () => (await sourceIds(id, project)).join() === expected.join(), {
    what: `${expected.join()} in ${id}`,
  });
const by = (field: string, operator: string, ...values: unknown[]) => ({
  junction: 'and',
  [field]: { conditions: { [operator]: values } },
});
const allProducts = 'pc_a11pr0dUc75';

describe('POST /v1/product-collections', () => {
  it('creates one of what matches, as the answer shows: every value in a list', async () => {
    const project = 'proj_prices';
    for (const price of [900, 1_000, 5_000]) await product({ source_id: String(price), price }, project);
    const cheap = await created(
      {
        name: 'Cheap',
        type: 'AUTO_UPDATE',
        filter: { junction: 'AND', price: { conditions: { $less_than: 1_000 } } },
      },
      project,
    );
    expect(cheap).toEqual({
      id: expect.stringMatching(/^pc_[0-9a-f]{32}$/),
      name: 'Cheap',
      type: 'AUTO_UPDATE',
      filter: { junction: 'and', price: { conditions: { $less_than: [1_000] } } },
      created_at: expect.any(String),
      object: 'products_collection',
    });
    expect(await sourceIds(cheap.id, project)).toEqual(['900']);
    const dear = await created(
      { name: 'Dear', type: 'AUTO_UPDATE', filter: by('price', '$more_than_equal', 1_000) },
      project,
    );
    expect(await sourceIds(dear.id, project)).toEqual(['1000', '5000']);
    expect((await fixture.call('GET', `${path}/${dear.id}`, undefined, project)).body).toEqual(dear);
  });

  it('creates one of what it lists: a product brings its SKUs', async () => {
    const project = 'proj_static';
    const shirt = await product({ source_id: 'shirt', metadata: { season: 'spring', a: 1 } }, project);
    const mug = await product({ source_id: 'mug' }, project);
    const red = await sku(shirt.id, { source_id: 'red', metadata: { a: 2 } }, project);
    const big = await sku(mug.id, { source_id: 'big' }, project);
    await sku(mug.id, { source_id: 'small' }, project);
    const collection = await created(
      {
        name: 'Listed',
        type: 'STATIC',
        products: [
          { id: shirt.id, object: 'product' },
          { id: big.id, object: 'sku' },
          { id: shirt.id, object: 'product' },
        ],
      },
      project,
    );
    expect(collection).toMatchObject({
      type: 'STATIC',
      products: [
        { id: shirt.id, object: 'product' },
        { id: big.id, product_id: mug.id, object: 'sku' },
      ],
    });
    expect(collection).not.toHaveProperty('filter');
    const { data, total } = await itemsOf(collection.id, project);
    expect(data.map((item: any) => item.source_id)).toEqual(['shirt', 'red', 'big']);
    expect(total).toBe(3);
    expect(data[0]).toEqual(shirt);
    expect(data[1]).toEqual({
      ...red,
      metadata: { season: 'spring', a: 2 },
      product: {
        id: shirt.id,
        source_id: 'shirt',
        name: null,
        price: null,
        attributes: [],
        metadata: { season: 'spring', a: 1 },
        object: 'product',
      },
    });
    await sku(shirt.id, { source_id: 'blue' }, project);
    await become(collection.id, ['shirt', 'red', 'big', 'blue'], project);
    await fixture.call('DELETE', `/v1/products/${shirt.id}`, undefined, project);
    expect(await sourceIds(collection.id, project)).toEqual(['big']);
    await waitUntil(async () => (await itemsOf(collection.id, project)).total === 1, { what: 'the count' });
  });

  it.each<[string, object, string]>([
    ['no name', { type: 'STATIC' }, "Payload must have required property 'name'"],
    ['no type', { name: 'n' }, "Payload must have required property 'type'"],
    [
      'another type',
      { name: 'n', type: 'auto-update' },
      'Property .type should be equal to one of the allowed values [ STATIC, AUTO_UPDATE ]',
    ],
    [
      'more than 20 records',
      {
        name: 'n',
        type: 'STATIC',
        products: Array.from({ length: 21 }, (_, n) => ({ id: `prod_${n}`, object: 'product' })),
      },
      'Property .products should NOT have more than 20 items',
    ],
    [
      'a record that is neither',
      { name: 'n', type: 'STATIC', products: [{ id: 'x', object: 'bundle' }] },
      'Property .products[0].object should be equal to one of the allowed values [ product, sku ]',
    ],
    [
      'no filter',
      { name: 'n', type: 'AUTO_UPDATE' },
      "'AUTO_UPDATE' collection must contain valid filter with 'junction' property",
    ],
    [
      'a filter without junction',
      { name: 'n', type: 'AUTO_UPDATE', filter: { price: { conditions: { $is: [1] } } } },
      "'AUTO_UPDATE' collection must contain valid filter with 'junction' property",
    ],
    [
      'a wrong junction',
      { name: 'n', type: 'AUTO_UPDATE', filter: { junction: 'xor' } },
      "Property .filter has wrong 'junction' property. It must be one of: and, or",
    ],
    [
      'an unknown field',
      { name: 'n', type: 'AUTO_UPDATE', filter: by('color', '$is', 'red') },
      'Property .filter has an unknown field. Fields should be equal to one of the allowed values [ id, product_id, source_id, name, price, object, attributes, image_url, skus, created_at, updated_at, metadata.* ]',
    ],
    [
      'a value that its field cannot have',
      { name: 'n', type: 'AUTO_UPDATE', filter: by('price', '$less_than', 'cheap') },
      'Property .filter.price.conditions.$less_than must be number, with at most 18 digits before and 18 after the point',
    ],
  ])('refuses %s', async (_, body, details) => {
    expect(await create(body)).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', message: 'Invalid payload', details },
    });
  });

  it.each(['product', 'sku'])('refuses a %s that does not exist', async (object) => {
    expect(await create({ name: 'n', type: 'STATIC', products: [{ id: 'none', object }] })).toMatchObject({
      status: 404,
      body: {
        key: 'not_found',
        details: `Cannot find ${object} with id none`,
        resource_id: 'none',
        resource_type: object,
      },
    });
  });

  it('refuses a SKU of another product than it says', async () => {
    const { id: owner } = await product({});
    const { id } = await sku(owner, {});
    const products = [{ id, product_id: 'other', object: 'sku' }];
    expect((await create({ name: 'n', type: 'STATIC', products })).status).toBe(404);
  });

  it('gives a name to one of fifty callers, and it is free after a deletion', async () => {
    const project = 'proj_names';
    const body = { name: 'Popular', type: 'STATIC' };
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(body, project)));
    const [winner] = answers.filter(({ status }) => status === 200);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      status: 409,
      body: {
        key: 'duplicate_found',
        message: 'Duplicated resource found',
        details: 'Duplicated products_collection exists with name Popular',
        resource_id: 'Popular',
        resource_type: 'products_collection',
      },
    });
    expect((await fixture.call('DELETE', `${path}/${winner!.body.id}`, undefined, project)).status).toBe(204);
    await created(body, project);
  });

  it('lets a project have 100, also when fifty callers ask for the last places at once', async () => {
    const project = 'proj_full';
    await fixture.database.query(
      `INSERT INTO product_collections (project_id, id, name, type, deleted, created_at, state)
       SELECT $1, 'pc_' || n, 'n' || n, 'STATIC', n > 97, now(), '{}' FROM generate_series(1, 110) n`,
      [project],
    );
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => create({ name: `last ${n}`, type: 'STATIC' }, project)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details: 'A project can have at most 100 product collections' },
    });
    await fixture.database.query(`DELETE FROM product_collections WHERE state = '{}'`);
  });
});

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
    ['the day of its creation', by('created_at', '$today', true), ['shirt', 'mug', 'red', 'plain']],
    ['no change', by('updated_at', '$has_value'), []],
  ])('has what fits %s', async (name, filter, expected) => {
    const project = 'proj_fields';
    if ((await sourceIds(allProducts, project)).length === 0) {
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
    const { id } = await created(
      { name: 'Odd', type: 'AUTO_UPDATE', filter: by('price', '$is', 1) },
      project,
    );
    await waitUntil(async () => (await itemsOf(id, project)).total === 4_500, { what: 'all that fit' });
    const walks = await fixture.database.query('SELECT FROM collection_walks WHERE collection_id = $1', [id]);
    expect(walks).toEqual([]);
    await fixture.call('DELETE', `${path}/${id}`, undefined, project);
    const kept = () =>
      fixture.database.query('SELECT FROM collection_items WHERE collection_id = $1 LIMIT 1', [id]);
    await waitUntil(async () => (await kept()).length === 0, { what: 'the rows to go' });
    await fixture.database.query('DELETE FROM products WHERE project_id = $1', [project]);
  });
});

describe('PUT and DELETE /v1/product-collections/{productCollectionId}', () => {
  it('changes the name of a static one, and nothing else', async () => {
    const { id } = await created({ name: 'Static', type: 'STATIC' });
    expect(await fixture.call('PUT', `${path}/${id}`, { name: 'Renamed' })).toMatchObject({
      status: 200,
      body: { name: 'Renamed', products: [], updated_at: expect.any(String) },
    });
    expect(await fixture.call('PUT', `${path}/${id}`, { filter: by('price', '$is', 1) })).toMatchObject({
      status: 400,
      body: { details: "Property .filter can be changed in 'AUTO_UPDATE' collections only" },
    });
    await created({ name: 'Taken', type: 'STATIC' });
    expect((await fixture.call('PUT', `${path}/${id}`, { name: 'Taken' })).status).toBe(409);
  });

  it.each(['GET', 'PUT', 'DELETE'] as const)('%s of an unknown one is refused', async (method) => {
    const none = { key: 'not_found', details: 'Cannot find products_collection with id none' };
    const body = method === 'PUT' ? { name: 'x' } : undefined;
    expect(await fixture.call(method, `${path}/none`, body)).toMatchObject({
      status: 404,
      body: { ...none, resource_id: 'none', resource_type: 'products_collection' },
    });
    expect((await fixture.call('GET', `${path}/none/products`)).body).toMatchObject(none);
  });
});

describe('the collection "All Products"', () => {
  const project = 'proj_all';

  it('is in every project, with all products and SKUs', async () => {
    const { id } = await product({ source_id: 'a' }, project);
    await sku(id, { source_id: 'b' }, project);
    const binned = await product({ source_id: 'c' }, project);
    await sku(binned.id, { source_id: 'd' }, project);
    await fixture.call('DELETE', '/v1/products/c', undefined, project);
    expect(await sourceIds(allProducts, project)).toEqual(['a', 'b']);
    expect((await itemsOf(allProducts, project)).total).toBe(2);
    expect((await fixture.call('GET', path, undefined, project)).body).toEqual({
      object: 'list',
      data_ref: 'data',
      data: [
        {
          id: allProducts,
          name: 'All Products',
          type: 'AUTO_UPDATE',
          filter: { junction: 'and' },
          created_at: '1970-01-01T00:00:00.000Z',
          object: 'products_collection',
        },
      ],
      total: 1,
    });
  });

  it.each(['PUT', 'DELETE'] as const)('is not changed by %s', async (method) => {
    const body = method === 'PUT' ? { name: 'Mine' } : undefined;
    expect(await fixture.call(method, `${path}/${allProducts}`, body, project)).toMatchObject({
      status: 400,
      body: {
        key: 'resource_protected',
        message: 'Resource protected',
        details: `Cannot change products_collection with id ${allProducts}: every project has it`,
      },
    });
  });
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
        collection_ids: [cheap.id, dear.id, listed.id, allProducts, 'pc_none'],
      });
    const sorted = (ids: string[]) => [allProducts, ...ids.sort()];
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
    expect(unknown).toEqual({ product: [allProducts], sku: [allProducts] });
    await fixture.call('PUT', `/v1/products/${shirt.id}/skus/${red.id}`, { price: 1 }, project);
    const [changed] = await asked({ sku: { id: red.id } });
    expect(changed!.sku).toContain(cheap.id);
    expect(await fixture.port.matchCollections(caller(project), { items: [{}], collection_ids: [] })).toEqual(
      [{ product: [], sku: [] }],
    );
  });
});

describe('GET /v1/product-collections', () => {
  it('lists by each order, and in pages', async () => {
    const project = 'proj_listed';
    const [a, b] = [
      await created({ name: 'B', type: 'STATIC' }, project),
      await created({ name: 'A', type: 'AUTO_UPDATE', filter: by('price', '$is', 1) }, project),
    ];
    await fixture.call('PUT', `${path}/${a.id}`, { name: 'C' }, project);
    const names = async (query: string) =>
      (await fixture.call('GET', `${path}?${query}`, undefined, project)).body.data.map(
        (one: any) => one.name,
      );
    expect(await names('')).toEqual(['A', 'C', 'All Products']);
    expect(await names('order=created_at&limit=1&page=2')).toEqual(['C']);
    expect(await names('order=-updated_at')).toEqual(expect.arrayContaining(['C']));
    expect((await names('order=-updated_at'))[0]).toBe('C');
    expect(await names('order=name')).toEqual(['A', 'All Products', 'C']);
    expect((await names('order=-type')).at(0)).toBe('C');
    expect(b.type).toBe('AUTO_UPDATE');
    expect((await fixture.call('GET', `${path}?order=size`, undefined, project)).status).toBe(400);
  });
});

it('keeps states that their events give', async () => {
  expect(await fixture.running.eventStores.get('catalog')?.verifyState()).toEqual([]);
});
