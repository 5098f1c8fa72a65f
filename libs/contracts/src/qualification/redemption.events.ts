import type { Instant } from '../snapshot';
import type { RedemptionClaims, RedemptionFact, RedemptionSnapshot } from './redemption.snapshot';

/** Stream `redemption` (service qualification), one per redemption, failed attempt or parent. Source: spec 06 §9.2. */
export type RedemptionEvent =
  | RedemptionSucceeded
  | RedemptionFailed
  | RedemptionRollbackStarted
  | RedemptionRolledBack
  | RedemptionRollbackFailed;

/** One per redeemable plus one for the stack. */
export interface RedemptionSucceeded {
  type: 'RedemptionSucceeded';
  data: RedemptionFact & { claims: RedemptionClaims };
}

export interface RedemptionFailed {
  type: 'RedemptionFailed';
  data: RedemptionFact;
}

/** The rollback won the redemption; its refunds follow. Public to nobody. `rollback`: the `rr_` object as far as it is
 *  known before the refunds, so that whoever resumes needs nothing else. */
export interface RedemptionRollbackStarted {
  type: 'RedemptionRollbackStarted';
  data: { rollback: RedemptionSnapshot; started_at: Instant };
}

/** `rollback` is the `rr_` object. */
export interface RedemptionRolledBack {
  type: 'RedemptionRolledBack';
  data: RedemptionFact & { rollback: RedemptionSnapshot };
}

/** `rollback` is the `rrf_` object. The redemption stays as it was. */
export interface RedemptionRollbackFailed {
  type: 'RedemptionRollbackFailed';
  data: RedemptionFact & { rollback: RedemptionSnapshot };
}
