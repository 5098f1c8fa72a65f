import { isRefused } from '@scrip/kernel';
import { bootCatalog, caller, type CatalogFixture } from '../catalog.fixture';

let fixture: CatalogFixture;

beforeAll(async () => {
  fixture = await bootCatalog();
  for (const source_id of ['shirt', 'hat'])
    await fixture.call('POST', '/v1/products', { source_id, attributes: ['color', 'size'] });
});
afterAll(() => fixture?.running.close());

const get = async (path: string) => (await fixture.call('GET', path)).body;
const post = (body: object, product = 'shirt') => fixture.call('POST', `/v1/products/${product}/skus`, body);
const created = async (body: object, product = 'shirt') => {
  const { status, body: sku } = await post(body, product);
  expect({ status, sku }).toMatchObject({ status: 200 });
  return sku;
};
const atOnce = async <T>(make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 50 }, (_, index) => make(index)));

describe('POST /v1/products/{productId}/skus', () => {
  it('creates a SKU with what was sent, and nothing else', async () => {
    const shirt = await get('/v1/products/shirt');
    const sku = await created({ source_id: 'plain' });
    expect(sku).toEqual({
      id: expect.stringMatching(/^sku_[0-9a-f]{32}$/),
      object: 'sku',
      source_id: 'plain',
      product_id: shirt.id,
      sku: null,
      price: null,
      currency: null,
      attributes: {},
      metadata: {},
      image_url: null,
      created_at: expect.any(String),
      updated_at: null,
    });
    expect(await get(`/v1/skus/${sku.id}`)).toEqual(sku);
    expect(await get('/v1/skus/plain')).toEqual(sku);
  });

  it('changes the SKU of an id, whose source id stays, else that of a source id', async () => {
    const { id } = await created({ source_id: 'blue', sku: 'Blue', attributes: { color: 'blue' } });
    const byId = await created({ id, source_id: 'other', price: 5 });
    expect(byId).toMatchObject({ id, source_id: 'blue', sku: 'Blue', price: 5 });
    expect(await created({ source_id: 'blue', price: 5 })).toEqual(byId);
    expect(await created({ id: 'my-sku' })).toMatchObject({ id: 'my-sku', source_id: null });
  });

  it('yields one SKU for a source id, also when fifty callers create it at once', async () => {
    const answers = await atOnce((index) => post({ source_id: 'popular', price: index }));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  it('gives a source id to one product, also when two create it at once', async () => {
    const answers = await atOnce((index) => post({ source_id: 'wanted' }, index % 2 ? 'shirt' : 'hat'));
    const sku = await get('/v1/skus/wanted');
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(25);
    for (const answer of refused)
      expect(answer).toMatchObject({
        status: 400,
        body: {
          key: 'resource_in_use',
          details: `Resource sku with id ${sku.id} is in use by products with ids [${sku.product_id}]`,
          resource_type: 'sku',
          related_object_ids: [sku.product_id],
          related_object_type: 'product',
        },
      });
  });

  it('gives a name to one SKU of a product, and to one of another', async () => {
    const answers = await atOnce(() => post({ sku: 'Named' }));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      status: 409,
      body: { key: 'duplicate_found', details: 'Duplicated sku exists with sku Named' },
    });
    await created({ sku: 'Named' }, 'hat');
  });

  it('refuses a source id that another SKU has', async () => {
    await created({ source_id: 'taken' });
    expect(await post({ id: 'sku_new', source_id: 'taken' })).toMatchObject({
      status: 409,
      body: { details: 'Duplicated sku exists with source_id taken' },
    });
  });

  it('refuses undeclared attributes', async () => {
    expect(await post({ attributes: { weight: 5 } })).toMatchObject({
      status: 400,
      body: {
        key: 'invalid_sku',
        message: 'Invalid SKU',
        details: expect.stringMatching(
          /^Attribute weight is not declared in the attributes of product prod_/,
        ),
      },
    });
  });

  it.each<[object, string]>([
    [{ sku: 5 }, 'Property .sku must be string'],
    [{ price: -1 }, 'Property .price must be >= 0'],
    [{ attributes: [] }, 'Property .attributes must be object'],
    [
      { image_url: 'https://a.example/b.gif' },
      'Property .image_url must be an HTTPS URL whose path ends in .png, .jpg or .jpeg',
    ],
  ])('refuses %j', async (body, details) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { key: 'invalid_payload', details } });
  });
});

