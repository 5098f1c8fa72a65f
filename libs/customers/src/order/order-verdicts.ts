import { Injectable } from '@nestjs/common';
import { type Outcome, type QualificationPort, qualificationPort } from '@scrip/contracts';
import type { RequestContext } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import type { OrderClaim } from './order-claim';
import { type ClaimVerdict, OrderSettlement } from './order-settlement';

type ClaimToJudge = Omit<ClaimVerdict, 'recorded'>;

/** A claim that its recorded outcome does not list is abandoned all the same. Source: architecture §8.4. */
const verdictsOn = (claims: readonly ClaimToJudge[], outcomes: readonly Outcome[]): ClaimVerdict[] => {
  const outcomeOf = new Map(outcomes.map((outcome) => [outcome.redemption_id, outcome]));
  return claims.flatMap(({ redemption_id, claim_id, project_id, order_id }) => {
    const outcome = outcomeOf.get(redemption_id);
    if (!outcome) return [];
    const recorded = outcome.verdict === 'RECORDED' && outcome.claims.includes(claim_id);
    return [{ redemption_id, claim_id, project_id, order_id, recorded }];
  });
};

/** Learns the coordinator's verdicts on claims and has them carried out. */
@Injectable()
export class OrderVerdicts {
  constructor(
    @InjectPort(qualificationPort) private readonly qualification: QualificationPort,
    private readonly settlement: OrderSettlement,
  ) {}

  /** Carries out what the coordinator told; claims without an outcome stay as they are. */
  async carryOut(outcomes: readonly Outcome[], claims: readonly ClaimToJudge[]): Promise<void> {
    await this.settlement.settle(verdictsOn(claims, outcomes));
  }

  /** Asks for the binding verdict on each claim's redemption (whoever has none yet is abandoned) and carries it out.
   *  Never to be called inside a transaction. */
  async askFor(context: RequestContext, claims: readonly OrderClaim[]): Promise<void> {
    const redemption_ids = [...new Set(claims.map(({ redemption_id }) => redemption_id))];
    await this.carryOut(await this.qualification.resolveOutcomes(context, { redemption_ids }), claims);
  }

  /** Carries out the verdicts that stand; redemptions under way are left alone. */
  async readFor(context: RequestContext, claims: readonly OrderClaim[]): Promise<void> {
    const redemption_ids = [...new Set(claims.map(({ redemption_id }) => redemption_id))];
    await this.carryOut(await this.qualification.readOutcomes(context, { redemption_ids }), claims);
  }
}
