import { isRefused } from '@scrip/kernel';
import { createDatabase, touchedRows } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { type FilterColumns, type Filters, StatementValues, filterSql } from './index';

/** The thing behind a thing. */
const before = (condition: string, one: boolean): string => {
  const ids = `SELECT chr(ascii(f.id) - 1) COLLATE "C" FROM things f WHERE ${condition}`;
  return one ? `t.id = (${ids})` : `t.id = ANY (ARRAY(${ids}))`;
};

/** All other things. */
const beside = (condition: string): string =>
  `EXISTS (SELECT FROM things f WHERE f.id <> t.id AND ${condition})`;

const columns: FilterColumns = {
  id: { kind: 'text', sql: 't.id' },
  name: { kind: 'text', sql: 't.name' },
  size: { kind: 'number', sql: 't.size' },
  at: { kind: 'instant', sql: 't.at' },
  days: { kind: 'json', sql: 't.days', absentMatches: true },
  state: { kind: 'text', sql: 't.name', oneOf: ['Lamp', 'lamp_50%', 'Chair'] },
  big: { kind: 'flag', sql: '(t.size > 2)' },
  kind: {
    kind: 'text',
    sql: 't.name',
    valuesOf: (value) => (value === 'ANY' ? ['Lamp', 'lamp_50%'] : [value]),
  },
  active: { kind: 'states', states: { $enabled: 't.size > 1', $disabled: 'NOT (t.size > 1)' } },
  next: { kind: 'text', sql: 'f.name', refersTo: before },
  'other.name': { kind: 'text', sql: 'f.name', refersTo: beside },
  'other.size': { kind: 'number', sql: 'f.size', refersTo: beside },
  'metadata.*': { kind: 'members', sql: 't.metadata', indexed: { document: 't.metadata', path: [] } },
  'plain.*': { kind: 'members', sql: 't.metadata' },
};

