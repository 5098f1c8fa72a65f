import type { RuleRow } from './rule-row.fixture';

/** The instant of which conditions that look at today are evaluated: a Tuesday, 13:00 in Warsaw. */
export const evaluatedAt = '2026-03-10T12:00:00Z';

/** A type of metadata, a condition, and a value that meets it and one that does not. */
interface TypedValue {
  readonly type: string;
  readonly definition: object | null;
  readonly property: string;
  readonly conditions: object;
  readonly met: unknown;
  readonly unmet: unknown;
}

/** Every type of metadata that may be an operand (reference 02 §2, 07 §8), with a condition that needs the type: a number is one
 *  however it is written, an instant too. */
const typed: readonly TypedValue[] = [
  {
    ...{ type: 'string', definition: { type: 'string' }, property: 'grade' },
    ...{ conditions: { $is: ['Gold'] }, met: 'Gold', unmet: 'gold' },
  },
  {
    ...{ type: 'number', definition: { type: 'number' }, property: 'size' },
    ...{ conditions: { $is: ['1.50'] }, met: 1.5, unmet: 1.51 },
  },
  {
    ...{ type: 'boolean', definition: { type: 'boolean' }, property: 'fragile' },
    ...{ conditions: { $is: [true] }, met: true, unmet: false },
  },
  {
    ...{ type: 'date', definition: { type: 'date' }, property: 'day' },
    ...{ conditions: { $before: ['2026-03-01'] }, met: '2026-02-28', unmet: '2026-03-01' },
  },
  {
    ...{ type: 'datetime', definition: { type: 'datetime' }, property: 'moment' },
    ...{ conditions: { $is: ['2026-03-10T03:30:00Z'] } },
    ...{ met: '2026-03-10T05:30:00+02:00', unmet: '2026-03-10T03:30:01Z' },
  },
  {
    ...{ type: 'image_url', definition: { type: 'image_url' }, property: 'picture' },
    ...{ conditions: { $ends_with: ['.png'] } },
    ...{ met: 'https://shop.example.com/a.png', unmet: 'https://shop.example.com/a.jpg' },
  },
  {
    ...{ type: 'list of numbers', definition: { type: 'number', array: true }, property: 'sizes' },
    ...{ conditions: { $in: ['9.0'] }, met: [9, 42], unmet: [10] },
  },
  {
    ...{ type: 'object', definition: { type: 'object', object_type: 'parcel' }, property: 'box.label' },
    ...{ conditions: { $starts_with: ['PL-'] }, met: { label: 'PL-1' }, unmet: { label: 'pl-1' } },
  },
  // Without a definition it is text: 1.5 is not 1.50.
  {
    ...{ type: 'no type', definition: null, property: 'loose' },
    ...{ conditions: { $is: ['1.50'] }, met: '1.50', unmet: 1.5 },
  },
];

const keyOf = ({ property }: TypedValue): string => property.split('.')[0]!;

/** Definitions of the schema of each kind of record. */
export const definitions: object = Object.fromEntries(
  typed.flatMap((one) => (one.definition ? [[keyOf(one), one.definition]] : [])),
);

/** Definitions of the schema that `object` is of. */
export const parcel: object = { label: { type: 'string' } };

/** Metadata that meet each condition, or none of them. */
export const metadataThat = (is: 'met' | 'unmet'): object =>
  Object.fromEntries(typed.map((one) => [keyOf(one), one[is]]));

const named = (name: string): RuleRow[] =>
  typed.map(({ property, conditions }) => ({ name, property, conditions }));

/** Each rule name about metadata with each type. */
export const metadataRules: Readonly<Record<string, readonly RuleRow[]>> = {
  ...Object.fromEntries(
    [
      'customer.metadata',
      'order.metadata',
      'order.items.metadata_any',
      'order.items.metadata_each',
      'product.metadata',
      'redemption.metadata',
    ].map((name) => [name, named(name)]),
  ),
  // No condition: every line matches.
  'order.items.metadata': [{ name: 'order.items.any', conditions: {}, below: named('order.items.metadata') }],
};

