import { lineMatches } from '../catalogue/line-identity';
import type { UnitDiscount } from '../discount';
import type { Effect } from '../effects/effect';
import type { LineState } from '../order/order-state';
import { putFreeUnits } from './put-free-units';
import { unitCountOf } from './unit-count';
import { sells, unitItemOf } from './unit-item';

/** What a line sells, most exactly; a line that names nothing sells something of its own. */
const itemOf = ({ identity, echo }: LineState): unknown =>
  identity.skuId ?? identity.skuSourceId ?? identity.productId ?? identity.productSourceId ?? echo;

const isInCart = ({ initialQuantity, quantity }: LineState): boolean => initialQuantity > 0 && quantity > 0;

/** For each cart line of `unit_type`, which may be a collection, `unit_off` more units of that line's item, free, on the
 *  first line of the item. Lines that an effect appended are no cart lines. Source: reference 01 §7, §13. */
export const addSameItems: Effect<UnitDiscount> = {
  type: 'UNIT',
  effect: 'ADD_SAME_ITEMS',
  apply: (order, { discount: { unit_type, unit_off }, valueByLine, times }, { catalogue, isClosed }) => {
    if (unit_type === undefined) return order;
    const item = unitItemOf(unit_type, order, catalogue);
    const collection = { object: 'products_collection', id: unit_type } as const;
    const firstLines = new Map<unknown, number>();
    const unitsByLine = new Map<number, number>();
    for (const [index, line] of order.lines.entries()) {
      const itemOfLine = itemOf(line);
      if (!firstLines.has(itemOfLine)) firstLines.set(itemOfLine, index);
      const units = unitCountOf(valueByLine?.get(index) ?? unit_off, times);
      if (units === 0 || !isInCart(line) || isClosed(line)) continue;
      if (!sells(line, item) && !lineMatches(line.identity, collection)) continue;
      const first = firstLines.get(itemOfLine)!;
      unitsByLine.set(first, (unitsByLine.get(first) ?? 0) + units);
    }
    return unitsByLine.size === 0 ? order : putFreeUnits(order, unitsByLine);
  },
};
