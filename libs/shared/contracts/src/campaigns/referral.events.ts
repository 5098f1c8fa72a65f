import type { Instant } from '../snapshot';
import type { CampaignSnapshot } from './campaign.snapshot';
import type { VoucherSnapshot } from './voucher.snapshot';

/** Who was referred in which campaign: one stream per campaign and referee. Source: reference 06 §9.2. */
export type ReferralEvent = CustomerReferred | ReferralRevoked;

/** What made a customer a referred one. */
export type ReferralCause =
  | { type: 'redemption'; /** `r_…`, of a stack the code's own one. */ id: string }
  | { type: 'event'; id: string };

/** A conversion: a customer who was referred in a campaign by the holder of a code. Source: reference 04 §11. */
export interface ReferralSnapshot {
  campaign_id: string;
  /** The campaign's name. */
  campaign: string;
  voucher_id: string;
  referee_id: string;
  referrer_id: string;
  cause: ReferralCause;
  /** When it happened: business time. */
  date: Instant;
}

/** A customer was referred in a campaign, once until it is revoked. */
export interface CustomerReferred {
  type: 'CustomerReferred';
  data: {
    referral: ReferralSnapshot;
    /** The code right after the fact. */
    voucher: VoucherSnapshot;
    campaign: CampaignSnapshot;
  };
}

/** What made a customer a referred one was undone. The referee's part in the code stays. */
export interface ReferralRevoked {
  type: 'ReferralRevoked';
  data: { referral: ReferralSnapshot };
}
