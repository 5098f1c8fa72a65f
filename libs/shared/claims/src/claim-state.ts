import type { ClaimAsks, ClaimKey } from '@scrip/contracts/claims';
import { refuse } from '@scrip/kernel';

/** PROVISIONAL → CONFIRMED → REFUNDED, or PROVISIONAL → REVERTED. A REVERTED row that was never anything else is a
 *  tombstone: it refuses a late claim until it is deleted, after 30 days. Source: architecture §8. */
export type ClaimState = 'PROVISIONAL' | 'CONFIRMED' | 'REFUNDED' | 'REVERTED';

/** A claim and the object that it is on. */
export interface ObjectClaim extends ClaimKey {
  object_id: string;
}

/** A claim as an owner makes it. `replaces`: claim ids on the same object. */
export interface NewClaim extends ObjectClaim {
  asks: ClaimAsks;
  replaces: readonly string[];
}

/** A claim as it is stored. `kept`: JSON that the owner needs to answer a repeat and to give back; null for tombstones. `beside`: what the
 *  owner reads with it, see `ClaimTableOptions`. */
export interface ClaimRow extends ObjectClaim {
  state: ClaimState;
  kept: object | null;
  beside?: unknown;
}

/** A claim without a verdict; age by the database's clock. */
export interface ProvisionalClaim extends ObjectClaim {
  age_ms: number;
}

/** A move of one claim row, written in the statement of the events that belong to it. `from` null: there must be no such
 *  row. */
export interface ClaimMove extends ClaimKey {
  from: ClaimState | null;
  to: ClaimState;
  kept?: object;
  rollback_id?: string;
}

/** Refuses a claim whose redemption the coordinator abandoned. */
export const claimAbandoned = (claimId: string) => refuse('claim_abandoned', claimId);