const ofOrder = (property: string, conditions: object): RuleRow => ({
  ...{ name: 'order.metadata', property, conditions },
});

/** Values that the conditions below are about. */
export const operatorValues = {
  met: {
    ...{ code: 'PL-2026', count: 10, amount: '10', colours: ['red', 'blue'] },
    ...{ last: '2026-03-07', next: '2026-03-13', evening: '2026-03-10T19:00:00Z' },
  },
  unmet: {
    ...{ code: 'US-2025', count: 20, amount: '20', colours: ['green'] },
    ...{ last: '2026-02-07', next: '2026-04-13', evening: '2026-03-12T11:00:00Z' },
  },
};

/** Each operator of reference 02 §2 once, but `$from`, which rules about lines have. */
export const operatorRules: readonly RuleRow[] = [
  ofOrder('code', { $is: ['PL-2026', 'DE-2026'] }),
  ofOrder('code', { $is_not: ['US-2025', 'US-2024'] }),
  ofOrder('code', { $in: ['PL-2026'] }),
  ofOrder('code', { $not_in: ['US-2025'] }),
  ofOrder('code', { $starts_with: ['PL-'] }),
  ofOrder('code', { $ends_with: ['-2026'] }),
  ofOrder('code', { $contains: ['L-2'] }),
  ofOrder('count', { $less_than: [11] }),
  ofOrder('count', { $less_than_or_equal: [10] }),
  ofOrder('amount', { $less_than: [11] }),
  { ...ofOrder('count', { $more_than: [9] }), verdicts: ['HOLDS', 'HOLDS'] },
  { ...ofOrder('count', { $more_than: [10] }), verdicts: ['FAILS', 'HOLDS'] },
  { ...ofOrder('count', { $more_than_or_equal: [11] }), verdicts: ['FAILS', 'HOLDS'] },
  { ...ofOrder('count', { $greater_than: [10] }), verdicts: ['FAILS', 'HOLDS'] },
  { ...ofOrder('count', { $greater_than_or_equal: [10] }), verdicts: ['HOLDS', 'HOLDS'] },
  ofOrder('colours', { $count: [2] }),
  ofOrder('colours', { $count_more: [1] }),
  { ...ofOrder('colours', { $count_less: [2] }), verdicts: ['FAILS', 'HOLDS'] },
  // A missing list counts 0, and has no element: reference 02 §2.
  { ...ofOrder('missing', { $count: [0] }), verdicts: ['HOLDS', 'HOLDS'] },
  { ...ofOrder('missing', { $not_intersect: ['red'] }), verdicts: ['HOLDS', 'HOLDS'] },
  { ...ofOrder('missing', { $is: ['red'] }), verdicts: ['FAILS', 'FAILS'] },
  ofOrder('colours', { $not_differ: ['blue', 'red'] }),
  ofOrder('colours', { $not_intersect: ['green', 'black'] }),
  ofOrder('last', { $after: ['2026-03-01'] }),
  ofOrder('next', { $before: ['2026-04-01'] }),
  ofOrder('last', { $is_days_ago: [3] }),
  ofOrder('last', { $less_than_ago: [4] }),
  { ...ofOrder('last', { $more_than_ago: [3] }), verdicts: ['FAILS', 'HOLDS'] },
  ofOrder('next', { $is_days_in_future: [3] }),
  ofOrder('next', { $less_than_future: [4] }),
  { ...ofOrder('next', { $more_than_future: [3] }), verdicts: ['FAILS', 'HOLDS'] },
  ofOrder('evening', { $timeframe: ['2026-03-09T18:30:00Z;P1D;PT1H'] }),
  ofOrder('evening', { $timeframe_absolute: ['2026-03-10T19:00:00Z;2026-03-10T19:00:00Z'] }),
  // 20:00 in Warsaw, Tuesday.
  ofOrder('evening', { $timeframe_daily_hours: ['18:00;20:01;2,3'] }),
  ofOrder('evening', { $dow: [2] }),
];
