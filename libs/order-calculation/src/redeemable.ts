import type { Refusal } from '@scrip/kernel';
import type { Discount } from './discount';
import type { CalculatedOrder } from './order';

/** What a redeemable gives. Further kinds (gift credits, points, rewards) join here. */
export type Incentive = { discount: Discount };

/** One entry of a request, in the order of processing. `incentive` null: nothing is known that could be applied. */
export interface Redeemable {
  object: 'voucher' | 'promotion_tier';
  id: string;
  incentive: Incentive | null;
}

/** Why a redeemable was passed over; 03 §4.2 has the order of precedence. */
export type SkipReason =
  'preceding_validation_failed' | 'applicable_redeemables_limit_exceeded' | 'no_effect';

/** The sentence that goes with each reason. Source: spec 01 §10. */
export const skipMessages: Record<SkipReason, string> = {
  preceding_validation_failed: 'Redeemable cannot be applied due to preceding validation failure',
  applicable_redeemables_limit_exceeded: 'Applicable redeemables limit exceeded',
  no_effect: 'Redeemable cannot be applied due to no effect',
};

/** What became of one redeemable. `order`: the order right after it, `applied_*` of this redeemable alone; null where
 *  the request has no order. */
export type CalculatedRedeemable = Pick<Redeemable, 'object' | 'id'> &
  (
    | { status: 'APPLICABLE'; order: CalculatedOrder | null; result: { discount: Discount } }
    | { status: 'INAPPLICABLE'; refusal: Refusal }
    | { status: 'SKIPPED'; reason: SkipReason }
  );
