import type { Outcome } from '@scrip/contracts/claims';
import type { RedemptionEvent } from '@scrip/contracts/qualification';
import type { NewStream } from '@scrip/event-store';
import type { MayCount } from '../limits/counted-recording';

/** What one request wants recorded. */
export interface Recording extends MayCount {
  /** Null where no claim was ever sent: a failed redemption then needs no verdict. */
  outcome: Outcome | null;
  streams: readonly NewStream<RedemptionEvent>[];
}

/** `recorded`: it stands as wished. `abandoned`: an owner had the redemption abandoned before; nothing was written.
 *  `superseded`: another execution answered under the same Idempotency-Key; the verdict, if any, is ABANDONED.
 *  `limited`: limits or budgets did not allow it; the verdict is ABANDONED, and what `refused` returned is recorded. */
export type RecordingEnd = 'recorded' | 'abandoned' | 'superseded' | 'limited';
