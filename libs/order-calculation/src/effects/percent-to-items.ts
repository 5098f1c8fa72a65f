import type { PercentDiscount } from '../discount';
import { openSubtotalOf } from '../order-state';
import { percentOf } from '../percentage';
import { discountItems } from './discount-items';
import type { Effect } from './effect';

/** `percent_off` of each line's base, rounded per line, at most `amount_limit` a line. The base is the line's subtotal,
 *  or its initial amount where the mode says so. Source: spec 01 §5. */
export const percentToItems: Effect<PercentDiscount> = {
  type: 'PERCENT',
  effect: 'APPLY_TO_ITEMS',
  apply: (
    order,
    { percent_off, amount_limit = Number.MAX_SAFE_INTEGER, aggregated_amount_limit },
    { mode },
  ) =>
    discountItems(
      order,
      (line) => {
        const base = mode === 'INITIAL_AMOUNT' ? (line.initialAmount ?? 0) : openSubtotalOf(line);
        return Math.min(percentOf(base, percent_off), amount_limit);
      },
      { aggregatedAmountLimit: aggregated_amount_limit },
    ),
};
