import type { RedemptionEvent, RedemptionSnapshot } from '@scrip/contracts/qualification';

/** What redemptions add to the summary of a customer. */
export interface RedemptionCounts {
  failed: number;
  succeeded: number;
  rollback_failed: number;
  rollback_succeeded: number;
  /** Minor units of gift cards that were spent, less what rollbacks gave back. */
  gift_amount: number;
  /** Points of loyalty cards, likewise. */
  points: number;
}

/** The columns of the table. */
export const redemptionCountNames = [
  'failed',
  'succeeded',
  'rollback_failed',
  'rollback_succeeded',
  'gift_amount',
  'points',
] as const satisfies readonly (keyof RedemptionCounts)[];

const none: RedemptionCounts = {
  failed: 0,
  succeeded: 0,
  rollback_failed: 0,
  rollback_succeeded: 0,
  gift_amount: 0,
  points: 0,
};

const spent = ({
  voucher,
  amount = 0,
}: Pick<RedemptionSnapshot, 'voucher' | 'amount'>): Partial<RedemptionCounts> => {
  switch (voucher?.type) {
    case 'GIFT_VOUCHER':
      return { gift_amount: amount };
    case 'LOYALTY_CARD':
      return { points: amount };
    default:
      return {};
  }
};

/** What an event adds to the summary of its customer; null where it adds nothing. A stack counts as its children do.
 *  Source: reference 07 §3. */
export const countsOf = (event: RedemptionEvent): (RedemptionCounts & { customer_id: string }) | null => {
  if (event.type === 'RedemptionRollbackStarted') return null;
  const { redemption } = event.data;
  const { customer_id } = redemption;
  if (customer_id === null) return null;
  const counts = { ...none, customer_id };
  switch (event.type) {
    case 'RedemptionSucceeded':
      return redemption.stacked ? null : { ...counts, succeeded: 1, ...spent(redemption) };
    case 'RedemptionFailed':
      return { ...counts, failed: 1 };
    case 'RedemptionRolledBack':
      return redemption.stacked ? null : { ...counts, rollback_succeeded: 1, ...spent(event.data.rollback) };
    case 'RedemptionRollbackFailed':
      return { ...counts, rollback_failed: 1 };
  }
};
