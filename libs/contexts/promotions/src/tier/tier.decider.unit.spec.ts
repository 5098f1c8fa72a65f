import type { PromotionTierEvent, PromotionTierSnapshot } from '@scrip/contracts/promotions';
import type { CheckMetadata } from '@scrip/metadata-schemas';
import { categoryFields } from '@scrip/incentives';
import { refuse } from '@scrip/kernel';
import { givenFor } from '@scrip/testing';
import { promotionCampaign } from '../campaign/promotion-campaign.fixture';
import type { TierCommand, UpdateTier } from './tier.commands';
import { decideTier, evolveTier, type TierState } from './tier.decider';
import { tierWith } from './tier.fixture';

const given = givenFor<TierCommand, TierState | undefined, PromotionTierEvent>({
  decide: decideTier,
  evolve: evolveTier,
  initialState: undefined,
});

const now = '2026-04-01T10:00:00.000Z';
const campaign = promotionCampaign('camp_1', { expiration_date: '2026-12-31T00:00:00.000Z' });
const at = { id: 'promo_1', campaign, now };
const fitsAll: CheckMetadata = () => null;

const event = (
  type: 'Created' | 'Updated' | 'Enabled' | 'Disabled',
  fields: Partial<PromotionTierSnapshot> = {},
): PromotionTierEvent => {
  const data = { promotion_tier: tierWith(fields), campaign };
  return { type: `PromotionTier${type}`, data } as PromotionTierEvent;
};
const created = (fields: Partial<PromotionTierSnapshot> = {}) => event('Created', fields);
const deleted: PromotionTierEvent = {
  type: 'PromotionTierDeleted',
  data: { promotion_tier: tierWith(), campaign, notify: true },
};
const update = (
  change: UpdateTier['change'],
  more: Partial<Pick<UpdateTier, 'category' | 'hierarchy' | 'check'>> = {},
): TierCommand => ({ type: 'UpdateTier', ...at, change, check: fitsAll, ...more });
const changedTo = (fields: Partial<PromotionTierSnapshot>) =>
  event('Updated', { ...fields, updated_at: now });

describe('a promotion tier (reference 04 §10)', () => {
  it('is created once', () => {
    const command: TierCommand = { type: 'CreateTier', ...at, tier: tierWith() };
    given().when(command).then(created());
    given(created()).when(command).then();
  });

  it('changes what was sent and keeps the rest', () => {
    given(created())
      .when(update({ name: 'More', banner: 'Look' }))
      .then(changedTo({ name: 'More', banner: 'Look' }));
    given(created())
      .when(update({}, { hierarchy: 4 }))
      .then(changedTo({ hierarchy: 4 }));
  });

  it('is as it was where nothing changes', () => {
    given(created())
      .when(update({ name: 'Ten percent', metadata: { colour: 'red' } }, { hierarchy: 1, category: null }))
      .then();
    const noted = { id: 'cat_1', name: 'Shop', hierarchy: 1, object: 'category' as const, created_at: now };
    given(created(categoryFields(noted)))
      .when(update({}, { category: { ...noted, hierarchy: 2 } }))
      .then();
  });

  it('merges metadata by key, and null clears them', () => {
    given(created())
      .when(update({ metadata: { size: 1 } }))
      .then(changedTo({ metadata: { colour: 'red', size: 1 } }));
    given(created())
      .when(update({ metadata: null }))
      .then(changedTo({ metadata: {} }));
  });

  it('refuses metadata that break the schema, merged ones too', () => {
    const check: CheckMetadata = (merged) =>
      'colour' in merged ? refuse('metadata_validation_failed', 'no colours') : null;
    given(created())
      .when(update({ metadata: { size: 1 } }, { check }))
      .thenRefused('metadata_validation_failed', { details: 'no colours' });
  });

  it('refuses metadata that grew too large', () => {
    given(created({ metadata: { first: 'x'.repeat(40_000) } }))
      .when(update({ metadata: { second: 'x'.repeat(30_000) } }))
      .thenRefused('invalid_payload', {
        details: 'Property .metadata should NOT be larger than 65536 bytes',
      });
  });

  it('cannot end before it begins, by the dates of its campaign too', () => {
    const start_date = '2027-01-01T00:00:00.000Z';
    given(created())
      .when(update({ start_date }))
      .thenRefused('invalid_payload', {
        details: `Property .expiration_date must not be before .start_date (${start_date})`,
      });
    given(created())
      .when(update({ start_date, expiration_date: '2027-02-01T00:00:00.000Z' }))
      .then(changedTo({ start_date, expiration_date: '2027-02-01T00:00:00.000Z' }));
  });

  it('is enabled and disabled by an actual change only', () => {
    given(created())
      .when({ type: 'EnableTier', ...at })
      .then();
    given(created())
      .when({ type: 'DisableTier', ...at })
      .then(event('Disabled', { active: false, updated_at: now }));
    given(created({ active: false }))
      .when({ type: 'DisableTier', ...at })
      .then();
    given(created({ active: false }))
      .when({ type: 'EnableTier', ...at })
      .then(event('Enabled', { updated_at: now }));
  });

  it('moves where another one takes its place', () => {
    given(created())
      .when({ type: 'MoveTier', ...at, hierarchy: 2 })
      .then(changedTo({ hierarchy: 2 }));
  });

  it('is deleted for good', () => {
    given(created())
      .when({ type: 'DeleteTier', ...at, notify: true })
      .then(deleted);
  });

  it.each<TierCommand>([
    update({ name: 'More' }),
    { type: 'EnableTier', ...at },
    { type: 'DisableTier', ...at },
    { type: 'DeleteTier', ...at, notify: true },
  ])('is not found by $type before it is created and after it was deleted', (command) => {
    const gone = {
      details: 'Cannot find promotion_tier with id promo_1',
      resourceType: 'promotion_tier',
    };
    given().when(command).thenRefused('not_found', gone);
    given(created(), deleted).when(command).thenRefused('not_found', gone);
  });
});
