import type { Instant } from '../snapshot';

/** What sessions hold of a voucher, together. Holds that have expired count until VoucherHoldsEnded takes them out.
 *  Source: reference 03 §8. */
export interface VoucherHolds {
  uses: number;
  /** Of a gift card, minor units; else 0. */
  credits: number;
  /** No hold among them expires before this instant. */
  first_expiry: Instant;
}

/** A session holds a use of a voucher, and credits of a gift card, in place of what it held before. The session is not named: who
 *  knows its key may use what it holds. */
export interface VoucherHeld {
  type: 'VoucherHeld';
  data: {
    /** VALIDATED: a validation asked for it. RESTORED: the redemption that had used it never came about. */
    cause: 'VALIDATED' | 'RESTORED';
    uses: number;
    /** Minor units. */
    credits: number;
    expires_at: Instant;
    /** What all sessions hold from then on. */
    holds: VoucherHolds;
    held_at: Instant;
  };
}

/** Sessions no longer hold what they held of a voucher. */
export interface VoucherHoldsEnded {
  type: 'VoucherHoldsEnded';
  data: {
    /** EXPIRED: their time was over. RELEASED: a caller ended the session. REPLACED: a validation under the same key holds other vouchers.
     *  REDEEMED: a redemption uses what the session held; a use whose redemption does not come about is followed by VoucherHeld. */
    cause: 'EXPIRED' | 'RELEASED' | 'REPLACED' | 'REDEEMED';
    /** How many ended. */
    count: number;
    /** What the others hold from then on; null for nothing. */
    holds: VoucherHolds | null;
    ended_at: Instant;
  };
}
