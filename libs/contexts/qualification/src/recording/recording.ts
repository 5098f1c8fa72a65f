import type { Outcome } from '@scrip/contracts/claims';
import type { RedemptionEvent } from '@scrip/contracts/qualification';
import type { KeyCompletion, StoredAnswer } from '@scrip/edge';
import type { NewStream } from '@scrip/event-store';
import type { RequestContext } from '@scrip/kernel';
import type { CountedRedemption } from '../limits/counter';
import type { Limit, Violation } from '../limits/limit';

/** What is recorded of a redemption that would pass a limit, in place of it. `answer`: completes the key; null where the
 *  command goes on. */
export interface RefusedInstead {
  streams: readonly NewStream<RedemptionEvent>[];
  answer: StoredAnswer | null;
}

/** A redemption that counts, and the limits that bound it. */
export interface CountedRecording {
  redemption: CountedRedemption;
  limits: readonly Limit[];
  /** May be called several times; the last call counts. */
  refused: (violation: Violation) => RefusedInstead;
}

/** What one request wants recorded. */
export interface Recording {
  context: RequestContext;
  /** Null where no claim was ever sent: a failed redemption then needs no verdict. */
  outcome: Outcome | null;
  streams: readonly NewStream<RedemptionEvent>[];
  /** Completed in the transaction of the verdict; null without an Idempotency-Key. */
  key: KeyCompletion | null;
  /** Absent for failed redemptions. */
  counted?: CountedRecording;
}

/** `recorded`: it stands as wished. `abandoned`: an owner had the redemption abandoned before; nothing was written.
 *  `superseded`: another execution answered under the same Idempotency-Key; the verdict, if any, is ABANDONED.
 *  `limited`: it would have passed a limit; the verdict is ABANDONED, and what `refused` returned is recorded. */
export type RecordingEnd = 'recorded' | 'abandoned' | 'superseded' | 'limited';
