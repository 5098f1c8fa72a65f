import type { CampaignSnapshot, VoucherSnapshot } from '@scrip/contracts/campaigns';
import type { PromotionStackSnapshot, PromotionTierSnapshot } from '@scrip/contracts/promotions';
import type { Instant } from '@scrip/contracts/snapshot';
import type { Redeemable } from '@scrip/order-calculation';

/** What can qualify, as answers name it. */
export type CandidateKind = 'campaign' | 'voucher' | 'promotion_tier' | 'promotion_stack';

/** What of an object decides whether a request should look at it, as the events of its owner told. Source: reference 02 §10. */
export interface CandidateRow {
  project_id: string;
  id: string;
  kind: CandidateKind;
  campaign_id: string | null;
  campaign_type: CampaignSnapshot['campaign_type'] | null;
  voucher_type: VoucherSnapshot['type'] | null;
  code: string | null;
  /** Its own. */
  category_id: string | null;
  /** Of a campaign that is no candidate, what it says of its codes and tiers counts all the same. */
  eligible: boolean;
  active: boolean;
  /** Uses that it has; null: without limit. */
  quantity: number | null;
  redeemed_quantity: number;
  starts_at: Instant | null;
  ends_at: Instant | null;
  incentive: Redeemable['incentive'];
  created_at: Instant;
}

type Known = Pick<CandidateRow, 'project_id'>;

const qualifyingTypes: readonly CampaignSnapshot['campaign_type'][] = [
  'DISCOUNT_COUPONS',
  'GIFT_VOUCHERS',
  'REFERRAL_PROGRAM',
];

const incentiveOf = ({
  discount,
  gift,
}: Pick<VoucherSnapshot, 'discount' | 'gift'>): CandidateRow['incentive'] => {
  if (discount) return { discount };
  return gift && { gift: { balance: gift.balance, effect: gift.effect } };
};

/** A campaign stands for a code that could be published. Published codes with a duration of their own outlive it, so that its end
 *  says nothing of them. Source: reference 02 §8. */
export const candidateOfCampaign = ({ project_id }: Known, campaign: CampaignSnapshot): CandidateRow => ({
  project_id,
  id: campaign.id,
  kind: 'campaign',
  campaign_id: campaign.id,
  campaign_type: campaign.campaign_type,
  voucher_type: campaign.voucher?.type ?? null,
  code: null,
  category_id: campaign.category_id,
  eligible:
    qualifyingTypes.includes(campaign.campaign_type) &&
    campaign.type !== 'STANDALONE' &&
    campaign.creation_status !== 'DRAFT',
  active: campaign.active,
  quantity: null,
  redeemed_quantity: 0,
  starts_at: campaign.start_date,
  ends_at: campaign.activity_duration_after_publishing === null ? campaign.expiration_date : null,
  incentive: campaign.voucher && incentiveOf(campaign.voucher),
  created_at: campaign.created_at,
});

/** A generic voucher. `campaign_type`: of its campaign; null: it has none. */
export const candidateOfVoucher = (
  { project_id, campaign_type }: Pick<CandidateRow, 'project_id' | 'campaign_type'>,
  voucher: VoucherSnapshot,
): CandidateRow => ({
  project_id,
  id: voucher.id,
  kind: 'voucher',
  campaign_id: voucher.campaign_id,
  campaign_type,
  voucher_type: voucher.type,
  code: voucher.code,
  category_id: voucher.category_id,
  eligible: true,
  active: voucher.active,
  quantity: voucher.redemption.quantity,
  redeemed_quantity: voucher.redemption.redeemed_quantity,
  starts_at: voucher.start_date,
  ends_at: voucher.expiration_date,
  incentive: incentiveOf(voucher),
  created_at: voucher.created_at,
});

export const candidateOfTier = ({ project_id }: Known, tier: PromotionTierSnapshot): CandidateRow => ({
  project_id,
  id: tier.id,
  kind: 'promotion_tier',
  campaign_id: tier.campaign_id,
  campaign_type: 'PROMOTION',
  voucher_type: null,
  code: null,
  category_id: tier.category_id,
  eligible: true,
  active: tier.active,
  quantity: null,
  redeemed_quantity: 0,
  starts_at: tier.start_date,
  ends_at: tier.expiration_date,
  incentive: tier.discount && { discount: tier.discount },
  created_at: tier.created_at,
});

/** The dates of a stack are those of its tiers, which may be others than its campaign's. */
export const candidateOfStack = ({ project_id }: Known, stack: PromotionStackSnapshot): CandidateRow => ({
  project_id,
  id: stack.id,
  kind: 'promotion_stack',
  campaign_id: stack.campaign_id,
  campaign_type: 'PROMOTION',
  voucher_type: null,
  code: null,
  category_id: stack.category_id,
  eligible: true,
  active: true,
  quantity: null,
  redeemed_quantity: 0,
  starts_at: '-infinity',
  ends_at: 'infinity',
  incentive: null,
  created_at: stack.created_at,
});

/** Whether requests look at it at all, dates aside. */
export const isLookedAt = ({ eligible, active, quantity, redeemed_quantity }: CandidateRow): boolean =>
  eligible && active && (quantity === null || redeemed_quantity < quantity);
