import type { LoyaltyCardSnapshot } from '@scrip/contracts/campaigns';
import type { LoyaltyCardBody } from '../campaign.dto';
import type { CampaignKind } from './campaign-kind';

/** A new card: nothing is spent of its points. */
export const newLoyaltyCard = ({ points }: LoyaltyCardBody): LoyaltyCardSnapshot => ({
  points: points!,
  balance: points!,
});

/** Cards that collect points: a customer has one at most. Source: reference 04 §2.1. */
export const loyaltyProgram: CampaignKind = {
  type: 'LOYALTY_PROGRAM',
  voucherType: 'LOYALTY_CARD',
  required: 'voucher.loyalty_card.points',
  takesStandalone: false,
  template: ({ voucher }) => ({
    discount: null,
    gift: null,
    loyalty_card: newLoyaltyCard(voucher!.loyalty_card!),
    is_referral_code: false,
  }),
  settings: ({ auto_join }) => ({ join_once: true, auto_join: auto_join ?? false }),
};