describe('a filter', () => {
  let database: DataSource;

  beforeAll(async () => {
    database = new DataSource({ type: 'postgres', url: await createDatabase('list_query') });
    await database.initialize();
    await database.query(`
      CREATE TABLE things (id text COLLATE "C" PRIMARY KEY, name text COLLATE "C", size numeric, at timestamptz,
        days jsonb, metadata jsonb NOT NULL DEFAULT '{}');
      CREATE INDEX things_name ON things (name);
      INSERT INTO things VALUES
        ('a', 'Lamp', 1, '2026-01-01T00:00:00Z', '[1, 2]', '{"tier": "gold", "tags": ["x", "y"], "a.b": 1}'),
        ('b', 'lamp_50%', 2.5, '2026-02-01T00:00:00Z', '[3]', '{"tier": null, "a": {"b": "deep"}}'),
        ('c', NULL, NULL, NULL, NULL, '{"tier": 5, "tags": []}')`);
  });
  afterAll(() => database?.destroy());

  type Fields = Filters['fields'];
  const by = (field: string, operator: string, value: unknown): Fields => ({
    [field]: { [operator]: Array.isArray(value) ? value : [value] },
  });
  const found = async (fields: Fields, junction: Filters['junction'] = 'and'): Promise<string> => {
    const values = new StatementValues();
    const sql = filterSql({ junction, fields }, columns, values.add);
    if (isRefused(sql)) throw new Error(sql.details);
    const rows = await database.query<{ id: string }[]>(
      `SELECT t.id FROM things t WHERE ${sql} ORDER BY t.id`,
      values.all,
    );
    return rows.map(({ id }) => id).join('');
  };

  test.each<[string, string, unknown, string]>([
    ['name', '$is', 'Lamp', 'a'],
    ['name', '$is', 'lamp', ''],
    ['next', '$is', 'lamp_50%', 'a'],
    ['next', '$in', ['Lamp', 'lamp_50%'], 'a'],
    ['next', '$starts_with', 'lamp', 'a'],
    ['next', '$is_not', 'lamp_50%', 'bc'],
    ['next', '$not_contain', 'chair', 'abc'],
    ['next', '$has_value', 'true', 'a'],
    ['next', '$is_unknown', 'true', 'bc'],
    ['name', '$in', ['Lamp', 'lamp_50%'], 'ab'],
    ['name', '$is_not', 'Lamp', 'bc'],
    ['name', '$not_in', ['Lamp', 'lamp_50%'], 'c'],
    ['name', '$has_value', true, 'ab'],
    ['name', '$is_unknown', true, 'c'],
    ['name', '$contains', 'am', 'ab'],
    ['name', '$contains', '_', 'b'],
    ['name', '$contains', ['Lam', '50'], 'ab'],
    ['name', '$not_contain', '%', 'ac'],
    ['name', '$starts_with', 'L', 'a'],
    ['name', '$ends_with', '50%', 'b'],
    ['kind', '$is', 'ANY', 'ab'],
    ['state', '$is', 'Lamp', 'a'],
    ['state', '$not_in', ['Chair'], 'abc'],
    ['state', '$contains', 'lam', 'b'],
    ['big', '$is', 'TRUE', 'b'],
    ['big', '$is', 'false', 'a'],
    ['big', '$is_not', true, 'ac'],
    ['size', '$is', '1.0', 'a'],
    ['size', '$more_than', '1', 'b'],
    ['size', '$more_than_equal', '1', 'ab'],
    ['size', '$less_than', '2.5', 'a'],
    ['size', '$less_than_equal', '2.5', 'ab'],
    ['size', '$is_not', '1', 'bc'],
    ['at', '$after', '2026-01-01', 'b'],
    ['at', '$before', '2026-02-01', 'a'],
    ['days', '$is', '2', 'ac'],
    ['days', '$is_not', '2', 'bc'],
    ['metadata.tier', '$is', 'gold', 'a'],
    ['metadata.tier', '$is', '5', 'c'],
    ['metadata.tier', '$is_not', 'gold', 'bc'],
    ['metadata.tier', '$is_unknown', true, 'b'],
    ['metadata.tags', '$is', 'y', 'a'],
    ['metadata.tags', '$is_not', 'y', 'bc'],
    ['metadata.tags', '$is_unknown', true, 'b'],
    ['metadata.a', '$is', '{"b": "deep"}', 'b'],
    ['plain.tier', '$is', 'gold', 'a'],
    ['plain.tags', '$in', ['y', '5'], 'a'],
    ['metadata.a.b', '$is', '1', 'a'],
    ['metadata.a.b', '$starts_with', 'de', 'b'],
    ['active', '$enabled', true, 'b'],
    ['active', '$disabled', true, 'a'],
  ])('by %s %s %j finds %s', async (field, operator, value, ids) => {
    expect(await found(by(field, operator, value))).toBe(ids);
  });

  test.each<[string, string, unknown, string]>([
    ['state', '$is', 'lamp', '.$is should be equal to one of the allowed values [ Lamp, lamp_50%, Chair ]'],
    [
      'state',
      '$in',
      ['Lamp', ''],
      '.$in should be equal to one of the allowed values [ Lamp, lamp_50%, Chair ]',
    ],
    ['big', '$is', 'yes', '.$is should be equal to one of the allowed values [ TRUE, FALSE ]'],
    ['size', '$is', 'many', '.$is must be number, with at most 18 digits before and 18 after the point'],
    [
      'at',
      '$before',
      'soon',
      '.$before cannot be recognized as a ISO-8601 compliant date: write 2026-03-31 or 2026-03-31T10:00:00Z, other offsets as +02:00',
    ],
    ['name', '$is', { a: 1 }, '.$is must be string'],
    ['name', '$is', 'a\0', '.$is cannot contain NUL characters'],
    ['name', '$in', [], '.$in must have at least 1 value'],
    [
      'big',
      '$contains',
      'T',
      ' has an operator that its field does not have. Operators should be equal to one of the allowed values [ $is, $is_not, $in, $not_in, $has_value, $is_unknown ]',
    ],
    [
      'active',
      '$failed',
      true,
      ' has an operator that its field does not have. Operators should be equal to one of the allowed values [ $enabled, $disabled ]',
    ],
  ])('by %s %s %j is refused, and the refusal says what fits', (field, operator, value, problem) => {
    const { add } = new StatementValues();
    expect(filterSql({ junction: 'and', fields: by(field, operator, value) }, columns, add)).toEqual({
      refused: 'invalid_query_params',
      details: `Property .filters.${field}.conditions${problem}`,
    });
  });

  it('joins the operators of a field with and, fields as the junction says', async () => {
    expect(await found({ size: { $more_than: [0], $less_than: [2] } })).toBe('a');
    const fields = { ...by('name', '$is', 'Lamp'), ...by('size', '$is_unknown', true) };
    expect(await found(fields)).toBe('');
    expect(await found(fields, 'or')).toBe('ac');
    expect(await found({})).toBe('abc');
  });

  it.each<[string, Fields, and: string, or: string]>([
    [
      'two fields of it',
      { 'other.name': { $is: ['lamp_50%'] }, 'other.size': { $more_than: [2] } },
      'ac',
      'ac',
    ],
    [
      'two fields of two of them',
      { 'other.name': { $is: ['Lamp'] }, 'other.size': { $more_than: [2] } },
      '',
      'abc',
    ],
    ['a range that two of them surround', { 'other.size': { $more_than: [1], $less_than: [2] } }, '', ''],
    [
      'a negation, of all of them',
      { 'other.name': { $is_not: ['Lamp'] }, 'other.size': { $more_than: [0] } },
      'a',
      'abc',
    ],
    ['both in one field', { 'other.name': { $starts_with: ['lamp'], $not_contain: ['L'] } }, 'a', 'a'],
  ])('asks of one record that a row refers to: %s', async (_, fields, and, or) => {
    expect([await found(fields, 'and'), await found(fields, 'or')]).toEqual([and, or]);
  });

  it('is served by an index of containment where it looks for members that are equal', async () => {
    await database.query(`
      CREATE INDEX things_metadata ON things USING gin (metadata jsonb_path_ops);
      INSERT INTO things (id, metadata) SELECT 'x' || n, jsonb_build_object('n', n, 'a', jsonb_build_object('b', n))
        FROM generate_series(1, 5000) n;
      ANALYZE things`);
    for (const fields of [by('metadata.n', '$is', '7'), by('metadata.a.b', '$in', ['7', 'seven'])]) {
      const values = new StatementValues();
      const sql = filterSql({ junction: 'and', fields }, columns, values.add) as string;
      const { scans } = await touchedRows(
        database,
        { text: `SELECT t.id FROM things t WHERE ${sql}`, values: values.all },
        'things',
      );
      expect(scans).toEqual(['things_metadata']);
    }
    await database.query(`DELETE FROM things WHERE id LIKE 'x%'`);
  });

  it('is served by an index where it compares a column with values or a prefix', async () => {
    await database.query(
      `INSERT INTO things (id, name) SELECT 'x' || n, 'name ' || n FROM generate_series(1, 5000) n`,
    );
    await database.query('ANALYZE things');
    for (const fields of [by('name', '$in', ['name 1', 'name 2']), by('name', '$starts_with', 'name 77')]) {
      const values = new StatementValues();
      const sql = filterSql({ junction: 'and', fields }, columns, values.add) as string;
      const plan = await database.query(`EXPLAIN SELECT t.id FROM things t WHERE ${sql}`, values.all);
      expect(JSON.stringify(plan)).toContain('things_name');
    }
    await database.query(`DELETE FROM things WHERE id LIKE 'x%'`);
  });
});
