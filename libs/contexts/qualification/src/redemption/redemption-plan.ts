import type { ClaimAsks } from '@scrip/contracts/claims';
import type { CustomerSnapshot, OrderRedemption, OrderSnapshot } from '@scrip/contracts/customers';
import type { IdSource } from '@scrip/kernel';
import type { WantedClaim } from '../claiming/claim-ledger';
import type { Described, Use } from '../participants/redeemable-kind';
import type { EvaluatedRedeemable, Evaluation } from '../evaluation/evaluate';
import { type RequestOrder, orderAfter } from '../evaluation/request-order';

/** One redeemable that is going to be redeemed. */
export interface PlannedRedemption {
  id: string;
  evaluated: EvaluatedRedeemable;
  described: Described;
  /** Null where nothing has to be claimed for it. */
  claim: WantedClaim | null;
}

/** What a valid evaluation turns into: ids are given, nothing is claimed yet. A stack has a parent, whose id everything
 *  is claimed under; a single is claimed under its own. */
export interface RedemptionPlan {
  outcomeId: string;
  parentId: string | null;
  redemptions: PlannedRedemption[];
  order: ClaimAsks['order'] | null;
}

const entryOf = (
  plan: Omit<RedemptionPlan, 'order'>,
  said: Pick<OrderRedemption, 'date' | 'difference' | 'referrer_id'>,
): OrderRedemption => {
  const [only] = plan.redemptions;
  return plan.parentId === null
    ? {
        ...said,
        related_object_type: only!.described.related.type,
        related_object_id: only!.described.related.id,
        related_object_parent_id: only!.described.related.parentId,
      }
    : {
        ...said,
        related_object_type: 'redemption',
        related_object_id: plan.parentId,
        related_object_parent_id: null,
        stacked: plan.redemptions.map(({ id }) => id),
      };
};

/** The ids of one attempt: the same in each of its rounds. */
export interface PlannedIds {
  outcomeId: string;
  orderId: string;
  /** Of the redeemables of a stack, by their place in the request. */
  childId: (index: number) => string;
}

/** The ids of an attempt. */
export const plannedIds = (ids: IdSource): PlannedIds => {
  const children = new Map<number, string>();
  return {
    outcomeId: ids.next('r_', 'redemption'),
    orderId: ids.next('ord_', 'order'),
    childId: (index) => {
      const id = children.get(index) ?? ids.next('r_', `redemption:${index}`);
      children.set(index, id);
      return id;
    },
  };
};

const claimOf = ({ candidate, calculated }: EvaluatedRedeemable, use: Use): WantedClaim | null => {
  const { kind, found } = candidate;
  const asked = kind && calculated.status === 'APPLICABLE' ? kind.asks(found, calculated.result, use) : null;
  return asked && { participant: kind!.participant, ...asked };
};

/** Who refers the customer of an order by the first referral code among these; null: none of them is one, or the order has a referrer
 *  that no code named. Source: reference 03 §6.1. */
const referrerOf = (
  stored: OrderSnapshot | null,
  applicable: readonly EvaluatedRedeemable[],
): string | null => {
  const vouchers = applicable.flatMap(({ described }) => described?.voucher ?? []);
  const named = vouchers.find(({ referrer_id }) => referrer_id !== null)?.referrer_id ?? null;
  const entries = Object.values(stored?.redemptions ?? {});
  const isFree =
    !stored?.referrer_id ||
    entries.some((entry) => !entry.rollback_id && entry.referrer_id === stored.referrer_id);
  return isFree ? named : null;
};

/** Names what will be redeemed. `session`: whose holds it uses up, null for none. `date`: when, ISO. Source: reference 03 §6.1. */
export const planRedemption = (
  evaluation: Evaluation,
  {
    order,
    customer,
    session,
    date,
    ids: { outcomeId, orderId, childId },
  }: {
    order: RequestOrder | null;
    customer: CustomerSnapshot | null;
    session: string | null;
    date: string;
    ids: PlannedIds;
  },
): RedemptionPlan => {
  const applicable = evaluation.redeemables.filter(({ calculated }) => calculated.status === 'APPLICABLE');
  const stacked = applicable.length > 1;
  const after =
    order && evaluation.order
      ? orderAfter(order, evaluation.order, { newId: orderId, customerId: customer?.id ?? null, at: date })
      : null;
  const paid = after && { id: after.id, source_id: after.source_id };
  const plan = {
    outcomeId,
    parentId: stacked ? outcomeId : null,
    redemptions: applicable.map((evaluated, index) => {
      const id = stacked ? childId(index) : outcomeId;
      const claim = claimOf(evaluated, {
        spentOn: { redemption_id: id, order: paid },
        customerId: customer?.id ?? null,
        session,
      });
      return { id, evaluated, described: evaluated.described!, claim };
    }),
  };
  if (!order || !after) return { ...plan, order: null };
  const referrerId = referrerOf(order.stored?.order ?? null, applicable);
  const difference = evaluation.difference ?? {};
  const entry = entryOf(plan, { date, difference, ...(referrerId && { referrer_id: referrerId }) });
  return {
    ...plan,
    order: {
      order: {
        ...after,
        referrer_id: after.referrer_id ?? referrerId,
        redemptions: { ...after.redemptions, [outcomeId]: entry },
      },
      base_version: order.stored?.version ?? null,
      ...(order.stored?.after === undefined ? {} : { after: order.stored.after }),
    },
  };
};
