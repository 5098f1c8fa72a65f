import type { GiftSnapshot } from '@scrip/contracts/campaigns';
import type { GiftBody } from '../campaign.dto';
import type { CampaignKind } from './campaign-kind';

/** A new card: nothing is spent of its amount. Credits come off the order where no effect is named. Source: reference
 *  04 §5, §6.1. */
export const newGift = ({ amount, effect }: GiftBody): GiftSnapshot => ({
  amount: amount!,
  subtracted_amount: 0,
  balance: amount!,
  effect: effect ?? 'APPLY_TO_ORDER',
});

/** Codes that hold credits. Source: reference 04 §2.1. */
export const giftVouchers: CampaignKind = {
  type: 'GIFT_VOUCHERS',
  voucherType: 'GIFT_VOUCHER',
  required: 'voucher.gift.amount',
  takesStandalone: true,
  template: ({ voucher }) => ({
    discount: null,
    gift: newGift(voucher!.gift!),
    loyalty_card: null,
    is_referral_code: false,
  }),
  settings: ({ join_once }) => ({ join_once: join_once ?? false, auto_join: false }),
};
