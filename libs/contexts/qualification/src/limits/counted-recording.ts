import type { RedemptionEvent } from '@scrip/contracts/qualification';
import type { KeyCompletion, StoredAnswer } from '@scrip/edge';
import type { NewStream } from '@scrip/event-store';
import type { RequestContext } from '@scrip/kernel';
import type { ConsumedUnits, Redeemable } from '@scrip/order-calculation';
import type { Counted, TouchedCounter } from '@scrip/order-preview';
import type { QualificationRefusal } from '../qualification.refusals';
import type { CountedRedemption } from './counter';

/** A redeemable that its rules refuse with what is counted by now. */
export interface Violation {
  redeemable: Pick<Redeemable, 'object' | 'id'>;
  refusal: QualificationRefusal;
}

/** What is recorded of a redemption that limits or budgets do not allow, in place of it. `answer`: completes the key; null where the
 *  command goes on. */
export interface RefusedInstead {
  streams: readonly NewStream<RedemptionEvent>[];
  answer: StoredAnswer | null;
}

/** A redemption that counts, and what it depends on. */
export interface CountedRecording {
  redemption: CountedRedemption;
  /** What the rules of its redeemables read. */
  counters: readonly TouchedCounter[];
  /** What it consumes of unit budgets. */
  units: readonly ConsumedUnits[];
  /** Whether the rules still hold: `counted` by `counterName`. Pure. */
  judge: (counted: ReadonlyMap<string, Counted>) => Violation | null;
  /** May be called several times; the last call counts. `budgets`: fewer units are left than it consumes. */
  refused: (violation: Violation | 'budgets') => RefusedInstead;
}

/** What one request wants recorded, as limits see it. */
export interface MayCount {
  context: RequestContext;
  /** Completed in the transaction of the verdict; null without an Idempotency-Key. */
  key: KeyCompletion | null;
  /** Absent for failed redemptions. */
  counted?: CountedRecording;
}
