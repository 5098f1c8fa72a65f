import { isRefused } from '@scrip/kernel';
import { bootCatalog, caller, type CatalogFixture } from '../catalog.fixture';

let fixture: CatalogFixture;

beforeAll(async () => {
  fixture = await bootCatalog();
});
afterAll(() => fixture?.running.close());

const post = (body: object) => fixture.call('POST', '/v1/products', body);
const created = async (body: object) => {
  const { status, body: product } = await post(body);
  expect({ status, product }).toMatchObject({ status: 200 });
  return product;
};
const atOnce = async <T>(make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 50 }, (_, index) => make(index)));

describe('POST /v1/products', () => {
  it('creates a product with what was sent, and nothing else', async () => {
    const { body } = await post({ source_id: 'plain' });
    expect(body).toEqual({
      id: expect.stringMatching(/^prod_[0-9a-f]{32}$/),
      object: 'product',
      source_id: 'plain',
      name: null,
      price: null,
      attributes: [],
      metadata: {},
      image_url: null,
      created_at: expect.any(String),
      updated_at: null,
    });
  });

  it('changes the product of an id, whose source id stays, else that of a source id', async () => {
    const { id } = await created({ source_id: 'hat', name: 'Hat', metadata: { a: 1 } });
    const byId = await created({ id, source_id: 'other', price: 5, metadata: { b: 2 } });
    expect(byId).toMatchObject({ id, source_id: 'hat', name: 'Hat', price: 5, metadata: { a: 1, b: 2 } });
    expect(byId.updated_at).toEqual(expect.any(String));
    expect(await created({ source_id: 'hat', price: 5 })).toEqual(byId);
  });

  it('creates a product under an id that is unknown', async () => {
    expect(await created({ id: 'my-own', name: 'Own' })).toMatchObject({ id: 'my-own', source_id: null });
  });

  it('yields one product for a source id, also when fifty callers create it at once', async () => {
    const answers = await atOnce((index) => post({ source_id: 'popular', price: index }));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  it('gives a name to one of fifty callers', async () => {
    const answers = await atOnce(() => post({ name: 'Popular' }));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      status: 409,
      body: {
        key: 'duplicate_found',
        message: 'Duplicated resource found',
        details: 'Duplicated product exists with name Popular',
        resource_id: 'Popular',
        resource_type: 'product',
      },
    });
  });

  it('merges metadata of fifty callers, and loses none', async () => {
    await created({ source_id: 'merged' });
    await atOnce((index) => post({ source_id: 'merged', metadata: { [`key${index}`]: index } }));
    const { body } = await fixture.call('GET', '/v1/products/merged');
    expect(Object.keys(body.metadata)).toHaveLength(50);
  });

  it('refuses a source id that another product has', async () => {
    await created({ source_id: 'taken' });
    expect(await post({ id: 'prod_new', source_id: 'taken' })).toMatchObject({
      status: 409,
      body: { details: 'Duplicated product exists with source_id taken' },
    });
  });

  it.each<[object, string]>([
    [{ name: 5 }, 'Property .name must be string'],
    [{ name: '' }, 'Property .name should NOT be shorter than 1 characters'],
    [{ price: -1 }, 'Property .price must be >= 0'],
    [{ price: 1.5 }, 'Property .price must be integer'],
    [{ attributes: 'color' }, 'Property .attributes must be array'],
    [{ metadata: [] }, 'Property .metadata must be object'],
    [
      { image_url: 'http://a.example/b.png' },
      'Property .image_url must be an HTTPS URL whose path ends in .png, .jpg or .jpeg',
    ],
  ])('refuses %j', async (body, details) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { key: 'invalid_payload', details } });
  });
});

describe('PUT /v1/products/{productId}', () => {
  it('changes a product by id or source id, and null empties a field', async () => {
    const before = await created({ source_id: 'mug', name: 'Mug', price: 700, attributes: ['size'] });
    const { body: byId } = await fixture.call('PUT', `/v1/products/${before.id}`, {
      price: null,
      attributes: null,
      source_id: 'ignored',
    });
    expect(byId).toEqual({ ...before, price: null, attributes: [], updated_at: expect.any(String) });
    const { body: bySourceId } = await fixture.call('PUT', '/v1/products/mug', { name: 'Cup' });
    expect(bySourceId).toMatchObject({ id: before.id, name: 'Cup' });
  });

  it('refuses the name of another, and keeps its own', async () => {
    await created({ source_id: 'left', name: 'Left' });
    await created({ source_id: 'right', name: 'Right' });
    expect(await fixture.call('PUT', '/v1/products/right', { name: 'Left' })).toMatchObject({
      status: 409,
      body: { details: 'Duplicated product exists with name Left' },
    });
    expect((await fixture.call('PUT', '/v1/products/right', { name: 'Right' })).status).toBe(200);
  });

  it.each(['GET', 'PUT', 'DELETE'] as const)('%s of an unknown product is refused', async (method) => {
    expect(await fixture.call(method, '/v1/products/none', method === 'PUT' ? {} : undefined)).toMatchObject({
      status: 404,
      body: {
        key: 'not_found',
        details: 'Cannot find product with id none',
        resource_id: 'none',
        resource_type: 'product',
      },
    });
  });
});

