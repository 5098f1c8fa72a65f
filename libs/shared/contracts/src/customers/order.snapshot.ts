import type { CalculatedOrder, OrderDifference } from '@scrip/order-calculation';
import type { Instant, Metadata } from '../snapshot';

/** Source: reference 07 §5. */
export type OrderStatus = 'CREATED' | 'PAID' | 'CANCELED' | 'FULFILLED';

/** What one redemption left on an order. Source: reference 03 §6.1, §9. */
export interface OrderRedemption {
  date: Instant;
  related_object_type: 'voucher' | 'promotion_tier' | 'redemption';
  related_object_id: string;
  related_object_parent_id: string | null;
  /** Ids of a stack's children. */
  stacked?: string[];
  /** Of what was rolled back: the rollback. */
  rollback_id?: string;
  rollback_date?: Instant;
  rollback_stacked?: string[];
  /** Of a referral code: the customer who refers by it. Absent: no code refers, or the order had a referrer that no code named. */
  referrer_id?: string;
  /** What it did to the order, as far as the order still holds it; lines by their position in `items`. Absent: nothing
   *  is held any more, or it was redeemed before differences were kept. */
  difference?: OrderDifference;
}

/** A stored order. Amounts: minor units, cumulative over all redemptions on it; `applied_*` tell of the last one.
 *  Source: reference 07 §5, reference 01 §4. */
export interface OrderSnapshot extends CalculatedOrder {
  id: string;
  /** The caller's own id. */
  source_id: string | null;
  status: OrderStatus;
  customer_id: string | null;
  /** The customer who referred this one. */
  referrer_id: string | null;
  metadata: Metadata;
  /** By parent redemption id. */
  redemptions: Record<string, OrderRedemption>;
  created_at: Instant;
  updated_at: Instant | null;
}

/** Largest order, JSON in UTF-8: events that tell of it, with what stands beside it, have to fit one message of 1 MB. */
export const orderBytesMax = 600_000;
