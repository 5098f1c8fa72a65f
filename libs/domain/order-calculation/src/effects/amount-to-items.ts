import type { AmountDiscount } from '../discount';
import { discountItems } from './discount-items';
import type { Effect } from './effect';
import { lineAmountOf } from './line-value';

/** `amount_off` per bundle off each line, whatever its quantity. Source: reference 01 §5, §9. */
export const amountToItems: Effect<AmountDiscount> = {
  type: 'AMOUNT',
  effect: 'APPLY_TO_ITEMS',
  apply: (order, resolved, { coverage }) => {
    const { amount_off, aggregated_amount_limit } = resolved.discount;
    return discountItems(order, coverage, {
      wantedOf: (_, { index }) => lineAmountOf(resolved, index, amount_off) * resolved.times,
      aggregatedAmountLimit: aggregated_amount_limit,
      countsUnits: () => false,
    });
  },
};

/** `amount_off` off each eligible unit. Bundles raise unit limits instead of the value. Source: reference 01 §5, §9. */
export const amountToItemsByQuantity: Effect<AmountDiscount> = {
  type: 'AMOUNT',
  effect: 'APPLY_TO_ITEMS_BY_QUANTITY',
  apply: (order, resolved, { coverage }) => {
    const { amount_off, aggregated_amount_limit } = resolved.discount;
    return discountItems(order, coverage, {
      wantedOf: (_, { index, units }) => lineAmountOf(resolved, index, amount_off) * units,
      aggregatedAmountLimit: aggregated_amount_limit,
      countsUnits: () => true,
    });
  },
};
