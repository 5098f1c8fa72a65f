import type { UnitDiscount } from '../discount';
import type { Effect, EffectContext } from '../effects/effect';
import type { OrderState } from '../order/order-state';
import { putFreeUnitsOf } from './put-free-units';
import { unitCountOf } from './unit-count';
import { isItemClosed, unitItemOf } from './unit-item';

/** `units` more of an item, all free; what the customer put in the cart stays paid. Source: reference 01 §7. */
export const addNew = (
  order: OrderState,
  unitType: string | undefined,
  units: number,
  context: EffectContext,
): OrderState => {
  if (unitType === undefined || units === 0) return order;
  const item = unitItemOf(unitType, order, context.catalogue);
  return isItemClosed(order, item, context) ? order : putFreeUnitsOf(order, item, units);
};

/** `unit_off` more units of `unit_type`, free. Source: reference 01 §7. */
export const addNewItems: Effect<UnitDiscount> = {
  type: 'UNIT',
  effect: 'ADD_NEW_ITEMS',
  apply: (order, { discount: { unit_type, unit_off }, times }, context) =>
    addNew(order, unit_type, unitCountOf(unit_off, times), context),
};
