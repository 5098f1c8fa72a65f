import { isRefused } from '@scrip/kernel';
import { createDatabase } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { type FilterColumns, type Filters, StatementValues, filterSql } from './index';

/** A Tuesday. The instants of the rows lie on the days named in Warsaw, two hours ahead of UTC. */
const calendar = { today: '2026-03-31', zone: 'Europe/Warsaw' };

const columns: FilterColumns = {
  at: { kind: 'instant', sql: 't.at', calendar },
  born: { kind: 'day', sql: 't.born', calendar },
  'doc.*': { kind: 'members', sql: 't.doc', calendar },
  'doc.nested.*': { kind: 'members', sql: `t.doc->'nested'`, calendar },
  plain: { kind: 'instant', sql: 't.at' },
};

const rows: Record<string, { at: string; born: string; doc: object }> = {
  // yesterday in UTC, today in Warsaw
  a: { at: '2026-03-30T22:30:00Z', born: '1990-03-31', doc: { n: 5, day: '2026-03-31', tags: ['x', 'y'] } },
  b: {
    at: '2026-03-30T10:00:00Z',
    born: '1996-02-29',
    doc: { n: '7.5', day: '2026-03-30T23:00:00Z', tags: [] },
  },
  c: { at: '2026-03-01T10:00:00Z', born: '2000-04-02', doc: { n: 'many', day: 'soon', tags: ['x'] } },
  d: {
    at: '2026-04-05T10:00:00Z',
    born: '2025-12-30',
    doc: { n: [1, 9], day: ['2026-04-05'], nested: { deep: { n: 3 } } },
  },
  e: { at: '2025-04-05T10:00:00Z', born: '2026-05-05', doc: { n: null, day: '2026-02-30', tags: 'x' } },
};

