import type { OrderSnapshot } from '@scrip/contracts/customers';
import type {
  RedemptionChannel,
  RedemptionClaims,
  RedemptionCounts,
  RedemptionFailed,
  RedemptionSnapshot,
  RedemptionSucceeded,
} from '@scrip/contracts/qualification';
import type { IdSource } from '@scrip/kernel';
import type { CalculatedOrder } from '@scrip/order-calculation';
import { becauseOf } from '@scrip/order-preview';
import type { QualificationRefusal } from '../qualification.refusals';
import type { HeldClaim } from '../claiming/claim-ledger';
import type { Described } from '../participants/redeemable-kind';
import type { Participants } from '../participants/participants';
import { statusAndMessageOf } from '../qualification.refusals';
import type { EvaluatedRedeemable, Evaluation } from '../evaluation/evaluate';
import type { PlannedRedemption, RedemptionPlan } from './redemption-plan';

/** What all redemptions of one request have in common. */
export interface RequestFacts {
  date: string;
  customer_id: string | null;
  tracking_id: string | null;
  metadata: Record<string, unknown> | null;
  channel: RedemptionChannel;
}

const succeeded = (
  requestFacts: RequestFacts,
  own: Pick<
    RedemptionSnapshot,
    | 'id'
    | 'redemption'
    | 'related_object_type'
    | 'related_object_id'
    | 'order'
    | 'voucher'
    | 'promotion_tier'
    | 'promotion_stack'
    | 'amount'
    | 'session_key'
  >,
): RedemptionSnapshot => ({
  object: 'redemption',
  result: 'SUCCESS',
  status: 'SUCCEEDED',
  ...requestFacts,
  ...own,
});

/** What a redemption keeps of the promotion that it is of; nothing for vouchers. */
const promotionOf = ({
  tier,
  stack,
}: Pick<Described, 'tier' | 'stack'>): Pick<RedemptionSnapshot, 'promotion_tier' | 'promotion_stack'> => ({
  ...(tier ? { promotion_tier: tier } : {}),
  ...(stack ? { promotion_stack: stack } : {}),
});

/** The order right after one redeemable of a stack: the final one with that step's figures and no others, since a step
 *  leaves out what is 0. What redemptions did to it stands in the parent's order. */
const orderAtStep = (final: OrderSnapshot | null, step: CalculatedOrder | null): OrderSnapshot | null => {
  if (!final || !step) return null;
  const { id, source_id, status, customer_id, referrer_id, metadata, created_at, updated_at } = final;
  const own = { id, source_id, status, customer_id, referrer_id, metadata, created_at, updated_at };
  return { ...own, ...step, redemptions: {} };
};

/** The events of a redemption that the owners granted, by stream: one per redeemable, and first the parent of a stack.
 *  Source: reference 03 §6.2, §13. */
