import type { PromotionTierEvent, PromotionTierSnapshot } from '@scrip/contracts/promotions';
import { changedCategory, tierLimitsMustBeSound } from '@scrip/incentives';
import { isRefused, type Refusal } from '@scrip/kernel';
import { metadataMustFit } from '@scrip/metadata-schemas';
import { isDeepStrictEqual } from 'node:util';
import { type PromotionsRefusal, tierNotFound } from '../promotions.refusals';
import type { TierCommand, UpdateTier } from './tier.commands';

/** A tier as its stream tells it; a deleted one keeps what it was. */
export interface TierState {
  tier: PromotionTierSnapshot;
  deleted: boolean;
}

const metadataOf = (
  stored: PromotionTierSnapshot['metadata'],
  { change: { metadata: sent }, check }: UpdateTier,
): PromotionTierSnapshot['metadata'] | Refusal<'invalid_payload' | 'metadata_validation_failed'> => {
  if (sent === undefined) return stored;
  const merged = sent === null ? {} : { ...stored, ...sent };
  return metadataMustFit(merged) ?? check(merged, sent ?? {}) ?? merged;
};

/** The tier with what was sent over it; null where that changes nothing. */
const changed = (
  stored: PromotionTierSnapshot,
  command: UpdateTier,
): PromotionTierSnapshot | null | PromotionsRefusal => {
  const metadata = metadataOf(stored.metadata, command);
  if (isRefused(metadata)) return metadata as PromotionsRefusal;
  const { change, category, hierarchy = stored.hierarchy, campaign, now } = command;
  const next: PromotionTierSnapshot = {
    ...stored,
    ...change,
    metadata,
    hierarchy,
    ...(category === undefined ? {} : changedCategory(stored, category)),
  };
  if (isDeepStrictEqual(next, stored)) return null;
  return tierLimitsMustBeSound(next, campaign) ?? { ...next, updated_at: now };
};

/** A repeated creation, and what changes nothing, append nothing. Refuses `not_found`, `invalid_payload` for limits that cannot
 *  be and metadata that grew too large, and `metadata_validation_failed`. Source: reference 04 §10. */
export const decideTier = (
  command: TierCommand,
  state: TierState | undefined,
): PromotionTierEvent[] | PromotionsRefusal => {
  const { campaign, now } = command;
  if (command.type === 'CreateTier')
    return state ? [] : [{ type: 'PromotionTierCreated', data: { promotion_tier: command.tier, campaign } }];
  if (!state || state.deleted) return tierNotFound(command.id);
  const { tier } = state;
  switch (command.type) {
    case 'UpdateTier': {
      const promotion_tier = changed(tier, command);
      if (isRefused(promotion_tier)) return promotion_tier;
      return promotion_tier ? [{ type: 'PromotionTierUpdated', data: { promotion_tier, campaign } }] : [];
    }
    case 'MoveTier': {
      const promotion_tier = { ...tier, hierarchy: command.hierarchy, updated_at: now };
      return [{ type: 'PromotionTierUpdated', data: { promotion_tier, campaign } }];
    }
    case 'EnableTier': {
      if (tier.active) return [];
      const promotion_tier = { ...tier, active: true, updated_at: now };
      return [{ type: 'PromotionTierEnabled', data: { promotion_tier, campaign } }];
    }
    case 'DisableTier': {
      if (!tier.active) return [];
      const promotion_tier = { ...tier, active: false, updated_at: now };
      return [{ type: 'PromotionTierDisabled', data: { promotion_tier, campaign } }];
    }
    case 'DeleteTier':
      return [
        { type: 'PromotionTierDeleted', data: { promotion_tier: tier, campaign, notify: command.notify } },
      ];
    default:
      return command satisfies never;
  }
};

/** Copies what events say. Total: returns undefined for events before the first one, never throws or decides. */
export const evolveTier = (
  state: TierState | undefined,
  event: PromotionTierEvent,
): TierState | undefined => {
  const { promotion_tier: tier } = event.data;
  switch (event.type) {
    case 'PromotionTierCreated':
      return { tier, deleted: false };
    case 'PromotionTierUpdated':
    case 'PromotionTierEnabled':
    case 'PromotionTierDisabled':
      return state && { ...state, tier };
    case 'PromotionTierDeleted':
      return state && { tier, deleted: true };
    default:
      return event satisfies never;
  }
};
