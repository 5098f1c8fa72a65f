import type { CustomerSnapshot, OrderRedemption, OrderSnapshot, RedemptionChannel } from '@scrip/contracts';
import type { IdSource, RequestContext } from '@scrip/kernel';
import type { EvaluatedRedeemable, Evaluation } from '../validation/evaluate';
import { type RequestOrder, orderAfter } from '../validation/request-order';

/** One redeemable that is going to be redeemed. */
export interface PlannedRedemption {
  id: string;
  evaluated: EvaluatedRedeemable;
  voucherId: string;
}

/** What a valid evaluation turns into: ids are given, nothing is claimed yet. A stack has a parent, whose id everything
 *  is claimed under; a single is claimed under its own. */
export interface RedemptionPlan {
  outcomeId: string;
  parentId: string | null;
  redemptions: PlannedRedemption[];
  order: { order: OrderSnapshot; base_version: number | null } | null;
}

/** Who caused it. Source: spec 03 §7. */
export const channelOf = ({ user, apiKey }: RequestContext): RedemptionChannel =>
  user
    ? { channel_type: 'USER', channel_id: user.id }
    : { channel_type: 'API', channel_id: apiKey?.id ?? '' };

const entryOf = (plan: Omit<RedemptionPlan, 'order'>, date: string): OrderRedemption => {
  const [only] = plan.redemptions;
  return plan.parentId === null
    ? {
        date,
        related_object_type: 'voucher',
        related_object_id: only!.voucherId,
        related_object_parent_id: only!.evaluated.loaded?.voucher.campaign_id ?? null,
      }
    : {
        date,
        related_object_type: 'redemption',
        related_object_id: plan.parentId,
        related_object_parent_id: null,
        stacked: plan.redemptions.map(({ id }) => id),
      };
};

/** Names what will be redeemed. `date`: when, ISO. Source: spec 03 §6.1. */
export const planRedemption = (
  evaluation: Evaluation,
  {
    order,
    customer,
    date,
    ids,
  }: { order: RequestOrder | null; customer: CustomerSnapshot | null; date: string; ids: IdSource },
): RedemptionPlan => {
  const applicable = evaluation.redeemables.filter(({ outcome }) => outcome.status === 'APPLICABLE');
  const outcomeId = ids.next('r_', 'redemption');
  const stacked = applicable.length > 1;
  const plan = {
    outcomeId,
    parentId: stacked ? outcomeId : null,
    redemptions: applicable.map((evaluated, index) => ({
      id: stacked ? ids.next('r_', `redemption:${index}`) : outcomeId,
      evaluated,
      voucherId: evaluated.loaded!.voucher.id,
    })),
  };
  if (!order || !evaluation.order) return { ...plan, order: null };
  const after = orderAfter(order, evaluation.order, {
    newId: ids.next('ord_', 'order'),
    customerId: customer?.id ?? null,
    at: date,
  });
  return {
    ...plan,
    order: {
      order: { ...after, redemptions: { ...after.redemptions, [outcomeId]: entryOf(plan, date) } },
      base_version: order.stored?.version ?? null,
    },
  };
};
