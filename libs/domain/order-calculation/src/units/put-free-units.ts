import { isSafeAmount } from '@scrip/kernel/pure';
import { type LineState, type OrderState, changedLine } from '../order/order-state';
import { type UnitItem, emptyLineOf, sells } from './unit-item';
import { valueOf } from './unit-value';

const withFreeUnits = (line: LineState, units: number): LineState => {
  const value = valueOf(line, units) ?? 0;
  return changedLine(line, {
    quantity: line.quantity + units,
    amount: line.amount === undefined ? undefined : line.amount + value,
    discountAmount: line.discountAmount + value,
    discountQuantity: line.discountQuantity + units,
    freeQuantity: line.freeQuantity + units,
  });
};

/** The order with more units on some lines (by position), all free; `appended` lines follow the order's own. Amounts
 *  and item discounts grow by the same values, so that the total stays what it is; lines without an amount count units
 *  only. The very same order where a figure would pass 2^53 − 1. Source: reference 01 §7. */
export const putFreeUnits = (
  order: OrderState,
  unitsByLine: ReadonlyMap<number, number>,
  appended: readonly LineState[] = [],
): OrderState => {
  const lines = [...order.lines, ...appended];
  let raise: number | undefined;
  for (const [index, units] of unitsByLine) {
    const line = lines[index]!;
    const given = withFreeUnits(line, units);
    if (!isSafeAmount(given.quantity) || !isSafeAmount(given.amount ?? 0)) return order;
    lines[index] = given;
    if (given.amount !== undefined) raise = (raise ?? 0) + given.amount - line.amount!;
  }
  if (raise === undefined) return Object.assign({}, order, { lines });
  const amount = (order.amount ?? 0) + raise;
  return isSafeAmount(amount)
    ? { amount, initialAmount: order.initialAmount ?? 0, discountAmount: order.discountAmount, lines }
    : order;
};

/** The same for units of one item: on its first line, else on a new one. */
export const putFreeUnitsOf = (order: OrderState, item: UnitItem, units: number): OrderState => {
  const index = order.lines.findIndex((line) => sells(line, item));
  return index < 0
    ? putFreeUnits(order, new Map([[order.lines.length, units]]), [emptyLineOf(item)])
    : putFreeUnits(order, new Map([[index, units]]));
};
