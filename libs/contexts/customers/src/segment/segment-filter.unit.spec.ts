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

test.each(segmentFilterSpec.fields.map((field) => [field]))(
  'conditions on %s name what they read',
  (field) => {
    const fields = { [field.replace('*', 'a')]: { $has_value: [] } };
    const sql = segmentFilterSql(storedFilter({ junction: 'and', fields }), at, () => '$1');
    const [member, ...others] = membersRead(sql as string);
    expect(others).toEqual([]);
    expect(member).toBe(
      { city: 'address', 'loyalty_points.campaigns.*': 'loyalty' }[field] ?? field.split('.')[0],
    );
  },
);
