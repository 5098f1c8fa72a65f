import type { ObjectVerdict, Verdict } from '@scrip/contracts/claims';
import type { QualificationPort } from '@scrip/contracts/qualification';
import type { RequestContext } from '@scrip/kernel';
import type { ClaimSettlement } from './claim-settlement';
import type { ObjectClaim } from './claim-state';

/** As many as one question may name. */
export const claimsPerQuestion = 1_000;

const pagesOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, page) =>
    all.slice(page * size, (page + 1) * size),
  );

const onObjects = (verdicts: readonly Verdict[], claims: readonly ObjectClaim[]): ObjectVerdict[] => {
  const objects = new Map(claims.map(({ claim_id, object_id }) => [claim_id, object_id]));
  return verdicts.flatMap((verdict) => {
    const object_id = objects.get(verdict.claim_id);
    return object_id === undefined ? [] : [{ ...verdict, object_id }];
  });
};

/** Learns the coordinator's verdicts on claims and has them carried out. */
export class Verdicts {
  constructor(
    private readonly qualification: QualificationPort,
    private readonly settlement: ClaimSettlement,
  ) {}

  /** Asks for the binding verdict on each claim (a redemption without an outcome is abandoned) and carries it out. Never
   *  call it inside a transaction. */
  async ask(context: RequestContext, claims: readonly ObjectClaim[]): Promise<void> {
    for (const page of pagesOf(claims, claimsPerQuestion)) {
      const keys = page.map(({ redemption_id, claim_id }) => ({ redemption_id, claim_id }));
      const verdicts = await this.qualification.resolveOutcomes(context, { claims: keys });
      await this.settlement.settle(context, onObjects(verdicts, page));
    }
  }

  /** Carries out the verdicts that stand by now; redemptions under way are left alone. */
  async read(context: RequestContext, claims: readonly ObjectClaim[]): Promise<void> {
    for (const page of pagesOf(claims, claimsPerQuestion)) {
      const keys = page.map(({ redemption_id, claim_id }) => ({ redemption_id, claim_id }));
      const verdicts = await this.qualification.readOutcomes(context, { claims: keys });
      await this.settlement.settle(context, onObjects(verdicts, page));
    }
  }
}
