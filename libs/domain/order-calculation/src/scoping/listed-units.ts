import type { LineState } from '../order/order-state';
import type { CoveredUnits } from './coverage';
import type { ListedUnits } from './scope-list';

/** Units of orders with more are not listed one by one. Source: reference 01 §6. */
const listedUnitsMax = 1000;

/** How the units of an order's lines are listed: one by one, or not, where all lines together have too many. */
export const unitLister = (lines: readonly LineState[]): ((covered: CoveredUnits) => ListedUnits) => {
  let quantity = 0;
  for (const line of lines) quantity += line.quantity;
  if (quantity > listedUnitsMax) return ({ index }) => ({ index, units_limit_exceeded: true });
  return ({ index, first, step, count }) => ({
    index,
    units: Array.from({ length: count }, (_, position) => first + position * step),
  });
};
