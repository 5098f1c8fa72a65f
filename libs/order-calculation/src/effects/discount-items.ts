import { type LineState, type OrderState, openSubtotalOf, openTotalOf } from '../order-state';

/** What an item effect may take in all. */
interface ItemLimits {
  /** Most over all lines; lines consume it in processing order. */
  aggregatedAmountLimit?: number | undefined;
}

/** Takes up to `discountOf(line)` off each line, at most what is left of the line. When the lines together would take
 *  more than is left of the order, the last ones are cut until nothing is taken twice. Source: spec 01 §5. */
export const discountItems = (
  order: OrderState,
  discountOf: (line: LineState) => number,
  { aggregatedAmountLimit = Number.MAX_SAFE_INTEGER }: ItemLimits = {},
): OrderState => {
  // Cutting from the last line backwards leaves what consuming the open total from the first line forwards leaves.
  let left = Math.min(Math.max(0, Math.floor(aggregatedAmountLimit)), openTotalOf(order));
  if (left === 0) return order;
  const lines = order.lines.map((line) => {
    const applied = Math.min(Math.max(0, Math.floor(discountOf(line))), openSubtotalOf(line), left);
    if (applied === 0) return line;
    left -= applied;
    return { ...line, discountAmount: line.discountAmount + applied };
  });
  return { ...order, lines };
};
