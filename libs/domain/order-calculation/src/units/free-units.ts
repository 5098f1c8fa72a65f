import {
  type OrderState,
  changedLine,
  openSubtotalOf,
  openTotalOf,
  paidUnitsOf,
  shareOf,
} from '../order/order-state';
import { type UnitItem, sells } from './unit-item';

/** The order after units of the cart became free, and how many did. */
export interface FreedUnits {
  readonly order: OrderState;
  readonly freed: number;
}

/** Makes up to `units` paid units of an item free, lines in order, each unit at its share of what is left of its line.
 *  Where that is more than is left of the order, the last lines get less; their units are free all the same.
 *  Source: reference 01 §5, §7. */
export const freeUnits = (order: OrderState, item: UnitItem, units: number): FreedUnits => {
  let left = units;
  let openTotal = openTotalOf(order);
  const lines = order.lines.map((line) => {
    const paid = paidUnitsOf(line);
    const freed = Math.min(left, paid);
    if (freed === 0 || !sells(line, item)) return line;
    const discount = Math.min(shareOf(openSubtotalOf(line), freed, paid), openTotal);
    left -= freed;
    openTotal -= discount;
    return changedLine(line, {
      discountAmount: line.discountAmount + discount,
      discountQuantity: line.discountQuantity + freed,
      freeQuantity: line.freeQuantity + freed,
    });
  });
  return left === units
    ? { order, freed: 0 }
    : { order: Object.assign({}, order, { lines }), freed: units - left };
};
