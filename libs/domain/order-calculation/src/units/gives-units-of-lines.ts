import { type Catalogue, emptyCatalogue } from '../catalogue/catalogue';
import { lineMatches } from '../catalogue/line-identity';
import type { Discount } from '../discount';
import type { OrderState } from '../order/order-state';
import { unitTypesOf } from '../scoping/touched-budgets';
import { sells, unitItemOf } from './unit-item';

/** Whether a discount gives free units of something that a line of the order sells. Source: reference 02 §8. */
export const givesUnitsOfLines = (
  discount: Discount,
  order: OrderState,
  catalogue: Catalogue = emptyCatalogue,
): boolean =>
  unitTypesOf(discount).some((unitType) => {
    const item = unitItemOf(unitType, order, catalogue);
    return order.lines.some(
      (line) =>
        line.quantity > 0 &&
        (sells(line, item) || lineMatches(line.identity, { object: 'products_collection', id: unitType })),
    );
  });
