import type { CampaignValidations } from '@scrip/contracts/qualification';
import type { CampaignResponse } from './campaign.wire';

/** What happened in a campaign. Amounts: minor units; points of loyalty cards. */
interface CampaignSums {
  redemptions_succeeded: number;
  redemptions_failed: number;
  rollbacks_succeeded: number;
  rollbacks_failed: number;
  orders_amount: number;
  orders_rolledback_amount: number;
  discounted_amount: number;
  rolledback_discounted_amount: number;
  vouchers_created: number;
  vouchers_deleted: number;
  publications_succeeded: number;
  publications_failed: number;
  amount_created: number;
  amount_deleted: number;
  amount_added: number;
  amount_subtracted: number;
  amount_redeemed: number;
  amount_rolledback: number;
  referred_customers: number;
}

const ofAll = (sums: CampaignSums, validations: CampaignValidations) => ({
  redemptions: sums.redemptions_succeeded + sums.redemptions_failed,
  redemptions_succeeded: sums.redemptions_succeeded,
  redemptions_failed: sums.redemptions_failed,
  rollbacks: sums.rollbacks_succeeded + sums.rollbacks_failed,
  rollbacks_succeeded: sums.rollbacks_succeeded,
  rollbacks_failed: sums.rollbacks_failed,
  validations: validations.succeeded + validations.failed,
  validations_succeeded: validations.succeeded,
  validations_failed: validations.failed,
  orders_amount: sums.orders_amount,
  orders_rolledback_amount: sums.orders_rolledback_amount,
});

const ofVouchers = (sums: CampaignSums) => ({
  vouchers_created: sums.vouchers_created,
  vouchers_deleted: sums.vouchers_deleted,
  publications: sums.publications_succeeded + sums.publications_failed,
  publications_succeeded: sums.publications_succeeded,
  publications_failed: sums.publications_failed,
});

const ofDiscounts = ({ discounted_amount, rolledback_discounted_amount }: CampaignSums) => ({
  discounted_amount,
  rolledback_discounted_amount,
});

const ofGifts = (sums: CampaignSums) => ({
  created_vouchers_amount: sums.amount_created,
  amount_added: sums.amount_added,
  amount_subtracted: sums.amount_subtracted,
  amount_redeemed: sums.amount_redeemed,
  amount_rolledback: sums.amount_rolledback,
  amount_deleted: sums.amount_deleted,
});

const ofCards = (sums: CampaignSums) => ({
  created_vouchers_points: sums.amount_created,
  points_added: sums.amount_added,
  points_subtracted: sums.amount_subtracted,
  points_redeemed: sums.amount_redeemed,
  points_rolledback: sums.amount_rolledback,
  points_deleted: sums.amount_deleted,
  points_rewarded: 0,
  points_expired: 0,
  points_transferred_out: 0,
  points_transferred_in: 0,
  pending_points_added: 0,
  pending_points_subtracted: 0,
  pending_points_activated: 0,
  pending_points_canceled: 0,
});

/** What the kind of the campaign counts. */
const ofKind = ({ campaign_type }: CampaignResponse, sums: CampaignSums) => {
  switch (campaign_type) {
    case 'DISCOUNT_COUPONS':
      return { ...ofVouchers(sums), ...ofDiscounts(sums) };
    case 'PROMOTION':
      return ofDiscounts(sums);
    case 'GIFT_VOUCHERS':
      return { ...ofVouchers(sums), ...ofGifts(sums) };
    case 'LOYALTY_PROGRAM':
      return { ...ofVouchers(sums), ...ofCards(sums) };
    case 'REFERRAL_PROGRAM':
      return { ...ofVouchers(sums), referred_customers: sums.referred_customers };
    default:
      return campaign_type satisfies never;
  }
};

/** A campaign, and the sums that its kind has. Source: reference 04 §4.9. */
export const renderCampaignSummary = (
  campaign: CampaignResponse,
  sums: CampaignSums,
  validations: CampaignValidations,
) => ({
  object: 'campaign_summary' as const,
  campaign,
  ...ofAll(sums, validations),
  ...ofKind(campaign, sums),
});

/** What `renderCampaignSummary` makes. */
export type CampaignSummaryResponse = ReturnType<typeof renderCampaignSummary>;
