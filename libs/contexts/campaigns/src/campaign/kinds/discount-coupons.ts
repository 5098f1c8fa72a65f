import { readDiscount } from '@scrip/incentives';
import { isRefused } from '@scrip/kernel';
import type { CampaignKind } from './campaign-kind';

/** Codes that give a discount. Source: reference 04 §2.1. */
export const discountCoupons: CampaignKind = {
  type: 'DISCOUNT_COUPONS',
  voucherType: 'DISCOUNT_VOUCHER',
  required: 'voucher.discount',
  takesStandalone: true,
  template: ({ voucher }) => {
    const discount = readDiscount(voucher!.discount!);
    return isRefused(discount)
      ? discount
      : { discount, gift: null, loyalty_card: null, is_referral_code: false };
  },
  settings: ({ join_once }) => ({ join_once: join_once ?? false, auto_join: false }),
};
