import { type LineState, type OrderState, changedLine, openTotalOf } from '../order/order-state';
import type { CoveredLine, Coverage } from '../scoping/coverage';
import { eligibleSubtotalOf } from './line-base';
import { limitOf } from './limit';

/** How one discount acts on the lines it covers. */
interface ItemDiscount {
  /** What should come off a line, minor units; `position`: the line's in the coverage. */
  readonly wantedOf: (line: LineState, covered: CoveredLine, position: number) => number;
  /** Most over all lines; lines consume it in processing order. */
  readonly aggregatedAmountLimit?: number | undefined;
  /** Whether the line reports its eligible units as discounted. */
  readonly countsUnits: (covered: CoveredLine) => boolean;
}

/** Takes what is wanted off each covered line, at most its eligible subtotal and what the limits of the line, of its
 *  definition and of the discount allow. When the lines together would take more than is left of the order, the last
 *  processed ones are cut until nothing is taken twice. Source: reference 01 §5, §6. */
export const discountItems = (
  order: OrderState,
  coverage: Coverage,
  { wantedOf, aggregatedAmountLimit, countsUnits }: ItemDiscount,
): OrderState => {
  // Cutting from the last line backwards leaves what consuming the open total from the first line forwards leaves.
  let left = Math.min(limitOf(aggregatedAmountLimit), openTotalOf(order));
  const leftOfDefinition = coverage.aggregatedAmountLimits.map(limitOf);
  let lines: LineState[] | null = null;
  for (let position = 0; left > 0 && position < coverage.lines.length; position += 1) {
    const covered = coverage.lines[position]!;
    const line = order.lines[covered.index]!;
    const { units, definition, amountLimit } = covered;
    const applied = Math.min(
      wantedOf(line, covered, position),
      eligibleSubtotalOf(line, units),
      limitOf(amountLimit),
      (definition === null ? undefined : leftOfDefinition[definition]) ?? left,
      left,
    );
    // Nor anything that is no number: unchecked definitions may lack their value.
    if (!(applied > 0)) continue;
    left -= applied;
    if (definition !== null) leftOfDefinition[definition]! -= applied;
    lines ??= order.lines.slice();
    lines[covered.index] = changedLine(line, {
      discountAmount: line.discountAmount + applied,
      discountQuantity: line.discountQuantity + (countsUnits(covered) ? units : 0),
    });
  }
  return lines ? Object.assign({}, order, { lines }) : order;
};
