import type { SegmentSnapshot } from '@scrip/contracts/customers';
import { segmentsTogether } from './segment-matching';

const segment = (id: string, length: number): SegmentSnapshot => ({
  id,
  name: id,
  type: 'passive',
  filter: { name: 'x'.repeat(length) },
  created_at: '2026-03-31T10:00:00.000Z',
  updated_at: null,
});

test('segments are tested together as far as their filters are short, a long one alone', () => {
  const segments = [
    segment('a', 10),
    segment('b', 10),
    segment('c', 70_000),
    segment('d', 40_000),
    segment('e', 40_000),
  ];
  const ids = segmentsTogether(segments).map((chunk) => chunk.map(({ id }) => id));
  expect(ids).toEqual([['a', 'b'], ['c'], ['d'], ['e']]);
  expect(segmentsTogether([])).toEqual([]);
});
