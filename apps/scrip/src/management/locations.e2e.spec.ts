import { type ScripAnswer, type SharedScrip, sharedScrip } from '@scrip/testing';

const projects = '/management/v1/projects';
const circle = {
  type: 'circle',
  format: 'distance',
  distance: { center: 'geo:52.2297,21.0122', radius: '1.54 km' },
};
const square = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 0],
];
const polygon = { type: 'polygon', format: 'geojson', geojson: { type: 'Polygon', coordinates: [square] } };

describe('locations', () => {
  let scrip: SharedScrip;
  let project: Record<string, any>;

  beforeAll(async () => {
    scrip = await sharedScrip();
  }, 240_000);
  beforeEach(async () => {
    const wanted = { name: 'Shop', case_sensitive_codes: true, timezone: 'UTC', currency: 'EUR' };
    project = (await scrip.callAsManager('POST', projects, wanted)).body as Record<string, any>;
  });

  const manage = (method: string, path = '', body?: unknown) =>
    scrip.callAsManager(method, `${projects}/${project.id}/locations${path}`, body);
  const read = (path = ''): Promise<ScripAnswer> =>
    scrip.call('GET', `/v1/locations${path}`, undefined, {
      'x-app-id': project.server_side_key.app_id,
      'x-app-token': project.server_side_key.app_token,
    });
  const create = async (name: string, shape: object = circle) => {
    const { status, body } = await manage('POST', '', { name, shape });
    expect([status, body]).toEqual([200, expect.anything()]);
    return body as Record<string, any>;
  };

  it.each([
    ['a circle', circle],
    ['a polygon', polygon],
    ['polygons', { ...polygon, geojson: { type: 'MultiPolygon', coordinates: [[square], [square]] } }],
  ])('are drawn by managers and read by key: %s', async (_, shape) => {
    const made = await create('Centre', shape);
    expect(made).toEqual({
      id: expect.stringMatching(/^loc_[0-9a-f]{32}$/),
      object: 'location',
      ...{ name: 'Centre', shape },
      created_at: expect.any(String),
      updated_at: null,
    });
    expect((await read(`/${made.id}`)).body).toEqual(made);
  });

  it('are changed in part and removed', async () => {
    const made = await create('Centre');
    const renamed = await manage('PUT', `/${made.id}`, { name: 'Old town' });
    expect(renamed.body).toEqual({ ...made, name: 'Old town', updated_at: expect.any(String) });
    expect((await manage('PUT', `/${made.id}`, { name: 'Old town' })).body).toEqual(renamed.body);
    const drawn = await manage('PUT', `/${made.id}`, { shape: polygon });
    expect(drawn.body).toMatchObject({ name: 'Old town', shape: polygon });
    expect((await manage('DELETE', `/${made.id}`)).status).toBe(204);
    const unknown = {
      status: 404,
      body: { details: `Cannot find location with id ${made.id}`, resource_type: 'location' },
    };
    expect(await read(`/${made.id}`)).toMatchObject(unknown);
    expect(await manage('PUT', `/${made.id}`, {})).toMatchObject(unknown);
    expect(await manage('DELETE', `/${made.id}`)).toMatchObject(unknown);
  });

  it('are listed newest first, in pages, by name and time', async () => {
    const [a, b, c] = [await create('Athens'), await create('Berlin'), await create('Cork')];
    const names = async (query: string) =>
      (await read(query)).body.data.map(({ name }: { name: string }) => name) as unknown;
    expect((await read()).body).toEqual({
      ...{ object: 'list', data_ref: 'data', total: 3, has_more: false },
      data: [c, b, a],
    });
    expect((await read('?limit=2')).body).toMatchObject({ total: 3, has_more: true, data: [c, b] });
    expect(await names(`?end_date=${b.created_at}`)).toEqual(['Athens']);
    expect(await names('?order=created_at')).toEqual(['Athens', 'Berlin', 'Cork']);
    await manage('PUT', `/${a.id}`, { name: 'Attica' });
    expect(await names('?order=-updated_at')).toEqual(['Attica', 'Cork', 'Berlin']);
    expect(await names('?filters[name][conditions][$starts_with]=B')).toEqual(['Berlin']);
    expect(await names('?filters[updated_at][conditions][$has_value]=true')).toEqual(['Attica']);
    expect(await names(`?filters[created_at][conditions][$after]=${b.created_at}`)).toEqual(['Cork']);
  });

  it('belong to their project', async () => {
    const made = await create('Centre');
    expect((await scrip.call('GET', `/v1/locations/${made.id}`)).status).toBe(404);
  });

  test.each<[string, object, string]>([
    ['no name', { shape: circle }, "Payload must have required property 'name'"],
    ['no shape', { name: 'A' }, "Payload must have required property 'shape'"],
    ['a shape that is none', { name: 'A', shape: 1 }, 'Property .shape must be object'],
    [
      'a radius that is none',
      { name: 'A', shape: { ...circle, distance: { center: '0,0', radius: 'far' } } },
      'Property .shape.distance.radius must be a distance above 0 in m, km or mi, as 1.54 km',
    ],
    [
      'a ring that is open',
      { name: 'A', shape: { ...polygon, geojson: { type: 'Polygon', coordinates: [[...square, [5, 5]]] } } },
      'Property .shape.geojson.coordinates[0] must end where it begins',
    ],
  ])('are refused with %s', async (_, body, details) => {
    expect(await manage('POST', '', body)).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details },
    });
  });

  it('are refused in lists by filters that they do not have', async () => {
    expect(await read('?filters[shape][conditions][$is]=circle')).toMatchObject({
      status: 400,
      body: { key: 'invalid_query_params' },
    });
    expect((await read('?filters[created_at][conditions][$after]=x')).body.key).toBe('invalid_query_params');
  });
});