describe('a SKU of a product', () => {
  it('is changed and deleted below its product; 404 names the level that is missing', async () => {
    const { id } = await created({ source_id: 'red', sku: 'Red' });
    const { body: changed } = await fixture.call('PUT', '/v1/products/shirt/skus/red', {
      price: 7,
      source_id: 'ignored',
    });
    expect(changed).toMatchObject({ id, source_id: 'red', price: 7, updated_at: expect.any(String) });
    for (const [path, type, missing] of [
      ['/v1/products/none/skus/red', 'product', 'none'],
      ['/v1/products/hat/skus/red', 'sku', 'red'],
      ['/v1/products/shirt/skus/none', 'sku', 'none'],
    ] as const)
      for (const method of ['PUT', 'DELETE'] as const)
        expect(await fixture.call(method, path, method === 'PUT' ? {} : undefined)).toMatchObject({
          status: 404,
          body: { resource_type: type, details: `Cannot find ${type} with id ${missing}` },
        });
    expect((await fixture.call('DELETE', `/v1/products/shirt/skus/${id}`)).status).toBe(204);
    expect((await fixture.call('GET', '/v1/skus/red')).status).toBe(404);
  });

  it('in the bin keeps its ids and frees its name; deleted for good it frees all', async () => {
    const { id, product_id } = await created({ source_id: 'bin', sku: 'Bin' });
    const entry =
      `. It lies in the trash bin: GET /v1/trash-bin?filters[resource_id][conditions][$in][0]=${id}` +
      `&filters[resource_id][conditions][$in][1]=${product_id}`;
    await fixture.call('DELETE', '/v1/products/shirt/skus/bin');
    expect(await post({ source_id: 'bin' })).toMatchObject({
      status: 409,
      body: { details: `Duplicated sku exists with source_id bin${entry}` },
    });
    expect(await post({ id })).toMatchObject({
      status: 409,
      body: { details: `Duplicated sku exists with id ${id}${entry}` },
    });
    const { id: second } = await created({ source_id: 'erased', sku: 'Bin' });
    await fixture.call('DELETE', '/v1/products/shirt/skus/erased?force=true');
    expect(await created({ id: second, source_id: 'erased', sku: 'Bin' })).toMatchObject({ id: second });
  });

  it.each(['POST', 'GET'] as const)('%s of an unknown product names the product', async (method) => {
    const body = method === 'POST' ? {} : undefined;
    expect(await fixture.call(method, '/v1/products/none/skus', body)).toMatchObject({
      status: 404,
      body: { details: 'Cannot find product with id none', resource_type: 'product' },
    });
  });
});

