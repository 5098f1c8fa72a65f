import { storedOrderState } from './normalise-order';
import type { CalculatedOrder, OrderTotals } from './order';
import { orderView } from './order-state';

const totals = [
  'amount',
  'initial_amount',
  'discount_amount',
  'items_discount_amount',
  'total_discount_amount',
  'total_amount',
  'applied_discount_amount',
  'items_applied_discount_amount',
  'total_applied_discount_amount',
] as const satisfies readonly (keyof OrderTotals)[];

/** A stored order without the discounts that one redemption had applied: `discount_amount` at order level, one entry of
 *  `items_discount_amounts` per line; everything that is not calculated stays. Nothing is taken off twice: discounts end
 *  at 0, and with the last one of a line its discounted units. Units that were added stay. `applied_*` are gone.
 *  Source: spec 03 §9. */
export const removeDiscounts = <T extends CalculatedOrder>(
  order: T,
  taken: { discount_amount: number; items_discount_amounts: readonly number[] },
): T => {
  const stored = storedOrderState(order);
  const state = {
    ...stored,
    discountAmount: Math.max(0, stored.discountAmount - taken.discount_amount),
    lines: stored.lines.map((line, index) => {
      const discountAmount = Math.max(0, line.discountAmount - (taken.items_discount_amounts[index] ?? 0));
      // How many units which redemption discounted is stored nowhere; without a discount it is none.
      return discountAmount === 0 && line.discountAmount > 0
        ? { ...line, discountAmount, discountQuantity: 0 }
        : { ...line, discountAmount };
    }),
  };
  const rest = { ...order };
  for (const total of totals) delete rest[total];
  return Object.assign(rest, orderView(state, state));
};
