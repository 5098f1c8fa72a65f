import type { PromotionStackEvent, PromotionStackSnapshot } from '@scrip/contracts/promotions';
import { givenFor } from '@scrip/testing';
import { promotionCampaign } from '../campaign/promotion-campaign.fixture';
import type { StackCommand, UpdateStack } from './stack.commands';
import { decideStack, evolveStack, type StackState } from './stack.decider';
import { stackWith } from './stack.fixture';

const given = givenFor<StackCommand, StackState | undefined, PromotionStackEvent>({
  decide: decideStack,
  evolve: evolveStack,
  initialState: undefined,
});

const now = '2026-04-01T10:00:00.000Z';
const campaign = promotionCampaign('camp_1');
const at = { id: 'stack_1', campaign, now };
const category = {
  id: 'cat_1',
  name: 'Weekdays',
  hierarchy: 1,
  object: 'category' as const,
  created_at: '2026-03-31T09:00:00.000Z',
};

const event = (
  type: 'Created' | 'Updated' | 'Deleted',
  fields: Partial<PromotionStackSnapshot> = {},
): PromotionStackEvent => ({
  type: `PromotionStack${type}`,
  data: { promotion_stack: stackWith(fields), campaign },
});
const created = (fields: Partial<PromotionStackSnapshot> = {}) => event('Created', fields);
const changedTo = (fields: Partial<PromotionStackSnapshot>) =>
  event('Updated', { ...fields, updated_at: now });
const update = (
  change: UpdateStack['change'],
  more: Partial<Pick<UpdateStack, 'category'>> = {},
): StackCommand => ({ type: 'UpdateStack', ...at, change, ...more });
const drop = (tier_id: string): StackCommand => ({ type: 'DropTier', ...at, tier_id });

describe('a promotion stack (reference 04 §10)', () => {
  it('is created once', () => {
    const command: StackCommand = { type: 'CreateStack', ...at, stack: stackWith() };
    given().when(command).then(created());
    given(created()).when(command).then();
  });

  it('changes what was sent and keeps the rest', () => {
    given(created())
      .when(update({ name: 'Brunch' }))
      .then(changedTo({ name: 'Brunch' }));
    given(created())
      .when(update({ tier_ids: ['promo_3'] }, { category }))
      .then(
        changedTo({
          tier_ids: ['promo_3'],
          category_id: 'cat_1',
          category: 'Weekdays',
          categories: [category],
        }),
      );
    given(created({ category_id: 'cat_1', category: 'Weekdays', categories: [category] }))
      .when(update({}, { category: null }))
      .then(changedTo({}));
  });

  it('changes by the order of its tiers alone', () => {
    given(created())
      .when(update({ tier_ids: ['promo_1', 'promo_2'] }))
      .then(changedTo({ tier_ids: ['promo_1', 'promo_2'] }));
  });

  it('is as it was where nothing changes', () => {
    given(created())
      .when(update({ name: 'Breakfast', tier_ids: ['promo_2', 'promo_1'] }, { category: null }))
      .then();
    given(created({ category_id: 'cat_1', category: 'Weekdays', categories: [category] }))
      .when(update({}, { category: { ...category, hierarchy: 2 } }))
      .then();
  });

  it('loses a tier that is deleted, and keeps the order of the others', () => {
    given(created({ tier_ids: ['promo_3', 'promo_2', 'promo_1'] }))
      .when(drop('promo_2'))
      .then(changedTo({ tier_ids: ['promo_3', 'promo_1'] }));
    given(created()).when(drop('promo_9')).then();
  });

  it('goes with its last tier', () => {
    const last = { tier_ids: ['promo_1'] };
    given(created(last)).when(drop('promo_1')).then(event('Deleted', last));
  });

  it('is deleted for good', () => {
    given(created())
      .when({ type: 'DeleteStack', ...at })
      .then(event('Deleted'));
  });

  it.each<StackCommand>([update({ name: 'Brunch' }), drop('promo_1'), { type: 'DeleteStack', ...at }])(
    'is unknown before it is created and after it is deleted: $type',
    (command) => {
      given().when(command).thenRefused('not_found');
      given(created(), event('Deleted'))
        .when(command)
        .thenRefused('not_found', { details: 'Cannot find promotion_stack with id stack_1' });
    },
  );

  it('is not created again once it is deleted', () => {
    given(created(), event('Deleted'))
      .when({ type: 'CreateStack', ...at, stack: stackWith() })
      .then();
  });

  it('begins with its creation', () => {
    expect(evolveStack(undefined, event('Updated'))).toBeUndefined();
    expect(evolveStack(undefined, event('Deleted'))).toBeUndefined();
  });
});
