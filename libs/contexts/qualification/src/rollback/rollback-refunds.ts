import { Injectable, Logger } from '@nestjs/common';
import type { CampaignSnapshot } from '@scrip/contracts/campaigns';
import { loadAll, type Refunded, type RefundRequest } from '@scrip/contracts/claims';
import type { OrderSnapshot } from '@scrip/contracts/customers';
import type { RedemptionClaims } from '@scrip/contracts/qualification';
import { Fault, type RequestContext, isRefused } from '@scrip/kernel';
import { tierKind } from '../participants/tier-kind';
import type { QualificationRefusal } from '../qualification.refusals';
import { byParticipant, type Explained, Participants, orderParticipant } from '../participants/participants';
import type { Returned, Undone } from './rollback.decider';

type Claim = RedemptionClaims['redeemables'][number];
type Answers = Map<string, Refunded<unknown>>;

const claimsOf = ({ state }: Undone): RedemptionClaims => {
  if (!state.claims) throw new Error(`redemption ${state.redemption.id} has nothing to give back`);
  return state.claims;
};

/** A parent lists what its children took: they give it back themselves. */
const redeemableClaimsOf = (undone: Undone): Claim[] =>
  undone.state.redemption.stacked ? [] : claimsOf(undone).redeemables;

/** Has the owners give back what redemptions took. Source: reference 03 §9. */
@Injectable()
export class RollbackRefunds {
  private readonly logger = new Logger(RollbackRefunds.name);

  constructor(private readonly participants: Participants) {}

  /** `undone`: a single, or a parent and then its children. Each owner gets one call for its redeemables, the owner of the
   *  order one for the discounts. Repeating it changes nothing. Returns in the same order. Throws `Fault` where an owner
   *  is away. */
  async giveBack(context: RequestContext, undone: readonly [Undone, ...Undone[]]): Promise<Returned[]> {
    const [refunds, order, campaigns] = await Promise.all([
      this.refundRedeemables(context, undone),
      this.refundOrder(context, undone),
      this.campaignsOf(context, undone),
    ]);
    return undone.map((one): Returned => {
      const { voucher } = one.state.redemption;
      const [claim] = redeemableClaimsOf(one);
      const returned = claim ? this.explained(claim, refunds.get(claim.claim_id)) : null;
      return {
        voucher: returned?.voucher ?? voucher,
        transaction: returned?.transaction ?? null,
        order,
        campaign: campaigns.get(one.state.redemption.related_object_id) ?? null,
      };
    });
  }

  private async refundRedeemables(context: RequestContext, undone: readonly Undone[]): Promise<Answers> {
    const owed = undone.flatMap((one) =>
      redeemableClaimsOf(one).map(({ participant, claim_id, object_id }) => ({
        participant,
        refund: {
          redemption_id: claimsOf(one).outcome_id,
          rollback_id: one.rollback.id,
          claim_id,
          object_id,
        },
      })),
    );
    const answers = await Promise.all(
      byParticipant(owed).map(([participant, own]) =>
        this.participants
          .named(participant)
          .port.refund(context, { claims: own.map(({ refund }) => refund) }),
      ),
    );
    return new Map(answers.flat().map((answer) => [answer.claim_id, answer]));
  }

  private async refundOrder(
    context: RequestContext,
    [first, ...children]: readonly [Undone, ...Undone[]],
  ): Promise<OrderSnapshot | null> {
    const { order: claim, outcome_id } = claimsOf(first);
    const before = first.state.redemption.order;
    if (!claim) return before;
    const { rollback } = first;
    const { claim_id, order_id, difference } = claim;
    const refund: RefundRequest = {
      redemption_id: outcome_id,
      claim_id,
      object_id: order_id,
      rollback_id: rollback.id,
      order: {
        mode: rollback.rollback_order_mode ?? 'WITH_ORDER',
        rolled_back_at: rollback.date,
        difference,
        ...(children.length > 0 ? { rollback_stacked: children.map((child) => child.rollback.id) } : {}),
      },
    };
    const { port } = this.participants.named(orderParticipant);
    const [refunded] = await port.refund(context, { claims: [refund] });
    const order = { participant: orderParticipant, claim_id, object_id: order_id };
    return this.explained(order, refunded)?.order ?? before;
  }

  /** What an owner gave back, null where it no longer knows the object and has nothing to give back to: the redemption's
   *  own copy is shown then. Any other refusal of a refund is a broken promise. */
  private explained(
    { participant, claim_id }: Claim,
    refunded: Refunded<unknown> | undefined,
  ): Explained | null {
    if (!refunded) throw new Error(`${participant} left the refund of ${claim_id} unanswered`);
    if ('granted' in refunded) return this.participants.named(participant).explain(refunded.granted);
    const { refused, details }: QualificationRefusal = refunded.refusal;
    if (refused !== 'not_found') throw new Fault('unavailable', `a refund was refused: ${refused}`);
    this.logger.warn(`nothing to give back to: ${details ?? refused}`);
    return null;
  }

  /** Campaigns as they are now, by the id of the redeemable; those that are gone are left out. */
  private async campaignsOf(
    context: RequestContext,
    undone: readonly Undone[],
  ): Promise<Map<string, CampaignSnapshot | null>> {
    const ofCampaigns = undone.flatMap((one) => {
      const { voucher, promotion_tier } = one.state.redemption;
      if (promotion_tier) return [{ participant: tierKind.participant, object_id: promotion_tier.id }];
      return voucher?.campaign_id ? redeemableClaimsOf(one) : [];
    });
    const found = await Promise.all(
      byParticipant(ofCampaigns).map(async ([name, owned]) => {
        const participant = this.participants.source(name);
        const objects = owned.map(({ object_id }) => object_id);
        const facts = await loadAll(participant.port, context, objects);
        return facts.flatMap((one, index) =>
          isRefused(one) ? [] : [[objects[index]!, participant.campaignOf(one)] as const],
        );
      }),
    );
    return new Map(found.flat());
  }
}
