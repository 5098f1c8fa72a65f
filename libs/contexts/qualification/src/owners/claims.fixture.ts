import type { ObjectVerdict } from '@scrip/contracts/claims';
import { refuse } from '@scrip/kernel';

type ClaimState = 'PROVISIONAL' | 'CONFIRMED' | 'REVERTED' | 'REFUNDED';

interface Claim {
  redemption_id: string;
  object_id: string;
  state: ClaimState;
}

/** Refuses a claim that was given up before it came. */
export const abandoned = (claimId: string) => refuse('claim_abandoned', claimId);

/** As it would come over the wire: what one side changes, the other does not see. */
export const copied = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** The claims of one owner, as the architecture describes them, in memory. */
export class FakeClaims {
  readonly rows = new Map<string, Claim>();

  count(state: ClaimState): number {
    return [...this.rows.values()].filter((claim) => claim.state === state).length;
  }

  settle(verdicts: readonly ObjectVerdict[]): Claim[] {
    const reverted: Claim[] = [];
    for (const { claim_id, redemption_id, object_id, verdict } of verdicts) {
      const row = this.rows.get(claim_id);
      if (row && row.state !== 'PROVISIONAL') continue;
      const confirmed = verdict === 'RECORDED';
      if (row && !confirmed) reverted.push(row);
      this.rows.set(claim_id, { redemption_id, object_id, state: confirmed ? 'CONFIRMED' : 'REVERTED' });
    }
    return reverted;
  }
}
