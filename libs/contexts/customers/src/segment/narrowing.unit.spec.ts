import { narrowingOfAny, narrowingSql } from './narrowing';

const narrowed = (filter: Record<string, unknown>): { sql: string | null; values: unknown[] } => {
  const values: unknown[] = [];
  const add = (value: unknown): string => `$${values.push(value)}`;
  return { sql: narrowingSql(filter, { hash: (field, value) => `${field}:${value}`, add }), values };
};

const is = (...values: unknown[]) => ({ conditions: { $is: values } });

test('a filter by values that have hashes asks for them, and for rows that have none yet', () => {
  expect(narrowed({ junction: 'and', city: is('London', 7), 'metadata.level': is('3') })).toEqual({
    sql: '(k.city_hash = ANY($1) OR k.listed IS NULL)',
    values: [['city:London', 'city:7']],
  });
  expect(narrowed({ junction: 'and', name: is('Ada'), email: { conditions: { $in: ['a@b.io'] } } })).toEqual({
    sql: '(k.name_hash = ANY($1) AND k.email_hash = ANY($2) OR k.listed IS NULL)',
    values: [['name:Ada'], ['email:a@b.io']],
  });
  expect(narrowed({ junction: 'or', name: is('Ada'), city: is('London') }).sql).toBe(
    '(k.name_hash = ANY($1) OR k.city_hash = ANY($2) OR k.listed IS NULL)',
  );
});

test.each([
  ['nothing', {}],
  ['a field without a hash', { junction: 'and', phone: is('1') }],
  ['the empty text, which has no hash', { junction: 'and', city: is('London', '') }],
  ['what a value is not', { junction: 'and', city: { conditions: { $is_not: ['London'] } } }],
  ['a part of a value', { junction: 'and', city: { conditions: { $contains: ['Lon'] } } }],
  ['a hash or something else', { junction: 'or', city: is('London'), 'metadata.level': is('3') }],
  ['a hash or no condition at all', { junction: 'or', city: is('London'), name: { conditions: {} } }],
])('a filter by %s leaves nobody out', (_, filter) => {
  expect(narrowed(filter)).toEqual({ sql: null, values: [] });
});

test('who may match any of some filters is asked for by as many hashes as is worth it', () => {
  const of = (filters: Record<string, unknown>[], most: number) => {
    const values: unknown[] = [];
    const add = (value: unknown): string => `$${values.push(value)}`;
    return narrowingOfAny(filters, { hash: (field, value) => `${field}:${value}`, add, most });
  };
  const [both, london] = [
    { junction: 'and', name: is('Ada'), email: is('a@b.io') },
    { junction: 'and', city: is('London') },
  ];
  const sql =
    '((k.name_hash = ANY($1) AND k.email_hash = ANY($2)) OR (k.city_hash = ANY($3)) OR k.listed IS NULL)';
  expect(of([both, london], 3)).toBe(sql);
  expect(of([both, london], 2)).toBeNull();
  expect(of([both, london, { junction: 'and', phone: is('1') }], 9)).toBeNull();
  expect(of([], 9)).toBeNull();
});
