import type {
  CampaignSnapshot,
  OrderSnapshot,
  RedemptionChannel,
  RedemptionFailed,
  RedemptionSnapshot,
  RedemptionSucceeded,
  VoucherSnapshot,
} from '@scrip/contracts';
import type { Refusal } from '@scrip/kernel';
import type { CalculatedOrder } from '@scrip/order-calculation';
import { statusAndMessageOf } from '../qualification.refusals';
import type { EvaluatedRedeemable } from '../validation/evaluate';
import type { RedemptionPlan } from './redemption-plan';

/** What all redemptions of one request have in common. */
export interface Circumstances {
  date: string;
  customer_id: string | null;
  tracking_id: string | null;
  metadata: Record<string, unknown> | null;
  channel: RedemptionChannel;
}

/** The owners' promises, vouchers in the order of the plan. */
export interface Granted {
  vouchers: { claim_id: string; voucher: VoucherSnapshot }[];
  order: { claim_id: string; order: OrderSnapshot } | null;
}

const succeeded = (
  circumstances: Circumstances,
  own: Pick<
    RedemptionSnapshot,
    'id' | 'redemption' | 'related_object_type' | 'related_object_id' | 'order' | 'voucher'
  >,
): RedemptionSnapshot => ({
  object: 'redemption',
  result: 'SUCCESS',
  status: 'SUCCEEDED',
  ...circumstances,
  ...own,
});

/** The order right after one redeemable of a stack: the final one with that step's figures. */
const orderAtStep = (final: OrderSnapshot | undefined, step: CalculatedOrder | null): OrderSnapshot | null =>
  final && step ? { ...final, ...step } : null;

const appliedTo = (order: OrderSnapshot) => ({
  discount_amount: order.applied_discount_amount ?? 0,
  items_discount_amounts: order.items.map(({ applied_discount_amount }) => applied_discount_amount ?? 0),
});

/** The events of a redemption that the owners granted, by stream: one per redeemable, and first the parent of a stack.
 *  Source: spec 03 §6.2, §13. */
export const successFacts = (
  plan: RedemptionPlan,
  granted: Granted,
  circumstances: Circumstances,
): { streamId: string; events: [RedemptionSucceeded] }[] => {
  const order = granted.order;
  const orderClaim = order && {
    claim_id: order.claim_id,
    order_id: order.order.id,
    ...appliedTo(order.order),
  };
  const claimOf = (index: number) => ({
    claim_id: granted.vouchers[index]!.claim_id,
    voucher_id: plan.redemptions[index]!.voucherId,
  });
  const own = plan.redemptions.map(({ id, evaluated, voucherId }, index) => ({
    streamId: id,
    events: [
      {
        type: 'RedemptionSucceeded',
        data: {
          redemption: succeeded(circumstances, {
            id,
            redemption: plan.parentId,
            related_object_type: 'voucher',
            related_object_id: voucherId,
            order:
              plan.parentId === null
                ? (order?.order ?? null)
                : orderAtStep(
                    order?.order,
                    evaluated.outcome.status === 'APPLICABLE' ? evaluated.outcome.order : null,
                  ),
            voucher: granted.vouchers[index]!.voucher,
          }),
          campaign: evaluated.loaded?.campaign ?? null,
          claims: {
            outcome_id: plan.outcomeId,
            vouchers: [claimOf(index)],
            order: plan.parentId === null ? orderClaim : null,
          },
        },
      } satisfies RedemptionSucceeded,
    ] as [RedemptionSucceeded],
  }));
  if (plan.parentId === null) return own;
  const parent: RedemptionSucceeded = {
    type: 'RedemptionSucceeded',
    data: {
      redemption: {
        ...succeeded(circumstances, {
          id: plan.parentId,
          redemption: null,
          related_object_type: 'redemption',
          related_object_id: plan.parentId,
          order: order?.order ?? null,
          voucher: null,
        }),
        stacked: plan.redemptions.map(({ id }) => id),
      },
      campaign: null,
      claims: {
        outcome_id: plan.outcomeId,
        vouchers: plan.redemptions.map((_, index) => claimOf(index)),
        order: orderClaim,
      },
    },
  };
  return [{ streamId: plan.parentId, events: [parent] }, ...own];
};

/** A failed attempt: related to the voucher where one was found, else to itself. Source: spec 03 §6.2. */
export const failureFact = (
  id: string,
  refusal: Refusal,
  about: EvaluatedRedeemable | null,
  circumstances: Circumstances,
): { streamId: string; events: [RedemptionFailed] } => {
  const voucher = about?.loaded?.voucher ?? null;
  const campaign: CampaignSnapshot | null = about?.loaded?.campaign ?? null;
  return {
    streamId: id,
    events: [
      {
        type: 'RedemptionFailed',
        data: {
          redemption: {
            id,
            object: 'redemption',
            ...circumstances,
            redemption: null,
            result: 'FAILURE',
            status: 'FAILED',
            related_object_type: voucher ? 'voucher' : 'redemption',
            related_object_id: voucher?.id ?? id,
            failure_code: refusal.refused,
            failure_message: statusAndMessageOf(refusal).message,
            order: null,
            voucher,
          },
          campaign,
        },
      },
    ],
  };
};
