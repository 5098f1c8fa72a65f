import type { Discount } from '@scrip/order-calculation';
import type { Instant, Metadata } from '../snapshot';
import type { CampaignType } from './campaign.snapshot';
import type { GiftSnapshot, LoyaltyCardSnapshot, VoucherType } from './voucher.snapshot';

/** A code of a publication. */
export interface PublishedCode {
  id: string;
  code: string;
}

/** What publications show of their only voucher. */
export interface PublishedValue {
  discount: Discount | null;
  gift: GiftSnapshot | null;
  loyalty_card: LoyaltyCardSnapshot | null;
}

/** Codes that were assigned to a customer, or an attempt to. Of the customer it has the id only. Source: reference 04 §8. */
export interface PublicationSnapshot {
  id: string;
  customer_id: string;
  /** The caller's own id; unique in the project among publications that succeeded. */
  source_id: string | null;
  channel: string;
  metadata: Metadata;
  result: 'SUCCESS' | 'FAILURE';
  /** The error key; null for a success. */
  failure_code: string | null;
  failure_message: string | null;
  /** Whether the caller named a code, or the campaign to take some from. */
  named: 'voucher' | 'campaign';
  campaign_id: string | null;
  /** The campaign's name. */
  campaign: string | null;
  voucher_type: VoucherType;
  is_referral_code: boolean;
  /** What was assigned; of a failure the voucher that was named. */
  vouchers: PublishedCode[];
  /** What the only voucher was worth; null for several, and for a failure. */
  value: PublishedValue | null;
  created_at: Instant;
}

/** Who a code belongs to. OWNER and REFERRER have it from its publication, a REFEREE is added to it. */
export type HolderRole = 'OWNER' | 'REFERRER' | 'REFEREE';

/** A customer's part in a code. Source: reference 04 §11. */
export interface HolderSnapshot {
  /** `rh_…` */
  id: string;
  voucher_id: string;
  customer_id: string;
  role: HolderRole;
  publication_id: string;
  campaign_id: string | null;
  campaign_type: CampaignType | null;
  voucher_type: VoucherType;
  created_at: Instant;
  /** What was said with a referee; absent for nothing. */
  metadata?: Metadata;
}
