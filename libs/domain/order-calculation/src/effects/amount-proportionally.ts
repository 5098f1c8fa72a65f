import type { AmountDiscount } from '../discount';
import { discountItems } from './discount-items';
import type { Effect } from './effect';
import { eligibleSharesOf } from './eligible-shares';
import { eligibleSubtotalOf } from './line-base';
import { splitWithin } from './split-within';

const sumOf = (amounts: readonly number[]): number => {
  let sum = 0;
  for (const amount of amounts) sum += amount;
  return sum;
};

const proportionally = (
  effect: NonNullable<AmountDiscount['effect']>,
  weighs: 'amounts' | 'units',
): Effect<AmountDiscount> => ({
  type: 'AMOUNT',
  effect,
  apply: (order, { discount: { amount_off, aggregated_amount_limit }, times }, { coverage, mode }) => {
    const eligible = eligibleSharesOf(order, coverage, 'DISCOUNTED_AMOUNT');
    const weights = () =>
      mode === 'INITIAL_AMOUNT' ? eligibleSharesOf(order, coverage, mode).weights : eligible.weights;
    const caps = coverage.lines.map(({ index, units }) => eligibleSubtotalOf(order.lines[index]!, units));
    // Halves of a minor unit may lift the caps above their exact sum, or let them fall short of it.
    const total = Math.min(Math.round(amount_off) * times, eligible.sum, sumOf(caps));
    const parts = splitWithin(
      total,
      weighs === 'units' ? coverage.lines.map(({ units }) => units) : weights(),
      caps,
    );
    return discountItems(order, coverage, {
      wantedOf: (_, __, position) => parts[position]!,
      aggregatedAmountLimit: aggregated_amount_limit,
      countsUnits: () => false,
    });
  },
});

/** `amount_off` per bundle over all covered lines in proportion to what their eligible units are worth.
 *  Source: reference 01 §5, §9. */
export const amountProportionally = proportionally('APPLY_TO_ITEMS_PROPORTIONALLY', 'amounts');

/** The same in proportion to their eligible units. Source: reference 01 §5, §9. */
export const amountProportionallyByQuantity = proportionally(
  'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY',
  'units',
);
