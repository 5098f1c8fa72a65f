import { Injectable } from '@nestjs/common';
import type { Outcome } from '@scrip/contracts/claims';
import type { RedemptionEvent } from '@scrip/contracts/qualification';
import type { IdempotencyRow, StoredAnswer } from '@scrip/edge';
import type { NewStream } from '@scrip/event-store';
import type { RequestContext } from '@scrip/kernel';
import type { ClaimLedger } from '../claiming/claim-ledger';
import { InFlightRedemptions } from '../outcomes/in-flight-redemptions';
import { Outcomes } from '../outcomes/outcomes';
import { Recorder } from '../recording/recorder';
import type { CountedRecording } from '../limits/counted-recording';
import type { RecordingEnd } from '../recording/recording';
import { SettlementPusher } from '../settlement/settlement';

/** The facts of an end and the answer that goes with them. `answer` null: the key is not completed. */
export interface End {
  context: RequestContext;
  key: IdempotencyRow | null;
  streams: readonly NewStream<RedemptionEvent>[];
  answer: StoredAnswer | null;
  counted?: CountedRecording;
}

/** Ends redemptions: writes the verdict with its facts and the answer of a keyed command, then tells the owners. The
 *  verdict always comes first. Source: architecture §8 steps 3 and 4. */
@Injectable()
export class Conclusion {
  constructor(
    private readonly recorder: Recorder,
    private readonly outcomes: Outcomes,
    private readonly inFlight: InFlightRedemptions,
    private readonly settlement: SettlementPusher,
  ) {}

  /** Runs what claims and concludes a redemption. Owners that ask about it meanwhile wait a moment for its verdict. */
  during<T>(redemptionId: string, work: () => Promise<T>): Promise<T> {
    return this.inFlight.during(redemptionId, work);
  }

  /** Records a redemption. `claims`: the ids of the promises that count; everything else in the ledger is given back. Where
   *  it throws, the end is unknown: nothing is settled here, the owners ask. */
  async succeed(end: End, ledger: ClaimLedger, claims: string[]): Promise<RecordingEnd> {
    const outcome: Outcome = { redemption_id: ledger.redemptionId, verdict: 'RECORDED', claims };
    const recorded = await this.record(end, outcome);
    this.settle(
      end.context,
      recorded === 'recorded' ? outcome : { ...outcome, verdict: 'ABANDONED', claims: [] },
      ledger,
    );
    return recorded;
  }

  /** Records a failed redemption. `ledger`: what was claimed for it, which is abandoned in the same transaction and given back
   *  after it; null where nothing was. Where it throws, the end is unknown, as above. */
  async refuse(end: End, ledger: ClaimLedger | null): Promise<RecordingEnd> {
    if (!ledger) return this.record(end, null);
    const outcome: Outcome = { redemption_id: ledger.redemptionId, verdict: 'ABANDONED', claims: [] };
    const recorded = await this.record(end, outcome);
    this.settle(end.context, outcome, ledger);
    return recorded;
  }

  /** Gives up after claims were sent, without a record: the verdict, then the reverts. */
  async abandon(context: RequestContext, ledger: ClaimLedger): Promise<void> {
    const outcome = await this.verdictOn(ledger.redemptionId);
    if (outcome) this.settle(context, outcome, ledger);
  }

  /** The binding verdict: ABANDONED from now on where none stood. */
  async verdictOn(redemptionId: string): Promise<Outcome | null> {
    const [outcome] = await this.outcomes.resolve([redemptionId]);
    return outcome ?? null;
  }

  private async record({ key, answer, ...end }: End, outcome: Outcome | null): Promise<RecordingEnd> {
    const ended = await this.recorder.record({ ...end, outcome, key: key && answer && { row: key, answer } });
    if (outcome) this.inFlight.ended(outcome.redemption_id);
    return ended;
  }

  private settle({ project, requestId }: RequestContext, outcome: Outcome, ledger: ClaimLedger): void {
    this.settlement.push({ project, requestId, outcome, claims: ledger.sent() });
  }
}
