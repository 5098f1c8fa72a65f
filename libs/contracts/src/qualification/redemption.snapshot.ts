import type { Instant, Metadata } from '../snapshot';
import type { CampaignSnapshot } from '../campaigns/campaign.snapshot';
import type { VoucherSnapshot } from '../campaigns/voucher.snapshot';
import type { OrderSnapshot } from '../customers/order.snapshot';

/** Who caused a redemption. Source: spec 03 §7. */
export interface RedemptionChannel {
  channel_type: 'API' | 'USER' | 'AUTO_REDEEM';
  /** Id of the application key or user. */
  channel_id: string;
}

/** A redemption, a failed attempt, or a rollback, without personal data. Source: spec 03 §7, §9. */
export interface RedemptionSnapshot {
  /** Prefix `r_`, `rf_`, `rr_` or `rrf_`. */
  id: string;
  object: 'redemption' | 'redemption_rollback';
  date: Instant;
  customer_id: string | null;
  /** Recognises the same visitor in other redemptions; opaque. */
  tracking_id: string | null;
  metadata: Metadata | null;
  /** Credits or points used; absent for discounts. Negative on rollbacks. */
  amount?: number;
  /** The parent's id; on a rollback the redemption undone. */
  redemption: string | null;
  result: 'SUCCESS' | 'FAILURE';
  status: 'SUCCEEDED' | 'FAILED' | 'ROLLED_BACK';
  related_object_type: 'voucher' | 'promotion_tier' | 'redemption';
  /** Id of the voucher, tier, or of the redemption that a rollback undoes. */
  related_object_id: string;
  /** Of failed attempts: why, for programs. */
  failure_code?: string;
  /** Of failed attempts: why, for people. */
  failure_message?: string;
  /** Of rollbacks: what the caller gave as the reason. */
  reason?: string | null;
  channel: RedemptionChannel;
  /** The order right after the fact; of a child as its step left it. */
  order: OrderSnapshot | null;
  /** The voucher right after the fact; null for parents. */
  voucher: VoucherSnapshot | null;
  /** A parent's children, in the order of their application; on its rollback theirs, in the same order. Absent for
   *  singles and children. */
  stacked?: string[];
}

/** What a redemption holds at the owners, so that a rollback gives exactly this back. A parent lists what its children
 *  took; a child only its own voucher. Amounts: minor units this redemption took off, items by line index. */
export interface RedemptionClaims {
  /** The id under which everything was claimed: the parent's for a stack. */
  outcome_id: string;
  vouchers: { claim_id: string; voucher_id: string }[];
  order: {
    claim_id: string;
    order_id: string;
    discount_amount: number;
    items_discount_amounts: number[];
  } | null;
}

/** What a redemption event tells: the redemption and its relations right after the fact. */
export interface RedemptionFact {
  redemption: RedemptionSnapshot;
  /** The voucher's campaign right after the fact; null where there is none. */
  campaign: CampaignSnapshot | null;
}
