import type { CampaignSnapshot } from '@scrip/contracts/campaigns';
import type { PromotionTierFields } from '@scrip/contracts/promotions';
import type { CategorySnapshot, Instant } from '@scrip/contracts/snapshot';
import { categoryFields, newTierFields, storedWindows } from '@scrip/incentives';
import { rulesOfTier } from '@scrip/incentives/bodies';
import { isRefused, refuse } from '@scrip/kernel';
import { bodyMustFitCampaigns } from '../campaign/campaign-draft';
import type { CreateCampaignBody } from '../campaign/campaign.dto';
import type { CampaignsRefusal } from '../campaigns.refusals';

/** A promotion campaign that fits the rules of its kind. `tiers`: in the order of their places. */
export interface PromotionDraft {
  body: CreateCampaignBody;
  tiers: PromotionTierFields[];
}

/** What all tiers of one campaign may have together, in bytes of JSON: one event tells of them. */
const tierBytes = 524_288;

/** Different rules of all tiers of one body: each is assigned by a transaction of its own. */
const rulesMax = 100;

/** Reads a body as a promotion campaign. Refuses `invalid_payload`, `missing_required_feature` and `invalid_campaign`.
 *  Source: reference 04 §4.1, §10. */
export const draftPromotion = (body: CreateCampaignBody): PromotionDraft | CampaignsRefusal => {
  const misfit = bodyMustFitCampaigns(body);
  if (misfit) return misfit;
  const period = { start_date: body.start_date ?? null, expiration_date: body.expiration_date ?? null };
  const tiers: PromotionTierFields[] = [];
  for (const [index, sent] of (body.promotion?.tiers ?? []).entries()) {
    const tier = newTierFields(sent, period, `.promotion.tiers[${index}]`);
    if (isRefused(tier)) return tier;
    tiers.push(tier);
  }
  const rules = new Set((body.promotion?.tiers ?? []).flatMap(rulesOfTier));
  if (rules.size > rulesMax)
    return refuse('invalid_payload', `Property .promotion.tiers should NOT name more than ${rulesMax} rules`);
  return Buffer.byteLength(JSON.stringify(tiers)) > tierBytes
    ? refuse('invalid_payload', `Property .promotion.tiers should NOT be larger than ${tierBytes} bytes`)
    : { body, tiers };
};

/** The campaign as it is created. Forced and default values of reference 04 §2.1. */
export const promotionCampaignOf = (
  { body }: PromotionDraft,
  { id, category, now }: { id: string; category: CategorySnapshot | null; now: Instant },
): CampaignSnapshot => ({
  id,
  name: body.name,
  description: body.description ?? null,
  campaign_type: 'PROMOTION',
  type: 'STATIC',
  voucher: null,
  join_once: false,
  auto_join: false,
  use_voucher_metadata_schema: body.use_voucher_metadata_schema ?? true,
  activity_duration_after_publishing: null,
  vouchers_count: 0,
  vouchers_count_invalid: null,
  start_date: body.start_date ?? null,
  expiration_date: body.expiration_date ?? null,
  ...storedWindows(body),
  active: true,
  metadata: body.metadata ?? {},
  ...categoryFields(category),
  creation_status: 'DONE',
  vouchers_generation_status: 'DONE',
  protected: false,
  created_at: now,
  updated_at: null,
});
