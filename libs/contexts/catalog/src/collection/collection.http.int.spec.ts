import { waitUntil } from '@scrip/testing';
import {
  allProductsId,
  become,
  by,
  create,
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

useCatalog();

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
      "Property .filter has an unknown field 'color'. Fields should be equal to one of the allowed values [ id, product_id, source_id, name, price, object, attributes, image_url, skus, created_at, updated_at, metadata.* ]",
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
        details: `Cannot find ${object} with id none: a collection takes ids (prod_…, sku_…), no source ids`,
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
    // Creations of a project follow one another: who finds no turn in time is answered 503, and comes again.
    const ask = async (name: string): ReturnType<typeof create> => {
      const answer = await create({ name, type: 'STATIC' }, project);
      return answer.status === 503 ? ask(name) : answer;
    };
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => ask(`last ${n}`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details: 'A project can have at most 100 product collections' },
    });
    await fixture.database.query(`DELETE FROM product_collections WHERE state = '{}'`);
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
    expect(await sourceIds(allProductsId, project)).toEqual(['a', 'b']);
    expect((await itemsOf(allProductsId, project)).total).toBe(2);
    expect((await fixture.call('GET', path, undefined, project)).body).toEqual({
      object: 'list',
      data_ref: 'data',
      data: [
        {
          id: allProductsId,
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
    expect(await fixture.call(method, `${path}/${allProductsId}`, body, project)).toMatchObject({
      status: 400,
      body: {
        key: 'resource_protected',
        message: 'Resource protected',
        details: `Cannot change products_collection with id ${allProductsId}: every project has it`,
      },
    });
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

keepsStates();
