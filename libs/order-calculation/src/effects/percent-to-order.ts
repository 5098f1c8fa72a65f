import type { PercentDiscount } from '../discount';
import { openTotalOf } from '../order-state';
import { percentOf } from '../percentage';
import { discountOrder } from './discount-order';
import type { Effect } from './effect';

/** min(`percent_off` of the base, `amount_limit`, what is left). The base is what is left, or the initial amount where
 *  the mode says so. Source: spec 01 §5. */
export const percentToOrder: Effect<PercentDiscount> = {
  type: 'PERCENT',
  effect: 'APPLY_TO_ORDER',
  apply: (order, { percent_off, amount_limit = Number.MAX_SAFE_INTEGER }, { mode }) => {
    const base = mode === 'INITIAL_AMOUNT' ? (order.initialAmount ?? 0) : openTotalOf(order);
    return discountOrder(order, Math.min(percentOf(base, percent_off), amount_limit));
  },
};
