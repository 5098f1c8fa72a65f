import type { PromotionStackSnapshot, RedeemableStack, RedeemableTier } from '@scrip/contracts/promotions';
import type { CategorySnapshot } from '@scrip/contracts/snapshot';
import { tierUsableAt } from '@scrip/vouchers';
import type { RedeemableKind, StackKind } from './redeemable-kind';

/** A tier, and the stack that it was asked for with. */
export type RequestedTier = RedeemableTier & { promotion_stack?: PromotionStackSnapshot };

/** Those of the stack, else its own, else its campaign's. Source: reference 01 §10. */
const categoriesOf = ({ promotion_tier, campaign, promotion_stack }: RequestedTier): CategorySnapshot[] =>
  [promotion_stack, promotion_tier, campaign].find((one) => one && one.categories.length > 0)?.categories ??
  [];

/** Promotion tiers. Nothing of them is claimed: their limits are counters. Source: reference 03 §4.3, architecture §8 step 2. */
export const tierKind: RedeemableKind<RequestedTier> = {
  object: 'promotion_tier',
  idPrefix: 'promo_',
  participant: 'promotions',
  calculable: (requested) => {
    const { id, discount, metadata, start_date, expiration_date } = requested.promotion_tier;
    return {
      id,
      incentive: discount && { discount },
      categories: categoriesOf(requested),
      facts: {
        redeemableMetadata: metadata,
        promotionTier: { startDate: start_date, expirationDate: expiration_date },
      },
    };
  },
  unusable: ({ promotion_tier, campaign }, { now, timezone }) =>
    tierUsableAt(promotion_tier, campaign, now, timezone),
  asks: () => null,
  describe: (requested) => {
    const { promotion_tier: tier, campaign, promotion_stack: stack } = requested;
    const { id, name, start_date, expiration_date, active, category_id } = campaign;
    const { validity_timeframe, validity_day_of_week, validity_hours } = campaign;
    const windows = { validity_timeframe, validity_day_of_week, validity_hours };
    return {
      related: { type: 'promotion_tier', id: tier.id, parentId: tier.campaign_id },
      voucher: null,
      tier: { ...tier, campaign: { id, name, start_date, expiration_date, ...windows, active, category_id } },
      ...(stack ? { stack } : {}),
      name: tier.name,
      campaign,
      metadata: tier.metadata,
      campaignName: name,
      campaignId: id,
      categories: categoriesOf(requested),
    };
  },
  label: () => 'Promotion Tier',
  isHeldBy: () => false,
};

/** Stacks of tiers: they are redeemed as their tiers. Source: reference 01 §10. */
export const stackKind: StackKind<RedeemableStack> = {
  object: 'promotion_stack',
  idPrefix: 'stack_',
  participant: 'promotions',
  expand: ({ promotion_stack, campaign, tiers }) =>
    tiers.map((promotion_tier) => ({
      kind: tierKind as RedeemableKind,
      id: promotion_tier.id,
      found: { promotion_tier, campaign, promotion_stack } satisfies RequestedTier,
    })),
};
