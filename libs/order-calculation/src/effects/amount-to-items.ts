import type { AmountDiscount } from '../discount';
import { discountItems } from './discount-items';
import type { Effect } from './effect';

/** `amount_off` per line, whatever its quantity, at most the line's subtotal. Source: spec 01 §5. */
export const amountToItems: Effect<AmountDiscount> = {
  type: 'AMOUNT',
  effect: 'APPLY_TO_ITEMS',
  apply: (order, { amount_off, aggregated_amount_limit }) =>
    discountItems(order, () => Math.round(amount_off), { aggregatedAmountLimit: aggregated_amount_limit }),
};
