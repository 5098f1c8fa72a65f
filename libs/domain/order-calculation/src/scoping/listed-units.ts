import type { LineState } from '../order/order-state';
import type { CoveredUnits } from './coverage';

/** Units of orders with more are not listed one by one. Source: reference 01 §6. */
const listedUnitsMax = 1000;

/** Units of one line as answers list them, from 1; left out where the order has too many. Source: reference 01 §6. */
export interface ListedUnits {
  index: number;
  units?: number[];
  units_limit_exceeded?: true;
}

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