describe('DELETE /v1/products/{productId}', () => {
  it('puts a product into the bin: it is gone, its name is free, its ids stay taken', async () => {
    const { id } = await created({ source_id: 'binned', name: 'Binned' });
    expect(await fixture.call('DELETE', '/v1/products/binned')).toMatchObject({ status: 204 });
    for (const name of [id, 'binned']) {
      expect((await fixture.call('GET', `/v1/products/${name}`)).status).toBe(404);
      expect((await fixture.call('DELETE', `/v1/products/${name}?force=true`)).status).toBe(404);
    }
    const entry = `. It lies in the trash bin: GET /v1/trash-bin?filters[resource_id][conditions][$in][0]=${id}`;
    expect(await post({ source_id: 'binned' })).toMatchObject({
      status: 409,
      body: { key: 'duplicate_found', details: `Duplicated product exists with source_id binned${entry}` },
    });
    expect(await post({ id })).toMatchObject({
      status: 409,
      body: { details: `Duplicated product exists with id ${id}${entry}` },
    });
    await created({ source_id: 'successor', name: 'Binned' });
  });

  it('with force deletes for good: ids, source id and name are free', async () => {
    const { id } = await created({ source_id: 'erased', name: 'Erased' });
    expect((await fixture.call('DELETE', `/v1/products/${id}?force=true`)).status).toBe(204);
    expect((await fixture.call('GET', '/v1/products/erased')).status).toBe(404);
    await created({ source_id: 'erased', name: 'Erased' });
    expect(await created({ id, name: 'Again' })).toMatchObject({ id, source_id: null });
  });
});

it('finds a product by id before it looks for a source id', async () => {
  const { id } = await created({ name: 'By id' });
  await created({ source_id: id, name: 'By source id' });
  expect((await fixture.call('GET', `/v1/products/${id}`)).body).toMatchObject({ name: 'By id' });
  await fixture.call('DELETE', `/v1/products/${id}`);
  expect((await fixture.call('GET', `/v1/products/${id}`)).body).toMatchObject({ name: 'By source id' });
});

describe('GET /v1/products', () => {
  const purge = async (project: string): Promise<void> => {
    const wanted = { limit: 1, order: '-id' as const, after: null, filters: null };
    const entries = await fixture.port.listBinEntries(caller(project), { wanted });
    const id = isRefused(entries) ? '' : entries[0]!.id;
    expect(await fixture.port.purgeBinEntry(caller(project), { id })).toEqual({ purged: true });
  };

  it.each<[string, string, boolean]>([
    ['the bin', '', false],
    ['nothing, with force', '?force=true', false],
    ['nothing, through the bin', '', true],
  ])('goes on behind a product that left meanwhile for %s', async (_, query, purged) => {
    const project = `proj_crawl_${query.length}_${purged}`;
    const ids: string[] = [];
    for (const source_id of ['one', 'two', 'three'])
      ids.push((await fixture.call('POST', '/v1/products', { source_id }, project)).body.id);
    await fixture.call('DELETE', `/v1/products/two${query}`, undefined, project);
    if (purged) await purge(project);
    const behind = async (order: string): Promise<string[]> => {
      const path = `/v1/products?order=${order}&starting_after_id=${ids[1]}`;
      const { body } = await fixture.call('GET', path, undefined, project);
      expect(body.total).toBe(2);
      return body.products.map(({ source_id }: { source_id: string }) => source_id);
    };
    expect(await behind('created_at')).toEqual(['three']);
    expect(await behind('-created_at')).toEqual(['one']);
  });
});

describe('shipping', () => {
  const id = 'prod_5h1pp1ng';
  const protectedly = {
    status: 400,
    body: {
      key: 'resource_protected',
      message: 'Resource protected',
      details: `Cannot change product with id ${id}: every project has it`,
      resource_id: id,
      resource_type: 'product',
    },
  };

  it('is a product of every project, in no list', async () => {
    const shown = {
      id,
      source_id: id,
      name: 'Shipping',
      price: null,
      attributes: [],
      metadata: {},
      image_url: null,
      created_at: '1970-01-01T00:00:00.000Z',
      updated_at: null,
      object: 'product',
    };
    const { body } = await fixture.call('GET', `/v1/products/${id}`, undefined, 'proj_new');
    expect(body).toEqual({ ...shown, skus: { object: 'list', data_ref: 'data', data: [], total: 0 } });
    expect((await fixture.call('GET', `/v1/products/${id}?hide=sku`)).body).toEqual(shown);
    expect((await fixture.call('GET', '/v1/products', undefined, 'proj_new')).body.total).toBe(0);
    expect((await fixture.call('GET', `/v1/products/${id}/skus`)).body).toMatchObject({ skus: [], total: 0 });
  });

  it.each<['POST' | 'PUT' | 'DELETE', string, object | undefined]>([
    ['POST', '/v1/products', { id, name: 'Mine' }],
    ['POST', '/v1/products', { source_id: id }],
    ['PUT', `/v1/products/${id}`, { price: 1 }],
    ['DELETE', `/v1/products/${id}`, undefined],
    ['POST', `/v1/products/${id}/skus`, { source_id: 'express' }],
  ])('is not changed by %s %s %j', async (method, path, body) => {
    expect(await fixture.call(method, path, body)).toMatchObject(protectedly);
  });

  it('is what items name, and no item changes it', async () => {
    const product = { id, source_id: id, name: 'Shipping', price: null, metadata: {} };
    const items = [{ product: { source_id: id } }, { product: { id } }];
    expect(await fixture.port.resolveItems(caller(), { items })).toEqual(
      items.map(() => ({ product, sku: null })),
    );
    const override = { product: { source_id: id, override: true, fields: { price: 5 } } };
    expect(await fixture.port.overrideItems(caller(), { items: [override] })).toEqual([
      { product, sku: null },
    ]);
  });
});

it('keeps states that their events give', async () => {
  expect(await fixture.running.eventStores.get('catalog')?.verifyState()).toEqual([]);
});
