import type { ClaimKey, Outcome, Verdict } from '@scrip/contracts/claims';

/** Returns the verdict on each claim whose redemption has an outcome, in the order of the claims. A claim that its
 *  RECORDED outcome does not list is ABANDONED. Source: architecture §8. */
export const verdictsOn = (outcomes: readonly Outcome[], claims: readonly ClaimKey[]): Verdict[] => {
  const outcomeOf = new Map(outcomes.map((outcome) => [outcome.redemption_id, outcome]));
  return claims.flatMap(({ redemption_id, claim_id }) => {
    const outcome = outcomeOf.get(redemption_id);
    if (!outcome) return [];
    const listed = outcome.verdict === 'RECORDED' && outcome.claims.includes(claim_id);
    return [{ redemption_id, claim_id, verdict: listed ? ('RECORDED' as const) : ('ABANDONED' as const) }];
  });
};
