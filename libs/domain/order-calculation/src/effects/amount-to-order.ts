import type { AmountDiscount } from '../discount';
import { discountOrder } from './discount-order';
import type { Effect } from './effect';
import { limitOf } from './limit';

/** min(`amount_off` per bundle, `aggregated_amount_limit`, what is left). Source: reference 01 §5, §9. */
export const amountToOrder: Effect<AmountDiscount> = {
  type: 'AMOUNT',
  effect: 'APPLY_TO_ORDER',
  apply: (order, { discount: { amount_off, aggregated_amount_limit }, times }) =>
    discountOrder(order, Math.min(Math.round(amount_off) * times, limitOf(aggregated_amount_limit))),
};