describe('a filter by days', () => {
  let database: DataSource;

  beforeAll(async () => {
    database = new DataSource({ type: 'postgres', url: await createDatabase('calendar_filters') });
    await database.initialize();
    await database.query('CREATE TABLE things (id text PRIMARY KEY, at timestamptz, born date, doc jsonb)');
    for (const [id, { at, born, doc }] of Object.entries(rows))
      await database.query('INSERT INTO things VALUES ($1, $2, $3, $4)', [id, at, born, doc]);
    await database.query(`INSERT INTO things VALUES ('z')`);
  });
  afterAll(() => database?.destroy());

  const conditionOf = (field: string, operator: string, value: unknown, add: StatementValues['add']) => {
    const fields: Filters['fields'] = { [field]: { [operator]: Array.isArray(value) ? value : [value] } };
    return filterSql({ junction: 'and', fields }, columns, add);
  };
  const found = async (field: string, operator: string, value: unknown): Promise<string> => {
    const values = new StatementValues();
    const sql = conditionOf(field, operator, value, values.add);
    if (isRefused(sql)) throw new Error(sql.details);
    const matching = await database.query<{ id: string }[]>(
      `SELECT t.id FROM things t WHERE ${sql} ORDER BY t.id`,
      values.all,
    );
    return matching.map(({ id }) => id).join('');
  };

  test.each<[string, string, unknown, string]>([
    ['at', '$is_days_ago', 0, 'a'],
    ['at', '$is_days_ago', '1', 'b'],
    ['at', '$is_days_ago', [0, 30], 'ac'],
    ['at', '$is_days_in_future', 5, 'd'],
    ['at', '$more_than_ago', 1, 'ce'],
    ['at', '$less_than_ago', 1, 'a'],
    ['at', '$less_than_ago', 2, 'ab'],
    ['at', '$more_than', 30, 'e'],
    ['at', '$more_than_equal', 30, 'ce'],
    ['at', '$less_than', 30, 'ab'],
    ['at', '$less_than_equal', 30, 'abc'],
    ['at', '$more_than_future', 4, 'd'],
    ['at', '$more_than_future', 5, ''],
    ['at', '$less_than_future', 5, 'a'],
    ['at', '$less_than_future', 6, 'ad'],
    ['at', '$today', true, 'a'],
    ['at', '$yesterday', true, 'b'],
    ['at', '$tomorrow', true, ''],
    ['at', '$this_week', true, 'abd'],
    ['at', '$last_week', true, ''],
    ['at', '$next_week', true, ''],
    ['at', '$this_month', true, 'abc'],
    ['at', '$last_month', true, ''],
    ['at', '$next_month', true, 'd'],
    ['at', '$this_year', true, 'abcd'],
    ['at', '$last_year', true, 'e'],
    ['at', '$next_year', true, ''],
    ['at', '$is_years_ago', 0, 'a'],
    ['at', '$is_year', [2025, 9999], 'e'],
    ['at', '$is_year', 1, ''],
    ['at', '$is_year', 2026, 'abcd'],
    ['at', '$is_month', 'April', 'de'],
    ['at', '$next_month_md', true, 'de'],
    ['at', '$after', '2026-03-30', 'abd'],
    ['at', '$is_unknown', true, 'z'],
    ['born', '$is', '1990-03-31', 'a'],
    ['born', '$is_not', '1990-03-31', 'bcdez'],
    ['born', '$before', '1996-02-29', 'a'],
    ['born', '$is_years_ago', 36, 'a'],
    ['born', '$is_years_ago', 35, ''],
    ['born', '$today_md', true, 'a'],
    ['born', '$tomorrow_md', true, ''],
    ['born', '$this_week_md', true, 'ac'],
    ['born', '$this_month_md', true, 'a'],
    ['born', '$last_month_md', true, 'b'],
    ['born', '$next_month_md', true, 'c'],
    ['born', '$this_year_md', true, 'abcde'],
    ['born', '$is_days_ago_md', 0, 'a'],
    // 29 February is the 28th in a year without it.
    ['born', '$is_days_ago_md', 31, 'b'],
    ['born', '$is_days_in_future_md', 2, 'c'],
    ['born', '$is_days_ago_md', 91, 'd'],
    ['born', '$more_than_ago_md', 90, 'cde'],
    ['born', '$is_more_days_ago_md', 91, 'ce'],
    ['born', '$less_than_ago_md', 32, 'ab'],
    ['born', '$is_less_days_ago_md', 31, 'a'],
    ['born', '$more_than_future_md', 35, 'bd'],
    ['born', '$is_more_days_in_future_md', 34, 'bde'],
    ['born', '$less_than_future_md', 3, 'ac'],
    ['born', '$is_less_days_in_future_md', 2, 'a'],
    ['born', '$is_day', 'tuesday', 'de'],
    ['born', '$is_day', 6, 'a'],
    ['born', '$is_month', 'March', 'a'],
    ['born', '$is_month', [2, 12], 'bd'],
    ['born', '$is_year', 2000, 'c'],
    ['born', '$is_day_of_month', 31, 'a'],
    ['born', '$is_day_of_month', 29, 'b'],
    ['doc.n', '$more_than', 5, 'bd'],
    ['doc.n', '$more_than_equal', '5', 'abd'],
    ['doc.n', '$less_than', 6, 'ad'],
    ['doc.n', '$is', 'many', 'c'],
    ['doc.n', '$is_unknown', true, 'ez'],
    ['doc.nested.deep.n', '$less_than_equal', 3, 'd'],
    ['doc.day', '$today', true, 'ab'],
    ['doc.day', '$is_days_in_future', 5, 'd'],
    ['doc.day', '$after', '2026-03-30', 'abd'],
    ['doc.day', '$before', '2026-03-31', 'b'],
    ['doc.tags', '$count', 1, 'ce'],
    ['doc.tags', '$count', [0, 2], 'abdz'],
    ['doc.tags', '$count_more', 1, 'a'],
    ['doc.tags', '$count_less', 1, 'bdz'],
    ['doc.tags', '$is_not', 'x', 'bdz'],
  ])('%s %s %j finds %s', async (field, operator, value, ids) => {
    expect(await found(field, operator, value)).toBe(ids);
  });

  test.each<[string, string, unknown, string]>([
    ['at', '$is_days_ago', 'ten', '.$is_days_ago must be integer from 0 to 36525'],
    ['at', '$more_than', -1, '.$more_than must be integer from 0 to 36525'],
    ['born', '$is_years_ago', 1_001, '.$is_years_ago must be integer from 0 to 1000'],
    ['born', '$is_day_of_month', 32, '.$is_day_of_month must be integer from 1 to 31'],
    ['born', '$is_year', 0, '.$is_year must be integer from 1 to 9999'],
    [
      'born',
      '$is_day',
      7,
      '.$is_day must be integer from 0 to 6, or one of [ sunday, monday, tuesday, wednesday, thursday, friday, saturday ]',
    ],
    [
      'born',
      '$is_month',
      'brumaire',
      '.$is_month must be integer from 1 to 12, or one of [ january, february, march, april, may, june, july, august, september, october, november, december ]',
    ],
    [
      'born',
      '$is',
      'x',
      '.$is cannot be recognized as a ISO-8601 compliant date: write 2026-03-31 or 2026-03-31T10:00:00Z, other offsets as +02:00',
    ],
    [
      'doc.n',
      '$more_than',
      'x',
      '.$more_than must be number, with at most 18 digits before and 18 after the point',
    ],
    ['doc.tags', '$count', 'x', '.$count must be integer from 0 to 10000'],
    [
      'plain',
      '$today',
      true,
      ' has an operator that its field does not have. Operators should be equal to one of the allowed values [ $is, $is_not, $in, $not_in, $has_value, $is_unknown, $after, $before ]',
    ],
  ])('%s %s %j is refused, and the refusal says what fits', (field, operator, value, problem) => {
    expect(conditionOf(field, operator, value, new StatementValues().add)).toEqual({
      refused: 'invalid_query_params',
      details: `Property .filters.${field}.conditions${problem}`,
    });
  });
});
