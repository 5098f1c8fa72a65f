import { internalContext, isRefused, randomIds } from '@scrip/kernel';
import { projectOf } from '@scrip/testing';
import { type AuthFixture, bootAuth, knownKeys } from '../auth.fixture';
import { LocationHandlers, locationsMax } from './location.handlers';

const circle = { type: 'circle', format: 'distance', distance: { center: 'geo:1,1', radius: '1 km' } };

/** Rings of so many positions each, along a parallel and back. */
const ringsOf = (...sizes: number[]) =>
  sizes.map((size) => [
    ...Array.from({ length: size - 2 }, (_, index) => [index / 1_000, 1]),
    [0, 2],
    [0, 1],
  ]);
const polygonOf = (...sizes: number[]) => ({
  type: 'polygon',
  format: 'geojson',
  geojson: { type: 'Polygon', coordinates: ringsOf(...sizes) },
});

describe('limits of locations', () => {
  let fixture: AuthFixture;
  let locations: LocationHandlers;

  beforeAll(async () => {
    fixture = await bootAuth();
    await fixture.bootstrap.run(knownKeys);
    locations = fixture.running.app.get(LocationHandlers, { strict: false });
  });
  afterAll(() => fixture?.running.close());

  const draw = async (shape: object) => {
    const response = await fetch(`${fixture.running.url}/management/v1/projects/proj_demo/locations`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-management-id': 'boss',
        'x-management-token': 'boss-secret',
      },
      body: JSON.stringify({ name: 'Here', shape }),
    });
    return { status: response.status, body: (await response.json()) as object };
  };
  const tooMany = {
    status: 400,
    body: expect.objectContaining({
      code: 400,
      key: 'invalid_payload',
      details: 'Property .shape.geojson.coordinates should NOT have more than 2000 positions',
    }) as object,
  };

  it('a polygon has at most 2,000 positions, those of its holes too', async () => {
    expect((await draw(polygonOf(2_000))).status).toBe(200);
    expect((await draw(polygonOf(1_000, 1_000))).status).toBe(200);
    expect(await draw(polygonOf(2_001))).toEqual(tooMany);
    expect(await draw(polygonOf(1_000, 1_001))).toEqual(tooMany);
  });

  it('several polygons have at most 2,000 positions together', async () => {
    const polygons = (...sizes: number[]) => ({
      type: 'polygon',
      format: 'geojson',
      geojson: { type: 'MultiPolygon', coordinates: sizes.map((size) => ringsOf(size)) },
    });
    expect((await draw(polygons(1_500, 500))).status).toBe(200);
    expect(await draw(polygons(1_500, 501))).toEqual(tooMany);
  });

  it('a project has at most 1,000, also where 50 are drawn at once; another project has its own', async () => {
    const full = internalContext(projectOf({ id: 'proj_full' }));
    const drawIn = (context: typeof full) =>
      locations.create(context, randomIds, { name: 'Here', shape: circle });
    await fixture.database.query(
      `INSERT INTO locations (project_id, id, name, shape, created_at)
       SELECT 'proj_full', 'loc_' || n, 'Here', $1, now() FROM generate_series(1, $2) AS n`,
      [circle, locationsMax - 3],
    );
    const drawn = await Promise.all(Array.from({ length: 50 }, () => drawIn(full)));
    const refused = drawn.filter(isRefused);
    expect(refused).toHaveLength(47);
    expect(new Set(refused.map((of) => JSON.stringify(of)))).toEqual(
      new Set([
        JSON.stringify({ refused: 'invalid_payload', details: 'A project can have at most 1000 locations' }),
      ]),
    );
    expect(isRefused(await drawIn(internalContext(projectOf({ id: 'proj_other' }))))).toBe(false);
  });

  it('a place is free again where a location was deleted', async () => {
    const context = internalContext(projectOf({ id: 'proj_full' }));
    await fixture.database.query(`DELETE FROM locations WHERE project_id = 'proj_full' AND id = 'loc_1'`);
    const again = () => locations.create(context, randomIds, { name: 'Here', shape: circle });
    expect([isRefused(await again()), isRefused(await again())]).toEqual([false, true]);
  });
});
