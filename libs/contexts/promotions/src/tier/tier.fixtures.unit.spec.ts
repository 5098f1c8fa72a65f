import { FrozenEvents } from '@scrip/testing';
import { join } from 'node:path';
import { tierAggregate } from './tier.aggregate';

const frozen = new FrozenEvents(join(__dirname, 'fixtures'), tierAggregate);

test('events of each version of each type are frozen', () => {
  expect(
    frozen.problems([
      'PromotionTierCreated',
      'PromotionTierUpdated',
      'PromotionTierEnabled',
      'PromotionTierDisabled',
      'PromotionTierDeleted',
    ]),
  ).toEqual([]);
});

test('stored events of a tier are read as they were meant', () => {
  expect(frozen.folded('PromotionTierCreated', 'PromotionTierUpdated')).toMatchObject({
    tier: {
      id: 'promo_1',
      campaign_id: 'camp_1',
      name: 'Ten per cent',
      discount: { type: 'PERCENT', percent_off: 10 },
      hierarchy: 2,
      active: true,
      category: 'Weekdays',
      updated_at: '2026-04-01T10:00:00.000Z',
    },
    deleted: false,
  });
  expect(frozen.folded('PromotionTierCreated', 'PromotionTierDisabled')).toMatchObject({
    tier: { active: false },
  });
  expect(
    frozen.folded('PromotionTierCreated', 'PromotionTierDisabled', 'PromotionTierEnabled'),
  ).toMatchObject({ tier: { active: true } });
  expect(frozen.folded('PromotionTierCreated', 'PromotionTierDeleted')).toMatchObject({
    tier: { name: 'Ten percent' },
    deleted: true,
  });
});
