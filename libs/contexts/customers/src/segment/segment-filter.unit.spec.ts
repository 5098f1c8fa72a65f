import { storedFilter } from '@scrip/list-query';
import { projectOf } from '@scrip/testing';
import { membersRead, segmentFilterSpec, segmentFilterSql } from './segment-filter';

const project = projectOf({ timezone: 'Europe/Warsaw' });
const now = new Date('2026-03-31T10:00:00.000Z');
const at = { project, now, typeOf: () => undefined };

test('a filter is stored as it will be shown, and read as it was stored', () => {
  const stored = storedFilter({ junction: 'or', fields: { city: { $is: ['London'] } } });
  expect(stored).toEqual({ junction: 'or', city: { conditions: { $is: ['London'] } } });
  const values: unknown[] = [];
  expect(segmentFilterSql(stored, at, (value) => `$${values.push(value)}`)).toBe(
    `(((c.doc->'address'->>'city') = $1::text))`,
  );
  expect(values).toEqual(['London']);
});

test.each([
  [
    'name',
    '$more_than',
    3,
    /^Property \.filter\.name\.conditions has an operator that its field does not have/,
  ],
  [
    'created_at',
    '$is_days_ago',
    'x',
    /^Property \.filter\.created_at\.conditions\.\$is_days_ago must be integer/,
  ],
  ['metadata.a', '$count', -1, /^Property \.filter\.metadata\.a\.conditions\.\$count must be integer/],
])('%s %s %j is refused', (field, operator, value, details) => {
  const filter = { junction: 'and', [field]: { conditions: { [operator]: [value] } } };
  expect(segmentFilterSql(filter, at, () => '$1')).toEqual({
    refused: 'invalid_payload',
    details: expect.stringMatching(details),
  });
});

const subquery =
  /\(SELECT true FROM customer_(publications|published_objects) p WHERE p.project_id = \$\d+ AND p.customer_id = c.id AND (.+?) LIMIT 1\)/g;

test.each([
  [
    'and',
    '(((published_objects: p.object_id = $2::text) IS NOT TRUE) AND published_objects: (p.published_at > $1::timestamptz) AND (p.object_id LIKE $4::text))',
  ],
  [
    'or',
    '((publications: (p.published_at > $1::timestamptz)) OR ((published_objects: p.object_id = $3::text) IS NOT TRUE AND published_objects: (p.object_id LIKE $5::text)))',
  ],
] as const)('publications are asked by %s for one that fits, and for none', (junction, expected) => {
  const filter = storedFilter({
    junction,
    fields: {
      'publications.created_at': { $after: ['2026-03-01T00:00:00Z'] },
      'publications.related_object_id': { $is_not: ['v_1'], $starts_with: ['camp_'] },
    },
  });
  const values: unknown[] = [];
  const sql = segmentFilterSql(filter, at, (value) => `$${values.push(value)}`);
  expect(String(sql).replaceAll(/\s+/g, ' ').replaceAll(subquery, '$1: $2')).toBe(expected);
});

test.each(
  segmentFilterSpec.fields.filter((field) => !field.startsWith('publications.')).map((field) => [field]),
)('conditions on %s name what they read', (field) => {
  const fields = { [field.replace('*', 'a')]: { $has_value: [] } };
  const sql = segmentFilterSql(storedFilter({ junction: 'and', fields }), at, () => '$1');
  const [member, ...others] = membersRead(sql as string);
  expect(others).toEqual([]);
  expect(member).toBe(
    { city: 'address', 'loyalty_points.campaigns.*': 'loyalty' }[field] ?? field.split('.')[0],
  );
});
