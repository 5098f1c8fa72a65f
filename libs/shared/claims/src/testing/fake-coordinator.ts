import type { ClaimKey, Outcome, Verdict } from '@scrip/contracts/claims';
import type { QualificationPort } from '@scrip/contracts/qualification';
import type { RequestContext } from '@scrip/kernel';

/** A coordinator whose outcomes a test sets. To ask about a redemption without an outcome is to abandon it. */
export class FakeCoordinator implements QualificationPort {
  checkExport: QualificationPort['checkExport'] = async () => ({ fits: true });

  writeExport: QualificationPort['writeExport'] = async () => ({ rows: 0 });

  readonly outcomes = new Map<string, Outcome>();
  /** Redemption ids, in the order they were asked about. */
  readonly asked: string[] = [];

  record(redemptionId: string, ...claims: string[]): Outcome {
    return this.stands({ redemption_id: redemptionId, verdict: 'RECORDED', claims });
  }

  abandon(redemptionId: string): Outcome {
    return this.stands({ redemption_id: redemptionId, verdict: 'ABANDONED', claims: [] });
  }

  resolveOutcomes(context: RequestContext, request: { claims: ClaimKey[] }): Promise<Verdict[]> {
    for (const { redemption_id } of request.claims) {
      this.asked.push(redemption_id);
      if (!this.outcomes.has(redemption_id)) this.abandon(redemption_id);
    }
    return this.readOutcomes(context, request);
  }

  readOutcomes(_: RequestContext, { claims }: { claims: ClaimKey[] }): Promise<Verdict[]> {
    return Promise.resolve(
      claims.flatMap(({ redemption_id, claim_id }) => {
        const outcome = this.outcomes.get(redemption_id);
        if (!outcome) return [];
        const verdict = outcome.claims.includes(claim_id) ? 'RECORDED' : 'ABANDONED';
        return [{ redemption_id, claim_id, verdict }];
      }),
    );
  }

  private stands(outcome: Outcome): Outcome {
    this.outcomes.set(outcome.redemption_id, outcome);
    return outcome;
  }
}
