import type { Instant } from '../snapshot';

/** What a customer redeemed. */
export interface CustomerRedemptionsSummary {
  /** Succeeded and failed ones. */
  total_redeemed: number;
  total_failed: number;
  total_succeeded: number;
  /** Succeeded and failed rollbacks. */
  total_rolled_back: number;
  total_rollback_failed: number;
  total_rollback_succeeded: number;
  gift: {
    redeemed_amount: number;
    /** Balances of the gift cards that the customer holds. */
    amount_to_go: number;
  };
  loyalty_card: { redeemed_points: number; points_to_go: number };
}

/** A customer's orders that are PAID or FULFILLED. */
export interface CustomerOrdersSummary {
  /** In minor units. */
  total_amount: number;
  total_count: number;
  /** Rounded half up. */
  average_amount: number;
  last_order_amount: number;
  /** Absent where there is no such order. */
  last_order_date?: Instant;
}

/** What other facts say about a customer; it follows them within seconds. Source: reference 07 §3. */
export interface CustomerBlocks {
  summary: { redemptions: CustomerRedemptionsSummary; orders: CustomerOrdersSummary };
  loyalty: {
    points: number;
    referred_customers: number;
    /** By name of the campaign. */
    campaigns: Record<string, { points: number; loyalty_tier?: string; referred_customers: number }>;
  };
  referrals: {
    total: number;
    campaigns: {
      campaign_id: string;
      referrer_id: string;
      related_object_id: string;
      related_object_type: string;
      date: Instant;
    }[];
  };
}
