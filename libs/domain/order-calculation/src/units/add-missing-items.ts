import type { UnitDiscount } from '../discount';
import type { Effect, EffectContext } from '../effects/effect';
import type { OrderState } from '../order/order-state';
import { freeShipping, isShipping } from './free-shipping';
import { freeUnits } from './free-units';
import { putFreeUnitsOf } from './put-free-units';
import { unitCountOf } from './unit-count';
import { isItemClosed, unitItemOf } from './unit-item';

/** `units` free units of an item: those that the cart holds first, the rest is added. Where the rest cannot be added,
 *  nothing is given. Source: reference 01 §5, §7. */
export const addMissing = (
  order: OrderState,
  unitType: string | undefined,
  units: number,
  context: EffectContext,
): OrderState => {
  if (unitType === undefined) return order;
  const item = unitItemOf(unitType, order, context.catalogue);
  if (isItemClosed(order, item, context)) return order;
  if (isShipping(item)) return freeShipping(order);
  if (units === 0) return order;
  const { order: freedOrder, freed } = freeUnits(order, item, units);
  if (freed === units) return freedOrder;
  const given = putFreeUnitsOf(freedOrder, item, units - freed);
  return given === freedOrder ? order : given;
};

/** `unit_off` free units of `unit_type`, in the cart or added. Source: reference 01 §7. */
export const addMissingItems: Effect<UnitDiscount> = {
  type: 'UNIT',
  effect: 'ADD_MISSING_ITEMS',
  apply: (order, { discount: { unit_type, unit_off }, times }, context) =>
    addMissing(order, unit_type, unitCountOf(unit_off, times), context),
};
