import type { FixedDiscount } from '../discount';
import { discountOrder } from './discount-order';
import type { Effect } from './effect';
import { orderBaseOf } from './order-base';

/** Sets the total to `fixed_amount`, however many bundles: what the base is above it comes off. Never raises it.
 *  Source: reference 01 §5, §9. */
export const fixedToOrder: Effect<FixedDiscount> = {
  type: 'FIXED',
  effect: 'APPLY_TO_ORDER',
  apply: (order, { discount: { fixed_amount } }, { mode }) =>
    discountOrder(order, orderBaseOf(order, mode) - Math.max(0, Math.round(fixed_amount))),
};
