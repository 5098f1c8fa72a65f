import type { Claimed, ClaimsRequest, Participant, Refunded } from '@scrip/contracts/claims';
import { refuse } from '@scrip/kernel';
import { FakeClaims } from '../owners/claims.fixture';
import type { RegisteredParticipant } from './participants';
import type { RedeemableKind } from './redeemable-kind';

/** What an account of the fixture's owner shows: credits in minor units. */
export interface CreditsFacts {
  id: string;
  balance: number;
}

/** What a claim took, and what is left. */
export interface CreditsGranted {
  taken: number;
  balance: number;
}

type Answer = Claimed<CreditsGranted, CreditsFacts>;

/** An owner of accounts with credits, in memory. It exists in specs only, and proves that redeeming needs to know nothing
 *  of an owner but the contract. */
export class FakeCredits implements Participant<CreditsFacts, CreditsGranted> {
  readonly claims = new FakeClaims();
  readonly balances = new Map<string, number>();
  private readonly taken = new Map<string, number>();

  load: Participant<CreditsFacts>['load'] = async (_, { objects }) =>
    objects.map((id) =>
      this.balances.has(id) ? { id, balance: this.balances.get(id)! } : refuse('not_found', id),
    );

  claim = async (_: unknown, { redemption_id, claims }: ClaimsRequest): Promise<Answer[]> =>
    claims.map(({ claim_id, object_id, asks, replaces = [] }): Answer => {
      this.abandon(redemption_id, object_id, replaces);
      if (this.claims.rows.get(claim_id)?.state === 'REVERTED') {
        return { claim_id, refusal: refuse('claim_abandoned', claim_id), facts: null };
      }
      const balance = this.balances.get(object_id)!;
      const credits = asks.credits!;
      if (balance < credits) {
        return {
          claim_id,
          refusal: refuse('quantity_exceeded', object_id),
          facts: { id: object_id, balance },
        };
      }
      this.claims.rows.set(claim_id, { redemption_id, object_id, state: 'PROVISIONAL' });
      this.taken.set(claim_id, credits);
      this.balances.set(object_id, balance - credits);
      return { claim_id, granted: { taken: credits, balance: balance - credits } };
    });

  settle: Participant['settle'] = async (_, { verdicts }) => {
    for (const { claim_id, object_id } of verdicts) {
      const provisional = this.claims.rows.get(claim_id)?.state === 'PROVISIONAL';
      const [reverted] = this.claims.settle(verdicts.filter((one) => one.claim_id === claim_id));
      if (provisional && reverted) this.giveBack(claim_id, object_id);
    }
    return null;
  };

  refund: Participant<CreditsFacts, CreditsGranted>['refund'] = async (_, { claims }) =>
    claims.map(({ claim_id, object_id }): Refunded<CreditsGranted> => {
      const row = this.claims.rows.get(claim_id);
      if (row?.state !== 'CONFIRMED' && row?.state !== 'REFUNDED') {
        return { claim_id, refusal: refuse('claim_abandoned', claim_id) };
      }
      if (row.state === 'CONFIRMED') this.giveBack(claim_id, object_id);
      row.state = 'REFUNDED';
      return { claim_id, granted: { taken: 0, balance: this.balances.get(object_id)! } };
    });

  private abandon(redemption_id: string, object_id: string, claimIds: readonly string[]): void {
    const verdicts = claimIds.map((claim_id) => ({
      redemption_id,
      claim_id,
      object_id,
      verdict: 'ABANDONED' as const,
    }));
    void this.settle({} as never, { verdicts });
  }

  private giveBack(claimId: string, objectId: string): void {
    this.balances.set(objectId, this.balances.get(objectId)! + this.taken.get(claimId)!);
  }
}

export const creditsParticipant = (port: FakeCredits): RegisteredParticipant => ({
  name: 'credits',
  port: port as unknown as Participant,
  explain: (granted) => ({ amount: (granted as CreditsGranted).taken, answer: granted }),
  campaignOf: () => null,
});

/** Accounts are named as promotion tiers in requests, and pay what the order takes. */
export const creditsKind: RedeemableKind<CreditsFacts> = {
  object: 'promotion_tier',
  participant: 'credits',
  calculable: ({ id, balance }) => ({ id, incentive: { gift: { balance, effect: 'APPLY_TO_ORDER' } } }),
  unusable: ({ id, balance }, { usesAreClaimed }) =>
    balance > 0 || usesAreClaimed ? null : refuse('quantity_exceeded', id),
  asks: ({ id }, { gift }) =>
    gift && gift.credits > 0 ? { object_id: id, asks: { credits: gift.credits } } : null,
  label: () => 'Gift Card',
  isHeldBy: () => false,
  describe: ({ id }) => ({
    related: { type: 'promotion_tier', id, parentId: null },
    voucher: null,
    campaign: null,
    metadata: {},
    campaignName: null,
    campaignId: null,
    categories: [],
  }),
};
