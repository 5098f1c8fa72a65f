import { type SharedScrip, sharedScrip, waitUntil } from '@scrip/testing';

interface Named {
  id: string;
}

describe('filters by location (reference 07 §9)', () => {
  let scrip: SharedScrip;
  let [near, far, nowhere]: string[] = [];

  const locations = () => `/management/v1/projects/${scrip.credentials.project_id}/locations`;
  const circle = (center: string, radius: string) => ({
    shape: { type: 'circle', format: 'distance', distance: { center, radius } },
  });
  const drawn = async (center: string, radius: string): Promise<string> =>
    (await scrip.manage<Named>('POST', locations(), { name: 'Here', ...circle(center, radius) })).id;
  const filter = (operator: string, ...ids: string[]) => ({
    junction: 'and',
    'metadata.home': { conditions: { [operator]: ids } },
  });
  const created = async (path: string, body: object): Promise<string> =>
    (await scrip.ask<Named>('POST', path, body)).id;
  const customer = (metadata: object) => created('/v1/customers', { metadata });
  const segment = (type: string, ...[operator, ...ids]: [string, ...string[]]) =>
    created('/v1/segments', { name: operator, type, filter: filter(operator, ...ids) });
  const listed = async (path: string): Promise<string[]> => {
    const { data, customers } = await scrip.ask<{ data?: Named[]; customers?: Named[] }>('GET', path);
    return (data ?? customers ?? []).map(({ id }) => id);
  };
  const remove = (id: string) => scrip.callAsManager('DELETE', `${locations()}/${id}`);

  beforeAll(async () => {
    scrip = await sharedScrip();
    const schemas = `/management/v1/projects/${scrip.credentials.project_id}/metadata-schemas`;
    const home = { type: 'geopoint', array: false, optional: true };
    for (const related_object of ['customer', 'product'])
      await scrip.manage('POST', schemas, {
        related_object,
        properties: { home, note: { ...home, type: 'string' } },
      });
    near = await customer({ home: 'geo:52.2297,21.0122' });
    far = await customer({ home: '50.0647,19.9450' });
    nowhere = await customer({ note: 'geo:52.2297,21.0122' });
  });

  it('find who is in one of the locations, or in none; who has no place is in neither', async () => {
    const warsaw = await drawn('geo:52.23,21.01', '5 km');
    const cracow = await drawn('geo:50.06,19.94', '5 km');
    const [inside, outside, either] = [
      await segment('passive', '$in_location', warsaw),
      await segment('passive', '$not_in_location', warsaw),
      await segment('passive', '$in_location', warsaw, cracow),
    ];
    const found = async (id: string) => (await listed(`/v1/customers/${id}/segments`)).sort();
    expect(await found(near!)).toEqual([inside, either].sort());
    expect(await found(far!)).toEqual([outside, either].sort());
    expect(await found(nowhere!)).toEqual([]);
  });

  it('find what is exported', async () => {
    const place = await drawn('geo:52.23,21.01', '5 km');
    const home = 'geo:52.2297,21.0122';
    const product = await created('/v1/products', { source_id: 'near-lamp', metadata: { home } });
    await created('/v1/products', { source_id: 'far-lamp', metadata: { home: '50.0647,19.9450' } });
    const sku = await created('/v1/products/near-lamp/skus', { source_id: 'near-1', sku: 'Near' });
    await created('/v1/products/far-lamp/skus', { source_id: 'far-1', sku: 'Far' });
    const file = async (exported_object: string): Promise<string> => {
      const { id } = await scrip.ask<Named>('POST', '/v1/exports', {
        exported_object,
        parameters: { fields: ['id'], filters: filter('$in_location', place) },
      });
      let url = '';
      await waitUntil(
        async () => {
          const { result } = await scrip.ask<{ result: { url: string } | null }>('GET', `/v1/exports/${id}`);
          url = result?.url ?? '';
          return url !== '';
        },
        { what: 'the end of the export' },
      );
      return (await fetch(url)).text();
    };
    expect(await file('customer')).toBe(`ID\r\n${near}\r\n`);
    expect(await file('product')).toBe(`ID\r\n${product}\r\n`);
    expect(await file('sku')).toBe(`ID\r\n${sku}\r\n`);
    for (const lamp of ['near-lamp', 'far-lamp'])
      expect((await scrip.call('DELETE', `/v1/products/${lamp}?force=true`)).status).toBe(204);
  });

  it('keep members and records as locations change', async () => {
    const place = await drawn('geo:52.23,21.01', '5 km');
    const members = await segment('auto-update', '$in_location', place);
    const product = await created('/v1/products', {
      source_id: 'lamp',
      metadata: { home: '50.0647,19.9450' },
    });
    const sku = await created('/v1/products/lamp/skus', { source_id: 'lamp-1', sku: 'One' });
    const collection = await created('/v1/product-collections', {
      name: 'Around',
      type: 'AUTO_UPDATE',
      filter: filter('$in_location', place),
    });
    const shown = async () => [
      await listed(`/v1/customers?segment_id=${members}`),
      (await listed(`/v1/product-collections/${collection}/products`)).sort(),
    ];
    const until = (wanted: string[][]) =>
      waitUntil(async () => JSON.stringify(await shown()) === JSON.stringify(wanted), {
        what: 'what lies in the location',
      });
    await until([[near!], []]);
    await scrip.manage('PUT', `${locations()}/${place}`, circle('geo:50.06,19.94', '5 km'));
    await until([[far!], [product, sku].sort()]);
  });

  it.each([
    ['/v1/segments', { name: 'Of nobody', type: 'passive' }],
    ['/v1/product-collections', { name: 'Of nothing', type: 'AUTO_UPDATE' }],
  ])('refuse what is no location of the project, and fields without places: %s', async (path, wanted) => {
    const refused = async (...sent: [string, ...string[]]) => {
      const { status, body } = await scrip.call('POST', path, { ...wanted, filter: filter(...sent) });
      expect([status, body.key]).toEqual([400, 'invalid_payload']);
      return body.details;
    };
    const at = 'Property .filter.metadata.home.conditions.$in_location';
    expect(await refused('$in_location', 'loc_none')).toBe(
      `${at} names no location of the project: loc_none`,
    );
    expect(await refused('$in_location', 'no id')).toBe(`${at} must be the id of a location`);
    const { body } = await scrip.call('POST', path, {
      ...wanted,
      filter: { junction: 'and', 'metadata.note': { conditions: { $in_location: ['loc_none'] } } },
    });
    expect(body.details).toMatch(
      /^Property \.filter\.metadata\.note\.conditions has an operator that its field/,
    );
  });

  it.each([
    ['segments', '/v1/segments', { type: 'passive' }],
    ['product_collections', '/v1/product-collections', { type: 'AUTO_UPDATE' }],
  ])('keep a location from being deleted while %s refer to it', async (plural, path, wanted) => {
    const [first, second] = [await drawn('geo:1,1', '1 km'), await drawn('geo:2,2', '1 km')];
    const id = await created(path, {
      ...wanted,
      name: `Uses ${first}`,
      filter: filter('$in_location', first),
    });
    expect(await remove(first)).toMatchObject({
      status: 400,
      body: {
        key: 'resource_in_use',
        message: 'Resource in use',
        details: `Resource location with id ${first} is in use by ${plural} with ids [${id}]`,
        related_object_ids: [id],
        resource_id: first,
        resource_type: 'location',
        related_object_type: plural,
      },
    });
    await scrip.ask('PUT', `${path}/${id}`, { filter: filter('$not_in_location', second) });
    expect((await remove(first)).status).toBe(204);
    expect((await remove(second)).body.key).toBe('resource_in_use');
    expect((await scrip.call('DELETE', `${path}/${id}`)).status).toBe(204);
    expect((await remove(second)).status).toBe(204);
    expect((await remove(second)).status).toBe(404);
  });

  it('never refer to a location that was deleted meanwhile', async () => {
    for (let round = 0; round < 6; round += 1) {
      const place = await drawn('geo:3,3', '1 km');
      const body = { name: 'Races', type: 'passive', filter: filter('$in_location', place) };
      const creations = Array.from({ length: 5 }, () => () => scrip.call('POST', '/v1/segments', body));
      const removals = Array.from({ length: 5 }, () => () => remove(place));
      const calls = round % 2 === 0 ? [...creations, ...removals] : [...removals, ...creations];
      const answers = await Promise.all(calls.map((call) => call()));
      const made = answers.filter(({ status }) => status === 200);
      const deleted = answers.filter(({ status }) => status === 204);
      expect(deleted).toHaveLength(made.length > 0 ? 0 : 1);
      const { status } = await scrip.call('GET', `/v1/locations/${place}`);
      expect(status).toBe(made.length > 0 ? 200 : 404);
    }
  });
});
