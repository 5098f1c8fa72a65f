import type { Discount } from '@scrip/order-calculation';
import type { ValidityWindows } from '@scrip/vouchers';
import type { CategorySnapshot, Instant, Metadata } from '../snapshot';
import type { GiftSnapshot, LoyaltyCardSnapshot, VoucherType } from './voucher.snapshot';

/** Source: reference 04 §2.1. */
export type CampaignType =
  'DISCOUNT_COUPONS' | 'GIFT_VOUCHERS' | 'LOYALTY_PROGRAM' | 'REFERRAL_PROGRAM' | 'PROMOTION';

/** Source: reference 04 §2.2. */
export type GenerationStatus = 'DRAFT' | 'IN_PROGRESS' | 'DONE' | 'FAILED' | 'MODIFYING';

/** How codes are made; `length` = number of `#` in `pattern`. Source: reference 04 §3. */
export interface CodeConfig {
  length: number;
  charset: string;
  pattern: string;
  prefix: string;
  postfix: string;
}

/** What each voucher of a campaign is made from. */
export interface CampaignVoucherTemplate {
  type: VoucherType;
  discount: Discount | null;
  gift: GiftSnapshot | null;
  loyalty_card: LoyaltyCardSnapshot | null;
  /** Uses of each code; null: without limit. */
  redemption: { quantity: number | null };
  code_config: CodeConfig;
  is_referral_code: boolean;
}

/** How a referral converts and what the referee gets for it. Source: reference 04 §11. */
export interface ReferralProgramSnapshot {
  conversion_event_type: 'redemption' | 'custom_event';
  /** Of conversions by an event: which one. */
  custom_event?: { id?: string; name?: string };
  /** Credits or points for the referee. */
  referee_reward?: {
    type: 'LOYALTY_CARD' | 'GIFT_VOUCHER';
    amount: number;
    /** The campaign whose card gets them. */
    related_object_parent: { id: string; name?: string; object: 'CAMPAIGN' };
  };
}

/** A campaign's own state, as its events carry it. Amounts: minor units. Source: reference 04 §2. */
export interface CampaignSnapshot extends ValidityWindows {
  id: string;
  name: string;
  description: string | null;
  campaign_type: CampaignType;
  type: 'STATIC' | 'AUTO_UPDATE' | 'STANDALONE';
  /** What codes are made from; null for promotions. */
  voucher: CampaignVoucherTemplate | null;
  /** Whether a customer gets one code at most. */
  join_once: boolean;
  /** Of loyalty programs: whether who meets an earning rule gets a card. */
  auto_join: boolean;
  /** Only of referral programs. */
  referral_program?: ReferralProgramSnapshot;
  /** Whether `metadata` follow the schema of vouchers and go to each generated code; else that of campaigns. */
  use_voucher_metadata_schema: boolean;
  /** ISO 8601 duration for which a published code is active. */
  activity_duration_after_publishing: string | null;
  /** Live codes. */
  vouchers_count: number;
  /** Codes that could not be generated; null when none. */
  vouchers_count_invalid: number | null;
  start_date: Instant | null;
  expiration_date: Instant | null;
  active: boolean;
  metadata: Metadata;
  category_id: string | null;
  category: string | null;
  categories: CategorySnapshot[];
  creation_status: GenerationStatus;
  vouchers_generation_status: GenerationStatus;
  protected: boolean;
  created_at: Instant;
  updated_at: Instant | null;
}
