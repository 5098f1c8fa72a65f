import type { PercentDiscount } from '../discount';
import { discountItems } from './discount-items';
import type { Effect } from './effect';
import { limitOf } from './limit';
import { basePortionOf } from './line-base';
import { lineValueOf } from './line-value';
import { percentageOf } from './percentage';

/** `percent_off` of each line's base, rounded per line, at most `amount_limit` a line; bundles multiply the percentage.
 *  Source: reference 01 §5, §9. */
export const percentToItems: Effect<PercentDiscount> = {
  type: 'PERCENT',
  effect: 'APPLY_TO_ITEMS',
  apply: (order, resolved, { mode, coverage }) => {
    const { discount, valueByLine, exactPercent, times } = resolved;
    const { percent_off, amount_limit, aggregated_amount_limit } = discount;
    const forAll = percentageOf(exactPercent ?? percent_off, times);
    const percentageFor = (index: number) =>
      valueByLine ? percentageOf(lineValueOf(resolved, index, percent_off), times) : forAll;
    const lineLimit = limitOf(amount_limit);
    return discountItems(order, coverage, {
      wantedOf: (line, { index, units }) =>
        Math.min(basePortionOf(line, units, mode, percentageFor(index)), lineLimit),
      aggregatedAmountLimit: aggregated_amount_limit,
      countsUnits: (covered) => covered.countsUnits,
    });
  },
};
