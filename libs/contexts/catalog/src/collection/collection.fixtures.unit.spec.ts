import { FrozenEvents } from '@scrip/testing';
import { join } from 'node:path';
import { collectionAggregate } from './collection.aggregate';

const frozen = new FrozenEvents(join(__dirname, 'fixtures'), collectionAggregate);

test('events of each version of each type are frozen', () => {
  expect(
    frozen.problems(['ProductCollectionCreated', 'ProductCollectionUpdated', 'ProductCollectionDeleted']),
  ).toEqual([]);
});

test('stored events of a collection are read as they were meant', () => {
  expect(frozen.folded('ProductCollectionCreated', 'ProductCollectionUpdated')).toEqual({
    collection: {
      id: 'pc_1',
      name: 'Very cheap',
      type: 'AUTO_UPDATE',
      filter: { junction: 'or', price: { conditions: { $less_than: [100] } } },
      products: null,
      created_at: '2026-03-31T10:00:00.000Z',
      updated_at: '2026-04-01T10:00:00.000Z',
    },
    deleted: false,
  });
  expect(frozen.folded('ProductCollectionCreated', 'ProductCollectionDeleted')).toMatchObject({
    deleted: true,
  });
});