export const successFacts = (
  plan: RedemptionPlan,
  held: readonly HeldClaim[],
  requestFacts: RequestFacts,
  { participants, counts }: { participants: Pick<Participants, 'named'>; counts: RedemptionCounts },
): { streamId: string; events: [RedemptionSucceeded] }[] => {
  const explain = (claim: HeldClaim) => participants.named(claim.participant).explain(claim.granted);
  const promiseOf = ({ claim: wanted }: PlannedRedemption): HeldClaim | undefined =>
    wanted
      ? held.find((one) => one.participant === wanted.participant && one.object_id === wanted.object_id)
      : undefined;
  const orderPromise = held.find(({ asks }) => asks.order);
  const order = orderPromise ? (explain(orderPromise).order ?? null) : null;
  const orderClaim =
    orderPromise && order
      ? {
          claim_id: orderPromise.claim_id,
          order_id: order.id,
          difference: order.redemptions[plan.outcomeId]?.difference ?? {},
        }
      : null;
  const claimsOf = (planned: PlannedRedemption): RedemptionClaims['redeemables'] => {
    const promise = promiseOf(planned);
    if (!promise) return [];
    const { participant, claim_id, object_id } = promise;
    const { answer } = explain(promise);
    return [{ participant, claim_id, object_id, ...(answer === undefined ? {} : { answer }) }];
  };
  const sessionOf = (planned: PlannedRedemption): Pick<RedemptionSnapshot, 'session_key'> => {
    const promise = promiseOf(planned);
    const session = promise && explain(promise).hold ? promise.asks.hold?.session : undefined;
    return session === undefined ? {} : { session_key: session };
  };
  const own = plan.redemptions.map((planned) => {
    const { id, evaluated, described } = planned;
    const promise = promiseOf(planned);
    const explained = promise ? explain(promise) : {};
    const step = evaluated.calculated.status === 'APPLICABLE' ? evaluated.calculated.order : null;
    const redemption = succeeded(requestFacts, {
      id,
      redemption: plan.parentId,
      related_object_type: described.related.type,
      related_object_id: described.related.id,
      order: plan.parentId === null ? order : orderAtStep(order, step),
      voucher: explained.voucher ?? described.voucher,
      ...promotionOf(described),
      ...(explained.amount === undefined ? {} : { amount: explained.amount }),
      ...sessionOf(planned),
    });
    const claims: RedemptionClaims = {
      outcome_id: plan.outcomeId,
      redeemables: claimsOf(planned),
      order: plan.parentId === null ? orderClaim : null,
    };
    const single = plan.parentId === null;
    const data = { redemption, campaign: described.campaign, claims, counts: single ? counts : null };
    return { streamId: id, events: [{ type: 'RedemptionSucceeded', data }] as [RedemptionSucceeded] };
  });
  if (plan.parentId === null) return own;
  const parent: RedemptionSucceeded = {
    type: 'RedemptionSucceeded',
    data: {
      redemption: {
        ...succeeded(requestFacts, {
          id: plan.parentId,
          redemption: null,
          related_object_type: 'redemption',
          related_object_id: plan.parentId,
          order,
          voucher: null,
          ...promotionOf({ stack: plan.redemptions[0]?.described.stack }),
          ...plan.redemptions.map(sessionOf).find(({ session_key }) => session_key !== undefined),
        }),
        stacked: plan.redemptions.map(({ id }) => id),
      },
      campaign: null,
      claims: {
        outcome_id: plan.outcomeId,
        redeemables: plan.redemptions.flatMap(claimsOf),
        order: orderClaim,
      },
      counts,
    },
  };
  return [{ streamId: plan.parentId, events: [parent] }, ...own];
};

/** Why a redemption failed. `about`: the redeemable that it is of; null: of none by itself. `because`: what explanations tell, where
 *  that is another refusal. `parentId`: of the stack that was redeemed without it. */
export interface Failure {
  refusal: QualificationRefusal;
  about: EvaluatedRedeemable | null;
  because?: QualificationRefusal | null;
  parentId?: string | null;
}

/** The first redeemable that does not apply, and why; null: none says so. */
export const firstRefusalOf = ({
  redeemables,
}: Evaluation): { refusal: QualificationRefusal; about: EvaluatedRedeemable } | null => {
  for (const about of redeemables) {
    if (about.calculated.status === 'INAPPLICABLE') return { refusal: about.calculated.refusal, about };
  }
  return null;
};

/** A failed redemption: related to the redeemable where one was found, else to itself. Source: reference 03 §6.2. */
export const failureFact = (
  id: string,
  { refusal, about, because = null, parentId = null }: Failure,
  requestFacts: RequestFacts,
): { streamId: string; events: [RedemptionFailed] } => {
  const { voucher = null, campaign = null, related, ...described } = about?.described ?? {};
  return {
    streamId: id,
    events: [
      {
        type: 'RedemptionFailed',
        data: {
          redemption: {
            id,
            object: 'redemption',
            ...requestFacts,
            redemption: parentId,
            result: 'FAILURE',
            status: 'FAILED',
            related_object_type: related?.type ?? 'redemption',
            related_object_id: related?.id ?? id,
            failure_code: refusal.refused,
            failure_message: statusAndMessageOf(refusal).message,
            because: becauseOf(because ?? refusal),
            order: null,
            voucher,
            ...promotionOf(described),
          },
          campaign,
        },
      },
    ],
  };
};

/** The failed redemptions of what was left out of a redemption, as it did not apply. Source: reference 03 §14. */
export const leftOutFacts = (
  redeemables: readonly EvaluatedRedeemable[],
  requestFacts: RequestFacts,
  { ids, parentId }: { ids: IdSource; parentId: string | null },
): { streamId: string; events: [RedemptionFailed] }[] =>
  redeemables.flatMap((about, index) => {
    const { calculated } = about;
    if (calculated.status !== 'INAPPLICABLE') return [];
    const id = ids.next('rf_', `failure:${index}`);
    return [failureFact(id, { refusal: calculated.refusal, about, parentId }, requestFacts)];
  });
