import { isRefused } from '@scrip/kernel';
import type { MetadataType } from '@scrip/metadata-schemas';
import { createDatabase, touchedRows } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { type FilterColumns, type Filters, StatementValues, changesWithTheDay, filterSql } from './index';

const types: Readonly<Record<string, MetadataType>> = {
  size: 'number',
  open: 'boolean',
  since: 'date',
  at: 'datetime',
  place: 'geopoint',
  tier: 'string',
  home: 'object',
  'home.floor': 'number',
};

const columnsWith = (stored: boolean): FilterColumns => ({
  'metadata.*': {
    kind: 'members',
    sql: 't.metadata',
    indexed: { document: 't.metadata', path: [] },
    schema: {
      typeOf: (path) => types[path],
      calendar: { today: '2026-03-31', zone: 'Europe/Warsaw' },
      stored,
    },
  },
});

const conditions = (key: string, operator: string, value: unknown): Filters['fields'] => ({
  [`metadata.${key}`]: { [operator]: Array.isArray(value) ? value : [value] },
});

describe('a filter of metadata that a schema gives types (reference 07 §1.5)', () => {
  let database: DataSource;

  beforeAll(async () => {
    database = new DataSource({ type: 'postgres', url: await createDatabase('typed_metadata') });
    await database.initialize();
    await database.query(`
      CREATE TABLE things (id text COLLATE "C" PRIMARY KEY, metadata jsonb NOT NULL);
      CREATE INDEX things_metadata ON things USING gin (metadata jsonb_path_ops);
      INSERT INTO things VALUES
        ('a', '{"size": 5, "open": true, "since": "2026-03-31", "at": "2026-03-31T22:30:00Z", "tier": "gold",
                "place": "geo:40.7128,-74.0060", "home": {"floor": 2}}'),
        ('b', '{"size": 10.50, "open": false, "since": "2025-12-31", "at": "2026-03-31T10:00", "tier": "10",
                "place": "40.71280,-74.006", "home": {"floor": 11}}'),
        ('c', '{"size": [1, 100], "since": ["2026-03-30", "2020-02-29"], "place": ["1,2"], "tier": ["gold", "blue"]}'),
        ('d', '{"size": "7", "open": "true", "since": "soon", "at": "2026-99-01", "place": "here"}'),
        ('e', '{"size": 1e30, "at": "2026-03-31T12"}')`);
  });
  afterAll(() => database?.destroy());

  const statementOf = (fields: Filters['fields'], stored = false) => {
    const values = new StatementValues();
    const sql = filterSql({ junction: 'and', fields }, columnsWith(stored), values.add);
    if (isRefused(sql)) throw new Error(sql.details);
    return { text: `SELECT t.id FROM things t WHERE ${sql} ORDER BY t.id`, values: values.all };
  };
  const found = async (fields: Filters['fields'], stored?: boolean): Promise<string> => {
    const { text, values } = statementOf(fields, stored);
    return (await database.query<{ id: string }[]>(text, values)).map(({ id }) => id).join('');
  };

  it.each<[string, string, unknown, string]>([
    ['size', '$is', '5.0', 'a'],
    ['size', '$is', '005', 'a'],
    ['size', '$in', [5, '10.5', 7], 'ab'],
    ['size', '$is_not', 5, 'bcde'],
    ['size', '$more_than', 9, 'bce'],
    ['size', '$less_than', '5', 'c'],
    ['size', '$less_than_equal', '5', 'ac'],
    ['size', '$count', 2, 'c'],
    ['open', '$is', 'TRUE', 'a'],
    ['open', '$is', false, 'b'],
    ['open', '$not_in', [true], 'bcde'],
    ['since', '$is', '2026-03-31', 'a'],
    ['since', '$after', '2026-01-01', 'ac'],
    ['since', '$before', '2026-01-01T10:00:00Z', 'bc'],
    ['since', '$this_month', true, 'ac'],
    ['since', '$more_than', 80, 'bc'],
    ['since', '$is_unknown', true, 'e'],
    ['at', '$after', '2026-03-31T11:00:00Z', 'ae'],
    ['at', '$is', '2026-03-31T12:00:00+02:00', 'b'],
    ['at', '$is_not', '2026-03-31T10:00:00Z', 'acde'],
    ['at', '$today', true, 'be'],
    ['at', '$tomorrow', true, 'a'],
    ['place', '$is', '40.7128,-74.0060', 'ab'],
    ['place', '$in', ['1,2', 'geo:0,0'], 'c'],
    ['place', '$not_in', ['geo:40.7128,-74.006'], 'cde'],
    ['tier', '$starts_with', 'go', 'ac'],
    ['tier', '$count_more', 1, 'c'],
    ['home.floor', '$more_than', 9, 'b'],
    ['untyped', '$is_unknown', true, 'abcde'],
  ])('compares by the type of the key: %s %s %j finds %s', async (key, operator, value, ids) => {
    expect(await found(conditions(key, operator, value))).toBe(ids);
  });

  const number = 'must be number, with at most 18 digits before and 18 after the point';
  const notOfField = 'has an operator that its field does not have. Operators should be equal to';
  it.each<[string, string, unknown, string]>([
    ['size', '$more_than', 'many', `size.conditions.$more_than ${number}`],
    ['size', '$is', 'many', `size.conditions.$is ${number}`],
    ['home.floor', '$is', 'top', `home.floor.conditions.$is ${number}`],
    [
      'open',
      '$is',
      'yes',
      'open.conditions.$is should be equal to one of the allowed values [ TRUE, FALSE ]',
    ],
    ['since', '$is', 'soon', 'since.conditions.$is cannot be recognized as a ISO-8601 compliant date'],
    ['at', '$after', 7, 'at.conditions.$after cannot be recognized as a ISO-8601 compliant date'],
    ['place', '$is', 'here', 'place.conditions.$is must be a geopoint, as geo:40.7128,-74.0060'],
    ['size', '$contains', '5', `size.conditions ${notOfField}`],
    ['tier', '$more_than', 5, `tier.conditions ${notOfField}`],
    ['untyped', '$more_than', 5, `untyped.conditions ${notOfField}`],
  ])('refuses what the type cannot have, naming the field: %s %s %j', (key, operator, value, problem) => {
    const { add } = new StatementValues();
    const filters: Filters = { junction: 'and', fields: conditions(key, operator, value) };
    expect(filterSql(filters, columnsWith(false), add)).toEqual({
      refused: 'invalid_query_params',
      details: expect.stringContaining(`Property .filters.metadata.${problem}`) as unknown,
    });
  });

  it('takes a filter that was stored before a definition which does not fit it as if there were none', async () => {
    expect(await found(conditions('size', '$starts_with', '7'), true)).toBe('d');
    expect(await found(conditions('size', '$is', 'many'), true)).toBe('');
    expect(await found(conditions('size', '$more_than', 9), true)).toBe('bce');
  });

  it('changes with the day where days count from it', () => {
    const stored = (key: string) => ({
      junction: 'and',
      [`metadata.${key}`]: { conditions: { $more_than: [1] } },
    });
    expect(['size', 'since', 'at'].map((key) => changesWithTheDay(stored(key), columnsWith(true)))).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('finds equal numbers, flags, days and texts by the index', async () => {
    await database.query(`
      INSERT INTO things (id, metadata) SELECT 'x' || n, jsonb_build_object('size', n, 'open', n % 2000 = 1,
          'since', to_char('2000-01-01'::date + n, 'YYYY-MM-DD'), 'tier', 'tier ' || n)
        FROM generate_series(1, 5000) n;
      ANALYZE things`);
    for (const fields of [
      conditions('size', '$is', '77.0'),
      conditions('open', '$is', 'TRUE'),
      conditions('since', '$in', ['2000-03-18']),
      conditions('tier', '$is', 'tier 77'),
    ]) {
      const { scans, rows } = await touchedRows(database, statementOf(fields), 'things');
      expect(scans).toEqual(['things_metadata']);
      expect(rows).toBeLessThan(10);
    }
    await database.query(`DELETE FROM things WHERE id LIKE 'x%'`);
  });
});
