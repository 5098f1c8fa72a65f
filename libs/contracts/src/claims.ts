import type { Refusal } from '@scrip/kernel';

/** The coordinator's word on one redemption, written once. `claims`: the claim ids a RECORDED verdict confirms;
 *  a claim that is not among them counts as abandoned. Source: architecture §8. */
export interface Outcome {
  redemption_id: string;
  verdict: 'RECORDED' | 'ABANDONED';
  claims: string[];
}

/** One promise asked of an owner under (redemption id, claim id). A repeat under the same ids is answered as the
 *  first was. `replaces`: claim ids of the same redeemable whose answers were lost; they are reverted, or refused
 *  for ever, in the same statement. Source: architecture §8.2. */
export interface ClaimRequest {
  redemption_id: string;
  claim_id: string;
  replaces: string[];
}

/** What became of a claim: the owner's answer, or why it refuses. */
export type Claimed<Answer> = { claim_id: string } & (Answer | { refusal: Refusal });

/** A claim to give back because its redemption is rolled back; repeating it changes nothing. */
export interface RefundRequest {
  redemption_id: string;
  claim_id: string;
  rollback_id: string;
}
