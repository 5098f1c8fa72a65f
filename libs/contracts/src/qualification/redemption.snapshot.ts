import type { Instant, Metadata } from '../snapshot';
import type { CampaignSnapshot } from '../campaigns/campaign.snapshot';
import type { VoucherSnapshot } from '../campaigns/voucher.snapshot';
import type { OrderSnapshot } from '../customers/order.snapshot';

/** Who caused a redemption. Source: spec 03 §7. */
export interface RedemptionChannel {
  channel_type: 'API' | 'USER' | 'AUTO_REDEEM';
  channel_id: string;
}

/** A redemption, a failed attempt, or a rollback, without personal data. Source: spec 03 §7, §9. */
export interface RedemptionSnapshot {
  /** Prefix `r_`, `rf_`, `rr_` or `rrf_`. */
  id: string;
  object: 'redemption' | 'redemption_rollback';
  date: Instant;
  customer_id: string | null;
  tracking_id: string | null;
  metadata: Metadata | null;
  /** Credits or points used; absent for discounts. Negative on rollbacks. */
  amount?: number;
  /** The parent's id; on a rollback the redemption undone. */
  redemption: string | null;
  result: 'SUCCESS' | 'FAILURE';
  status: 'SUCCEEDED' | 'FAILED' | 'ROLLED_BACK';
  related_object_type: 'voucher' | 'promotion_tier' | 'redemption';
  related_object_id: string;
  failure_code?: string;
  failure_message?: string;
  reason?: string | null;
  channel: RedemptionChannel;
  order: OrderSnapshot | null;
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
  campaign: CampaignSnapshot | null;
}
