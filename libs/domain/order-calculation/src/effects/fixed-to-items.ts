import type { FixedDiscount } from '../discount';
import { discountItems } from './discount-items';
import type { Effect } from './effect';
import { basePortionOf } from './line-base';
import { lineAmountOf } from './line-value';

/** Gives each eligible unit a new price, its definition's or else `fixed_amount`: what its base is above it comes off.
 *  Never raises a price; bundles raise unit limits instead. Source: reference 01 §5, §9. */
export const fixedToItems: Effect<FixedDiscount> = {
  type: 'FIXED',
  effect: 'APPLY_TO_ITEMS',
  apply: (order, resolved, { mode, coverage }) =>
    discountItems(order, coverage, {
      wantedOf: (line, { index, units, newPrice }) => {
        const price = newPrice ?? lineAmountOf(resolved, index, resolved.discount.fixed_amount);
        return basePortionOf(line, units, mode) - Math.max(0, price) * units;
      },
      countsUnits: () => true,
    }),
};
