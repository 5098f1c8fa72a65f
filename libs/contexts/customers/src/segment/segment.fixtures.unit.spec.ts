import { FrozenEvents } from '@scrip/testing';
import { join } from 'node:path';
import { segmentAggregate } from './segment.aggregate';

const frozen = new FrozenEvents(join(__dirname, 'fixtures'), segmentAggregate);

test('events of each version of each type are frozen', () => {
  expect(
    frozen.problems([
      'SegmentCreated',
      'SegmentMembersAdded',
      'SegmentEntered',
      'SegmentLeft',
      'SegmentUpdated',
      'SegmentDeleted',
    ]),
  ).toEqual([]);
});

test('stored events of a segment are read as they were meant', () => {
  expect(
    frozen.folded('SegmentCreated', 'SegmentMembersAdded', 'SegmentEntered', 'SegmentLeft', 'SegmentUpdated'),
  ).toEqual({
    segment: {
      id: 'seg_1',
      name: 'Customers in London',
      type: 'passive',
      filter: { junction: 'or', city: { conditions: { $is: ['London'] } } },
      created_at: '2026-03-31T10:00:00.000Z',
      updated_at: '2026-04-01T10:00:00.000Z',
    },
    deleted: false,
  });
  expect(frozen.folded('SegmentCreated', 'SegmentDeleted')).toMatchObject({ deleted: true });
});
