import type { CampaignType, VoucherType } from '@scrip/contracts/campaigns';
import type { CreateCampaignBody } from '../campaign.dto';
import type { CampaignKind } from './campaign-kind';
import { discountCoupons } from './discount-coupons';
import { giftVouchers } from './gift-vouchers';
import { loyaltyProgram } from './loyalty-program';
import { referralProgram } from './referral-program';

/** Kinds of campaigns that have codes; promotions have tiers instead. Source: reference 04 §2.1. */
export const campaignKinds: Record<Exclude<CampaignType, 'PROMOTION'>, CampaignKind> = {
  DISCOUNT_COUPONS: discountCoupons,
  GIFT_VOUCHERS: giftVouchers,
  LOYALTY_PROGRAM: loyaltyProgram,
  REFERRAL_PROGRAM: referralProgram,
};

const typeOfVoucher: Record<VoucherType, CampaignType> = {
  DISCOUNT_VOUCHER: 'DISCOUNT_COUPONS',
  GIFT_VOUCHER: 'GIFT_VOUCHERS',
  LOYALTY_CARD: 'LOYALTY_PROGRAM',
};

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

/** The type of a voucher that does not say it: that of the value it has; null where it has none. Source: reference 04
 *  §5. */
export const voucherTypeOf = ({
  type,
  discount,
  gift,
  loyalty_card,
}: {
  type?: VoucherType | null | undefined;
  discount?: unknown;
  gift?: unknown;
  loyalty_card?: unknown;
}): VoucherType | null => {
  if (type) return type;
  if (isSet(discount)) return 'DISCOUNT_VOUCHER';
  if (isSet(gift)) return 'GIFT_VOUCHER';
  return isSet(loyalty_card) ? 'LOYALTY_CARD' : null;
};

/** What a campaign is: as it says, else by what it has; null where it has nothing that tells. Source: reference 04 §2.1. */
export const campaignTypeOf = ({
  campaign_type,
  promotion,
  referral_program,
  voucher,
}: CreateCampaignBody): CampaignType | null => {
  if (campaign_type) return campaign_type;
  if (isSet(promotion)) return 'PROMOTION';
  if (voucher?.is_referral_code || isSet(referral_program)) return 'REFERRAL_PROGRAM';
  const type = voucher ? voucherTypeOf(voucher) : null;
  return type && typeOfVoucher[type];
};
