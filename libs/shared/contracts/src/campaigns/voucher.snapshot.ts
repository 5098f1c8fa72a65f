import type { Discount } from '@scrip/order-calculation';
import type { ValidityWindows } from '@scrip/vouchers';
import type { CategorySnapshot, Instant, Metadata } from '../snapshot';

/** Source: reference 04 §2.1. */
export type VoucherType = 'DISCOUNT_VOUCHER' | 'GIFT_VOUCHER' | 'LOYALTY_CARD';

/** Gift credits in minor units. Source: reference 04 §6.1. */
export interface GiftSnapshot {
  /** Everything ever added. */
  amount: number;
  /** Everything ever taken away by hand. */
  subtracted_amount: number;
  /** What can be spent. */
  balance: number;
  effect: 'APPLY_TO_ORDER' | 'APPLY_TO_ITEMS';
}

/** Points, integers. Source: reference 05 §4. */
export interface LoyaltyCardSnapshot {
  /** Everything ever collected. */
  points: number;
  /** What can be spent. */
  balance: number;
}

/** A voucher's own state right after the fact that carries it. Source: reference 04 §5. */
export interface VoucherSnapshot extends ValidityWindows {
  id: string;
  code: string;
  campaign_id: string | null;
  /** The campaign's name. */
  campaign: string | null;
  category_id: string | null;
  category: string | null;
  categories: CategorySnapshot[];
  type: VoucherType;
  discount: Discount | null;
  gift: GiftSnapshot | null;
  loyalty_card: LoyaltyCardSnapshot | null;
  start_date: Instant | null;
  expiration_date: Instant | null;
  active: boolean;
  additional_info: string | null;
  metadata: Metadata;
  is_referral_code: boolean;
  /** The customer that the code was published for. */
  holder_id: string | null;
  /** The customer who refers others with the code. */
  referrer_id: string | null;
  /** `quantity` null = unlimited; `redeemed_quantity` counts provisional uses too. */
  redemption: { quantity: number | null; redeemed_quantity: number };
  /** 0 or 1: a code has at most one publication. */
  publish: { count: number };
  created_at: Instant;
  updated_at: Instant | null;
}

/** What all vouchers made by one order have in common. */
export type VoucherTemplate = Omit<VoucherSnapshot, 'id' | 'code' | 'created_at'>;
