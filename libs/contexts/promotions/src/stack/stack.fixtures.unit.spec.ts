import { FrozenEvents } from '@scrip/testing';
import { join } from 'node:path';
import { stackAggregate } from './stack.aggregate';

const frozen = new FrozenEvents(join(__dirname, 'fixtures'), stackAggregate);

test('events of each version of each type are frozen', () => {
  expect(
    frozen.problems(['PromotionStackCreated', 'PromotionStackUpdated', 'PromotionStackDeleted']),
  ).toEqual([]);
});

test('stored events of a stack are read as they were meant', () => {
  expect(frozen.folded('PromotionStackCreated')).toMatchObject({
    stack: {
      id: 'stack_1',
      campaign_id: 'camp_1',
      name: 'Breakfast',
      tier_ids: ['promo_2', 'promo_1'],
      category: 'Weekdays',
      updated_at: null,
    },
    deleted: false,
  });
  expect(frozen.folded('PromotionStackCreated', 'PromotionStackUpdated')).toMatchObject({
    stack: { name: 'Brunch', tier_ids: ['promo_2'], category: null, updated_at: '2026-04-01T10:00:00.000Z' },
    deleted: false,
  });
  expect(frozen.folded('PromotionStackCreated', 'PromotionStackDeleted')).toMatchObject({
    stack: { name: 'Brunch' },
    deleted: true,
  });
});
