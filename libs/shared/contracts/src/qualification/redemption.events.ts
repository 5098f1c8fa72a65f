import type { Instant } from '../snapshot';
import type { CampaignSnapshot } from '../campaigns/campaign.snapshot';
import type { GiftTransaction } from '../campaigns/gift.events';
import type {
  RedemptionClaims,
  RedemptionCounts,
  RedemptionFact,
  RedemptionSnapshot,
  RollbackOrderMode,
} from './redemption.snapshot';

/** Redemptions, failed redemptions and their rollbacks: one stream per redemption (`r_…`), failed redemption (`rf_…`) or
 *  parent of a stack; a rollback tells in the stream of what it undoes. A stack of n redeemables makes n + 1 streams.
 *  Source: reference 06 §9.2. */
export type RedemptionEvent =
  | RedemptionSucceeded
  | RedemptionFailed
  | RedemptionRollbackStarted
  | RedemptionRolledBack
  | RedemptionRollbackFailed;

/** A redemption is recorded, final unless it is rolled back. Of a stack one per redeemable plus one for the parent, whose
 *  `redemption.stacked` names the children; sums over redemptions leave the parents out. */
export interface RedemptionSucceeded {
  type: 'RedemptionSucceeded';
  data: RedemptionFact & {
    claims: RedemptionClaims;
    /** Since schema version 4. Null for children of a stack, and for stacks of older versions. */
    counts: RedemptionCounts | null;
  };
}

/** A redemption was refused and the refusal is kept; `redemption.failure_code` says why. */
export interface RedemptionFailed {
  type: 'RedemptionFailed';
  data: RedemptionFact;
}

/** A rollback won the redemption; its refunds follow, then RedemptionRolledBack. For the service itself: others wait for
 *  the end. */
export interface RedemptionRollbackStarted {
  type: 'RedemptionRollbackStarted';
  data: {
    /** The rollback as far as it is known before the refunds. Since schema version 2 it has its `rollback_order_mode`. */
    rollback: RedemptionSnapshot & { rollback_order_mode: RollbackOrderMode };
    /** Machine time, for those who finish what was left behind; the rollback's own date is business time. */
    started_at: Instant;
    /** What limits counted of the redemption, and no longer do; null where they counted nothing. Since schema version 3. */
    counts: RedemptionCounts | null;
  };
}

/** A redemption is undone, everything it took given back. */
export interface RedemptionRolledBack {
  type: 'RedemptionRolledBack';
  data: {
    /** The redemption right after the fact. Since schema version 2 without its order: that stands once, in the rollback. */
    redemption: Omit<RedemptionSnapshot, 'order'>;
    /** The campaign of the voucher or tier right after the fact; null where there is none. */
    campaign: CampaignSnapshot | null;
    /** The rollback, `rr_…`. */
    rollback: RedemptionSnapshot;
    /** Of the credits that came back to a gift card; null for none. Since schema version 3. */
    transaction: GiftTransaction | null;
  };
}

/** A rollback was refused and the refusal is kept. The redemption stays as it was. */
export interface RedemptionRollbackFailed {
  type: 'RedemptionRollbackFailed';
  data: RedemptionFact & {
    /** The refused rollback, `rrf_…`; `failure_code` says why. */
    rollback: RedemptionSnapshot;
    /** Whether webhooks tell of it. Since schema version 2; every older refused rollback is announced.
     *  Source: reference 06 §3. */
    announced: boolean;
  };
}
