import type { AmountDiscount } from '../discount';
import { discountOrder } from './discount-order';
import type { Effect } from './effect';

/** min(`amount_off`, `aggregated_amount_limit`, what is left). Source: spec 01 §5. */
export const amountToOrder: Effect<AmountDiscount> = {
  type: 'AMOUNT',
  effect: 'APPLY_TO_ORDER',
  apply: (order, { amount_off, aggregated_amount_limit = amount_off }) =>
    discountOrder(order, Math.min(Math.round(amount_off), aggregated_amount_limit)),
};
