import type { CalendarDay } from '@scrip/kernel';
import type { OrderDifference, UnitBudget } from '@scrip/order-calculation';
import type { Because } from '@scrip/order-preview';
import type { Instant, Metadata } from '../snapshot';
import type { CampaignSnapshot } from '../campaigns/campaign.snapshot';
import type { VoucherSnapshot } from '../campaigns/voucher.snapshot';
import type { PromotionStackSnapshot } from '../promotions/promotion-stack.snapshot';
import type { RedeemedTier } from '../promotions/promotion-tier.snapshot';
import type { OrderSnapshot } from '../customers/order.snapshot';

/** Who caused a redemption. Source: reference 03 §7. */
export interface RedemptionChannel {
  channel_type: 'API' | 'USER' | 'AUTO_REDEEM';
  /** Id of the application key or user. */
  channel_id: string;
}

/** What a rollback does to the order: takes the redemption's discounts off and cancels it, or leaves amounts and status as
 *  they are. Source: reference 03 §9. */
export type RollbackOrderMode = 'WITH_ORDER' | 'WITHOUT_ORDER';

/** A redemption, a failed redemption, or a rollback, without personal data. Source: reference 03 §7, §9. */
export interface RedemptionSnapshot {
  /** Prefix `r_`, `rf_`, `rr_` or `rrf_`. */
  id: string;
  object: 'redemption' | 'redemption_rollback';
  date: Instant;
  customer_id: string | null;
  // Stored where there is no customer; answers make that of a customer (ADR 156).
  /** Recognises the same visitor in other redemptions; opaque. */
  tracking_id: string | null;
  metadata: Metadata | null;
  /** Credits or points used; absent for discounts. Negative on rollbacks. */
  amount?: number;
  /** The session whose hold it used up, of a parent any of its children; absent for none. */
  session_key?: string;
  /** The parent's id; on a rollback the redemption undone. */
  redemption: string | null;
  result: 'SUCCESS' | 'FAILURE';
  status: 'SUCCEEDED' | 'FAILED' | 'ROLLED_BACK';
  related_object_type: 'voucher' | 'promotion_tier' | 'redemption';
  /** Id of the voucher, tier, or of the redemption that a rollback undoes. */
  related_object_id: string;
  /** Of failed redemptions: why, for programs. */
  failure_code?: string;
  /** Of failed redemptions: why, for people. */
  failure_message?: string;
  /** Of failed redemptions: which rules were violated, without anything that tells of a person. Since schema version 2 of
   *  `RedemptionFailed`. */
  because?: Because;
  /** Of rollbacks: what the caller gave as the reason. */
  reason?: string | null;
  /** Of rollbacks: what becomes of the order, decided when the rollback starts. Absent where a release stored it that did
   *  not record the mode; it was WITH_ORDER then. */
  rollback_order_mode?: RollbackOrderMode;
  channel: RedemptionChannel;
  /** The order right after the fact; of a child as its step left it. */
  order: OrderSnapshot | null;
  /** The voucher right after the fact; null for parents and tiers. */
  voucher: VoucherSnapshot | null;
  /** The tier as it was redeemed; absent for everything else. */
  promotion_tier?: RedeemedTier;
  /** The stack that was asked for, on everything that came of it; absent for everything else. */
  promotion_stack?: PromotionStackSnapshot;
  /** A parent's children, in the order of their application; on its rollback theirs, in the same order. Absent for
   *  singles and children. */
  stacked?: string[];
}

/** What a redemption holds at the owners, so that a rollback gives exactly this back. A parent lists what its children
 *  took; a child only its own redeemable. */
export interface RedemptionClaims {
  /** The id under which everything was claimed: the parent's for a stack. */
  outcome_id: string;
  /** Since schema version 3: claims at any owner, of whatever kind. `participant`: the owner's registered name.
   *  `answer`: what the owner answered beyond what the redemption shows, JSON that only the owner explains. Empty where
   *  nothing had to be claimed. */
  redeemables: { participant: string; claim_id: string; object_id: string; answer?: unknown }[];
  order: {
    claim_id: string;
    order_id: string;
    /** What the redemption did to the order. The order's own entry says what of it is left. */
    difference: OrderDifference;
  } | null;
}

/** What limits count of a redemption: of a stack the parent has it for all its children. Amounts: minor units.
 *  Source: reference 02 §3.3. */
export interface RedemptionCounts {
  /** The day of the redemption in the project's time zone. */
  day: CalendarDay;
  /** In the order of application. */
  redeemables: {
    /** Null: the voucher itself is what campaign limits count. */
    campaign_id: string | null;
    object: 'voucher' | 'promotion_tier';
    object_id: string;
    /** Of the order as this redeemable left it; 0 without one. */
    order_amount: number;
    /** What this redeemable took off. */
    discount_amount: number;
    /** Gift credits spent; absent for none. */
    credits?: number;
  }[];
  /** Discounted units by unit budget, of all redeemables; absent for none. Since schema version 5.
   *  Source: reference 01 §6. */
  units?: (UnitBudget & { units: number })[];
}

/** What a redemption event tells: the redemption and its relations right after the fact. */
export interface RedemptionFact {
  redemption: RedemptionSnapshot;
  /** The campaign of the voucher or tier right after the fact; null where there is none. */
  campaign: CampaignSnapshot | null;
}
