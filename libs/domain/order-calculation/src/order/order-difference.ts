import type { ReplacementDetail } from './order';
import type { LineState, OrderState } from './order-state';

/** What one redemption did to one line of an order, added to what stood there before. Amounts: minor units; figures
 *  that it left alone are absent. Source: reference 01 §4, §7. */
export interface LineDifference {
  /** Position of the line in the order. */
  index: number;
  /** Units added (+) or replaced away (−). */
  quantity?: number;
  /** Value of those units. */
  amount?: number;
  discount_amount?: number;
  /** Units that it discounted, each counted once per discount. */
  discount_quantity?: number;
  /** Units that became free: added ones and ones of the customer. */
  free_quantity?: number;
  /** Replacements of units of this line. */
  application_details?: readonly ReplacementDetail[];
}

/** What one redemption did to an order: an order is what the customer put in the cart plus the differences of its live
 *  redemptions. Amounts: minor units; what it left alone is absent. Source: reference 01 §4, reference 03 §9. */
export interface OrderDifference {
  /** By how much added and replaced units changed the amount of the order. */
  amount?: number;
  /** Discount of the whole order. */
  discount_amount?: number;
  /** Lines that it touched, in the order of the lines. */
  items?: readonly LineDifference[];
}

/** Figures of a line that differences add up to. */
export const lineFigures = [
  'quantity',
  'amount',
  'discount_amount',
  'discount_quantity',
  'free_quantity',
] as const;

/** One figure per name. */
export type LineFigures = Record<(typeof lineFigures)[number], number>;

/** A line that has nothing. */
export const noFigures = (): LineFigures => ({
  quantity: 0,
  amount: 0,
  discount_amount: 0,
  discount_quantity: 0,
  free_quantity: 0,
});

/** The figures of a line; 0 for an unknown amount. */
export const figuresOf = (line: LineState | undefined): LineFigures =>
  line
    ? {
        quantity: line.quantity,
        amount: line.amount ?? 0,
        discount_amount: line.discountAmount,
        discount_quantity: line.discountQuantity,
        free_quantity: line.freeQuantity,
      }
    : noFigures();

/** A difference of one line without the figures that are 0; null where nothing is left. */
export const lineDifference = (
  index: number,
  figures: LineFigures,
  details: readonly ReplacementDetail[],
): LineDifference | null => {
  const difference: LineDifference = { index };
  for (const figure of lineFigures) if (figures[figure] !== 0) difference[figure] = figures[figure];
  if (details.length > 0) difference.application_details = details;
  return Object.keys(difference).length === 1 ? null : difference;
};

/** A difference without what is 0 or empty. */
export const orderDifference = (
  amount: number,
  discountAmount: number,
  items: readonly LineDifference[],
): OrderDifference => ({
  ...(amount === 0 ? {} : { amount }),
  ...(discountAmount === 0 ? {} : { discount_amount: discountAmount }),
  ...(items.length === 0 ? {} : { items }),
});

/** What was done between two states of one order. `after` has the lines of `before`, and may have more at its end. */
export const differenceBetween = (before: OrderState, after: OrderState): OrderDifference => {
  const items: LineDifference[] = [];
  for (const [index, line] of after.lines.entries()) {
    const since = before.lines[index];
    if (line === since) continue;
    const earlier = figuresOf(since);
    const figures = figuresOf(line);
    for (const figure of lineFigures) figures[figure] -= earlier[figure];
    const difference = lineDifference(index, figures, line.replacements.slice(since?.replacements.length));
    if (difference) items.push(difference);
  }
  return orderDifference(
    (after.amount ?? 0) - (before.amount ?? 0),
    after.discountAmount - before.discountAmount,
    items,
  );
};