describe('a product', () => {
  it('shows its SKUs where they are not hidden; creation and changes do not', async () => {
    const { body: mug } = await fixture.call('POST', '/v1/products', { source_id: 'mug' });
    expect(mug).not.toHaveProperty('skus');
    const [small, large] = [await created({ sku: 'Small' }, 'mug'), await created({ sku: 'Large' }, 'mug')];
    const shown = await get('/v1/products/mug');
    expect(shown).toEqual({
      ...mug,
      skus: { object: 'list', data_ref: 'data', data: [small, large], total: 2 },
    });
    expect(await get('/v1/products/mug?hide=sku')).toEqual(mug);
    expect(await get('/v1/products/mug/skus')).toEqual({
      object: 'list',
      data_ref: 'skus',
      skus: [small, large],
      total: 2,
    });
    expect(await get(`/v1/products/mug/skus?limit=1&starting_after_id=${small.id}`)).toMatchObject({
      skus: [large],
      total: 2,
    });
  });

  it.each<[string, string, boolean]>([
    ['the bin', '', false],
    ['nothing, with force', '?force=true', false],
    ['nothing, through the bin', '', true],
  ])('lists what follows a SKU that left meanwhile for %s', async (_, query, purged) => {
    const project = `proj_crawl_${query.length}_${purged}`;
    await fixture.call('POST', '/v1/products', { source_id: 'cup' }, project);
    const path = '/v1/products/cup/skus';
    const ids: string[] = [];
    for (const source_id of ['one', 'two', 'three'])
      ids.push((await fixture.call('POST', path, { source_id }, project)).body.id);
    await fixture.call('DELETE', `${path}/two${query}`, undefined, project);
    if (purged) {
      const wanted = { limit: 1, order: 'id' as const, after: null, filters: null };
      const entries = await fixture.port.listBinEntries(caller(project), { wanted });
      const id = isRefused(entries) ? '' : entries[0]!.id;
      await fixture.port.purgeBinEntry(caller(project), { id });
    }
    const { body } = await fixture.call('GET', `${path}?starting_after_id=${ids[1]}`, undefined, project);
    expect(body.skus.map(({ source_id }: { source_id: string }) => source_id)).toEqual(['three']);
    expect(body.total).toBe(2);
  });

  it('takes the values of attributes along that it drops', async () => {
    const attributes = ['color', 'size'];
    await fixture.call('POST', '/v1/products', { source_id: 'sock', attributes });
    const plain = await created({ source_id: 'plain-sock', attributes: { size: 'M' } }, 'sock');
    await created({ source_id: 'blue-sock', attributes: { color: 'blue', size: 'M' } }, 'sock');
    await fixture.call('PUT', '/v1/products/sock', { attributes: ['size'] });
    expect(await get('/v1/skus/plain-sock')).toEqual(plain);
    expect(await get('/v1/skus/blue-sock')).toMatchObject({
      attributes: { size: 'M' },
      updated_at: expect.any(String),
    });
    await fixture.call('PUT', '/v1/products/sock', { attributes });
    expect(await get('/v1/skus/blue-sock')).toMatchObject({ attributes: { size: 'M' } });
  });

  it('never drops an attribute between the check and the creation of a SKU', async () => {
    await fixture.call('POST', '/v1/products', { source_id: 'glove', attributes: ['color'] });
    await atOnce((index) =>
      index % 5 === 0
        ? fixture.call('PUT', '/v1/products/glove', { attributes: index % 2 ? ['color'] : [] })
        : post({ source_id: `glove-${index}`, attributes: { color: 'blue' } }, 'glove'),
    );
    await fixture.call('PUT', '/v1/products/glove', { attributes: [] });
    const { skus } = await get('/v1/products/glove/skus?limit=100');
    expect(skus.filter((sku: { attributes: object }) => Object.keys(sku.attributes).length > 0)).toEqual([]);
  });

  it('takes its SKUs into the bin, where their source ids stay taken', async () => {
    await fixture.call('POST', '/v1/products', { source_id: 'scarf' });
    const { id } = await created({ source_id: 'scarf-red' }, 'scarf');
    await fixture.call('DELETE', '/v1/products/scarf');
    for (const name of [id, 'scarf-red'])
      expect((await fixture.call('GET', `/v1/skus/${name}`)).status).toBe(404);
    expect(await post({ source_id: 'scarf-red' })).toMatchObject({
      status: 409,
      body: {
        details: expect.stringMatching(
          /^Duplicated sku exists with source_id scarf-red\. It lies in the trash bin: GET \S+=sku_\w+&\S+=prod_\w+$/,
        ) as string,
      },
    });
  });

  it('deleted for good frees the ids of its SKUs', async () => {
    await fixture.call('POST', '/v1/products', { source_id: 'belt' });
    const { id } = await created({ source_id: 'belt-red' }, 'belt');
    await created({ source_id: 'belt-gone' }, 'belt');
    await fixture.call('DELETE', '/v1/products/belt/skus/belt-gone');
    await fixture.call('DELETE', '/v1/products/belt?force=true');
    await created({ id, source_id: 'belt-red' });
    await created({ source_id: 'belt-gone' });
  });

  it('leaves no SKU behind that is created while it is deleted for good', async () => {
    await fixture.call('POST', '/v1/products', { source_id: 'tie' });
    await atOnce((index) =>
      index === 25
        ? fixture.call('DELETE', '/v1/products/tie?force=true')
        : post({ source_id: `tie-${index}` }, 'tie'),
    );
    const left = await fixture.database.query("SELECT id FROM skus WHERE source_id LIKE 'tie-%'");
    expect(left).toEqual([]);
  });
});

it('keeps rows that the newest events of their SKUs give', async () => {
  expect(await fixture.running.eventStores.get('catalog')?.verifyState()).toEqual([]);
  const different = await fixture.database.query(
    `SELECT s.id FROM skus s
     LEFT JOIN LATERAL (
       SELECT e.version, e.data::jsonb->'sku' AS sku FROM events e
       WHERE e.project_id = s.project_id AND e.aggregate = 'product' AND e.stream_id = s.product_id
         AND e.type IN ('SkuCreated', 'SkuUpdated', 'SkuDeleted') AND e.data::jsonb->'sku'->>'id' = s.id
       ORDER BY e.version DESC LIMIT 1
     ) newest ON true
     CROSS JOIN LATERAL (
       SELECT coalesce(array_agg(key), '{}') AS keys FROM events e, jsonb_array_elements_text(e.data::jsonb->'attributes') key
       WHERE e.project_id = s.project_id AND e.aggregate = 'product' AND e.stream_id = s.product_id
         AND e.type = 'ProductAttributesDropped' AND e.version > newest.version AND s.status = 'LIVE'
     ) dropped
     WHERE s.project_id = $1 AND s.snapshot - 'updated_at' IS DISTINCT FROM
       jsonb_set(newest.sku, '{attributes}', (newest.sku->'attributes') - dropped.keys) - 'updated_at'`,
    [caller().project.id],
  );
  expect(different).toEqual([]);
});
