import { isRefused } from '@scrip/kernel';
import { createDatabase } from '@scrip/testing';
import { DataSource } from 'typeorm';
import {
  type FilterColumns,
  filterSql,
  type Filters,
  locationsOf,
  type Places,
  placesSql,
  StatementValues,
  unknownLocation,
} from './index';

const columnsWith = (places?: Places): FilterColumns => ({
  'metadata.*': {
    kind: 'members',
    sql: 't.metadata',
    calendar: { today: '2026-03-31', zone: 'UTC' },
    ...(places && { places }),
    schema: {
      typeOf: (path) => (path === 'home' ? 'geopoint' : undefined),
      calendar: { today: '2026-03-31', zone: 'UTC' },
    },
  },
});

const records = `(VALUES
  ('a', '{"home": "geo:1,1", "deep": {"home": "2,2"}}'::jsonb),
  ('b', '{"home": ["2,2", "1,1"]}'),
  ('c', '{"home": "2,2"}'),
  ('d', '{"home": "here", "deep": {"home": 5}}'),
  ('e', '{}')) AS t(id, metadata)`;

const asking = (key: string, operator: string, ...ids: string[]): Filters => ({
  junction: 'and',
  fields: { [`metadata.${key}`]: { [operator]: ids } },
});

describe('a filter by location (reference 07 §9)', () => {
  let database: DataSource;

  beforeAll(async () => {
    database = new DataSource({ type: 'postgres', url: await createDatabase('places') });
    await database.initialize();
  });
  afterAll(() => database?.destroy());

  // `ones` covers 1,1; `twos` covers 2,2.
  const places: Places = {
    all: ['geo:1,1', '1,1', '2,2'],
    inside: (ids) => ids.flatMap((id) => (id === 'ones' ? ['geo:1,1', '1,1'] : id === 'twos' ? ['2,2'] : [])),
  };

  it.each<[string, string, string[], string]>([
    ['home', '$in_location', ['ones'], 'ab'],
    ['home', '$in_location', ['twos'], 'bc'],
    ['home', '$in_location', ['ones', 'twos'], 'abc'],
    ['home', '$in_location', ['none'], ''],
    ['home', '$not_in_location', ['ones'], 'c'],
    ['home', '$not_in_location', ['none'], 'abc'],
    ['deep.home', '$in_location', ['twos'], 'a'],
    ['deep.home', '$not_in_location', ['ones'], 'a'],
  ])('by %s %s %j finds %s', async (key, operator, ids, found) => {
    const { add, all } = new StatementValues();
    const sql = filterSql(asking(key, operator, ...ids), columnsWith(places), add);
    if (isRefused(sql)) throw new Error(sql.details);
    const rows = await database.query<{ id: string }[]>(
      `SELECT t.id FROM ${records} WHERE ${sql} ORDER BY t.id`,
      all,
    );
    expect(rows.map(({ id }) => id).join('')).toBe(found);
  });

  it('asks for each text that may name a place once, and for none where no filter asks', async () => {
    const { add, all } = new StatementValues();
    const filters = [asking('home', '$in_location', 'ones'), asking('home', '$not_in_location', 'twos')];
    const sql = placesSql(filters, columnsWith(), records, add)!;
    const rows = await database.query<{ place: string }[]>(sql, all);
    expect(rows.map(({ place }) => place).sort()).toEqual(['1,1', '2,2', 'geo:1,1']);
    expect(placesSql([asking('home', '$is', '1,1')], columnsWith(), records, add)).toBeNull();
  });

  it('names its locations, and the first that is unknown', () => {
    const filters = asking('home', '$in_location', 'ones', 'twos', 'ones');
    expect(locationsOf(filters)).toEqual(['ones', 'twos']);
    expect(unknownLocation(filters, [])).toBeNull();
    expect(unknownLocation(filters, ['twos'])).toEqual({
      refused: 'invalid_payload',
      details:
        'Property .filter.metadata.home.conditions.$in_location names no location of the project: twos',
    });
  });

  it.each([
    ['an id that none is', columnsWith(places), 'no id', '.$in_location must be the id of a location'],
    ['a field without places', columnsWith(), 'ones', ' has an operator that its field does not have.'],
  ])('is refused for %s', (_, columns, id, problem) => {
    const { add } = new StatementValues();
    expect(filterSql(asking('home', '$in_location', id), columns, add)).toMatchObject({
      refused: 'invalid_query_params',
      details: expect.stringContaining(`Property .filters.metadata.home.conditions${problem}`) as unknown,
    });
  });
});
