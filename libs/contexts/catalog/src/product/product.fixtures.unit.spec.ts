import { FrozenEvents } from '@scrip/testing';
import { join } from 'node:path';
import { productAggregate } from './product.aggregate';
import { productSnapshot } from './product.fixture';

const stored = new FrozenEvents(join(__dirname, 'fixtures'), productAggregate);
const changed = productSnapshot({ price: 2_300, updated_at: '2026-04-01T10:00:00.000Z' });

test('events of each version of each type are frozen', () => {
  expect(
    stored.problems([
      'ProductCreated',
      'ProductUpdated',
      'ProductAttributesDropped',
      'ProductDeleted',
      'ProductPurged',
      'SkuCreated',
      'SkuUpdated',
      'SkuDeleted',
      'SkuPurged',
    ]),
  ).toEqual([]);
});

test('stored events of a product are read as they were meant', () => {
  expect(
    stored.folded(
      'ProductCreated',
      'SkuCreated',
      'SkuUpdated',
      'ProductUpdated',
      'ProductAttributesDropped',
      'SkuDeleted',
    ),
  ).toEqual({ status: 'LIVE', product: changed, name_shared: false });
  expect(stored.folded('ProductCreated', 'ProductUpdated', 'ProductDeleted')).toEqual({
    status: 'BINNED',
    product: changed,
    deleted_at: '2026-04-02T10:00:00.000Z',
  });
  expect(stored.folded('ProductCreated', 'ProductDeleted', 'SkuPurged', 'ProductPurged')).toEqual({
    status: 'ERASED',
  });
});
