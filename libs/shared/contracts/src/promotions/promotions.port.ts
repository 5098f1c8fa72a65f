import { definePort, type Refusal, type RequestContext } from '@scrip/kernel';
import type { CampaignSnapshot } from '../campaigns/campaign.snapshot';
import type { RedeemableSource } from '../claims';
import type { RuleDefinition } from '../qualification/rule.events';
import { ruledObjectsMethods, type RuledObjectsPort } from '../qualification/ruled-objects.port';
import type { CategorySnapshot, Instant } from '../snapshot';
import type { PromotionTierFields, PromotionTierSnapshot } from './promotion-tier.snapshot';
import type { RedeemablePromotion } from './redeemable-promotion';

/** A promotion campaign as its owner has it. */
export interface PromotionCampaign {
  campaign: CampaignSnapshot;
  /** Of its stream, and the epoch in which that version was committed. */
  version: number;
  epoch: number;
  /** What it was created with. */
  tiers: PromotionTierSnapshot[];
}

/** A promotion campaign after a change. `deleted_at`: null while it is there. */
export interface ChangedCampaign extends Omit<PromotionCampaign, 'tiers'> {
  deleted_at: Instant | null;
}

/** The first tiers of a campaign by their places. */
export interface TiersOfCampaign {
  campaign_id: string;
  tiers: PromotionTierSnapshot[];
  /** Of those tiers that were redeemed, by their ids. */
  sums?: Record<string, TierSums>;
  /** All that it has. */
  total: number;
}

/** What the redemptions of a tier add up to, rolled back or not. Amounts: minor units. Source: reference 04 §10. */
export interface TierSums {
  redemptions: number;
  /** Of the orders, as the tier left them. */
  total_amount: number;
  /** What the tier took off. */
  total_discount_amount: number;
}

/** How many tiers of one campaign `listTiers` returns at most. */
export const tiersShown = 100;

/** How many bytes of JSON the tiers of all campaigns in an answer of `listTiers` have together at most, about. */
export const tierBytesShown = 524_288;

/** Which tiers `newestTiers` looks for. */
export interface TiersWanted {
  filters: { junction: 'and' | 'or'; fields: Record<string, Record<string, readonly unknown[]>> };
  limit: number;
}

/** A tier to create. */
export interface NewPromotionTier {
  /** `promo_…`, which the caller chose; with `made` it gets another one where its creation was given up before. */
  id: string;
  /** Rules that are created with it. */
  made: RuleDefinition[];
  /** Id or name of its campaign. */
  campaign: string;
  fields: PromotionTierFields;
  category: CategorySnapshot | null;
  /** The place that it wants; null: the last one. */
  hierarchy: number | null;
}

/** What other contexts may ask of promotions. `load` takes ids of tiers and stacks and reads them by one statement; nothing of
 *  them is claimed. Source: architecture §7, §8. */
export interface PromotionsPort extends RuledObjectsPort, RedeemableSource<RedeemablePromotion> {
  /** Stores a campaign with the tiers it was created with, all or none; of a campaign that is known, nothing. May be
   *  repeated. Refuses nothing. */
  storeCampaign(context: RequestContext, request: PromotionCampaign): Promise<{ stored: boolean }>;

  /** Takes over what a campaign became, so that it holds for the next redemption of its tiers; those of a deleted one are deleted with
   *  it. Older versions change nothing. May be repeated. Refuses nothing. */
  changeCampaign(context: RequestContext, request: ChangedCampaign): Promise<null>;

  /** Returns the tiers of campaigns, at most 100, by two statements: of each the first `tiersShown`, and of all together
   *  those that `tierBytesShown` holds. `unknown`: campaigns that were not stored here yet. */
  listTiers(
    context: RequestContext,
    request: { campaign_ids: readonly string[] },
  ): Promise<{ lists: TiersOfCampaign[]; unknown: string[] }>;

  /** Returns the ids of the newest tiers in force, by their own switch and dates and by those of their campaign, at most `limit`.
   *  `fields`: of each the values by operator, `promotion_id` and `metadata.…`. Refuses values that do not fit their field. */
  newestTiers(
    context: RequestContext,
    request: TiersWanted,
  ): Promise<{ ids: string[] } | Refusal<'invalid_query_params'>>;

  /** Returns a tier as it stands. Refuses `not_found`. */
  loadTier(
    context: RequestContext,
    request: { id: string },
  ): Promise<PromotionTierSnapshot | Refusal<'not_found'>>;

  /** Creates a tier as a call of its own would, and returns it with its campaign; repeated under the same id, as it is now.
   *  Refuses `not_found` (campaign), `invalid_campaign`, `invalid_payload` and `metadata_validation_failed`. Throws `Fault` where
   *  the owner of rules does not answer. */
  createTier(
    context: RequestContext,
    request: NewPromotionTier,
  ): Promise<
    | { tier: PromotionTierSnapshot; campaign: CampaignSnapshot }
    | Refusal<'not_found' | 'invalid_campaign' | 'invalid_payload' | 'metadata_validation_failed'>
  >;
}

export const promotionsPort = definePort<PromotionsPort>('promotions', [
  'load',
  'storeCampaign',
  'changeCampaign',
  'listTiers',
  'newestTiers',
  'loadTier',
  'createTier',
  ...ruledObjectsMethods,
]);
