import type {
  CampaignOfTier,
  PromotionTierSnapshot,
  RedeemedTier,
  TierSums,
} from '@scrip/contracts/promotions';
import { noAssignments, type RuleAssignmentsResponse } from '../qualification/assignment.wire';

/** What a tier shows of its campaign: what limits it too. */
const campaignOfTier = (campaign: CampaignOfTier) => ({
  id: campaign.id,
  start_date: campaign.start_date,
  expiration_date: campaign.expiration_date,
  validity_timeframe: campaign.validity_timeframe,
  validity_day_of_week: campaign.validity_day_of_week,
  validity_hours: campaign.validity_hours,
  active: campaign.active,
  category_id: campaign.category_id,
  object: 'campaign' as const,
});

/** What `campaignOfTier` makes. */
export type CampaignOfTierResponse = ReturnType<typeof campaignOfTier>;

const nothing: TierSums = { redemptions: 0, total_amount: 0, total_discount_amount: 0 };

/** What the redemptions of a tier add up to. Source: reference 04 §10. */
const summaryOf = ({ redemptions, total_amount, total_discount_amount }: TierSums) => ({
  redemptions: { total_redeemed: redemptions },
  orders: { total_amount, total_discount_amount },
});

/** What `summaryOf` makes. */
export type TierSummaryResponse = ReturnType<typeof summaryOf>;

/** A tier as the API shows it, with its rules; `sums`: nothing where events tell of it, which do not carry them. An unset banner is absent, other unset fields are null. Source: reference 04
 *  §10. */
export const renderTier = (
  tier: PromotionTierSnapshot,
  campaign: CampaignOfTier,
  assignments = noAssignments(),
  sums = nothing,
) => ({
  id: tier.id,
  created_at: tier.created_at,
  updated_at: tier.updated_at,
  name: tier.name,
  ...(tier.banner === null ? {} : { banner: tier.banner }),
  action: { discount: tier.discount },
  metadata: tier.metadata,
  hierarchy: tier.hierarchy,
  promotion_id: tier.campaign_id,
  campaign: campaignOfTier(campaign),
  campaign_id: tier.campaign_id,
  active: tier.active,
  start_date: tier.start_date,
  expiration_date: tier.expiration_date,
  validity_timeframe: tier.validity_timeframe,
  validity_day_of_week: tier.validity_day_of_week,
  validity_hours: tier.validity_hours,
  summary: summaryOf(sums),
  validation_rule_assignments: assignments,
  category: tier.category,
  category_id: tier.category_id,
  categories: tier.categories,
  object: 'promotion_tier' as const,
});

/** What `renderTier` makes. */
export type PromotionTierResponse = ReturnType<typeof renderTier>;

/** A tier as a redemption shows it: as it was redeemed, without its `summary`. Source: reference 03 §7. */
export const renderRedeemedTier = ({ campaign, ...tier }: RedeemedTier) => {
  const { summary: _, ...shown } = renderTier(tier, campaign);
  return shown;
};

/** What `renderRedeemedTier` makes. */
export type RedeemedTierResponse = ReturnType<typeof renderRedeemedTier>;

/** A tier as browsers see it, which are anybody: without what the shop notes and counts. Source: ADR 124. */
export const renderTierToBrowser = (
  tier: PromotionTierSnapshot,
  campaign: CampaignOfTier,
  assignments = noAssignments(),
): PromotionTierResponse => renderTier({ ...tier, metadata: {} }, campaign, assignments);

/** Tiers of a campaign, and how many it has. `assignmentsOf`: the rules of a tier, by its id; `sums`: of those that were redeemed. */
export const renderTiers = (
  tiers: readonly PromotionTierSnapshot[],
  total: number,
  campaign: CampaignOfTier,
  assignmentsOf: (id: string) => RuleAssignmentsResponse = noAssignments,
  sums: Readonly<Record<string, TierSums>> = {},
) => ({
  object: 'list' as const,
  data_ref: 'tiers' as const,
  tiers: tiers.map((tier) => renderTier(tier, campaign, assignmentsOf(tier.id), sums[tier.id])),
  total,
  has_more: tiers.length < total,
});

/** What `renderTiers` makes. */
export type PromotionTiersResponse = ReturnType<typeof renderTiers>;
