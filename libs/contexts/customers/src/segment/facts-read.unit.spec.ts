import { projectOf } from '@scrip/testing';
import { factsRead } from './facts-read';

const at = { project: projectOf({}), now: new Date('2026-03-31T10:00:00.000Z'), typeOf: () => undefined };
const has = { conditions: { $has_value: [] } };

test.each([
  ['nothing', [{}], {}],
  ['when customers were created and changed', [{ created_at: has, updated_at: has }], {}],
  ['their orders', [{ 'summary.orders.total_count': has }], { sums: true }],
  ['their points', [{ 'loyalty_points.campaigns.Gold.points': has }], { sums: true }],
  ['their metadata', [{ 'metadata.level': has }], { profile: true }],
  ['what was published for them', [{ 'publications.related_object_id': has }], { publications: true }],
  ['when it was', [{ 'publications.created_at': has }], { publications: true }],
  ['a field each', [{ city: has }, { 'summary.orders.total_count': has }], { profile: true, sums: true }],
])('filters that read %s', (_, filters, facts) => {
  expect(
    factsRead(
      filters.map((filter) => ({ filter })),
      at,
    ),
  ).toEqual({ profile: false, sums: false, publications: false, ...facts });
});
