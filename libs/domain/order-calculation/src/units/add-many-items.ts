import type { UnitDiscount } from '../discount';
import type { Effect } from '../effects/effect';
import { addMissing } from './add-missing-items';
import { addNew } from './add-new-items';
import { unitCountOf } from './unit-count';

/** Each entry of `units` in turn, by its own effect, on what the entries before it left. Source: reference 01 §7. */
export const addManyItems: Effect<UnitDiscount> = {
  type: 'UNIT',
  effect: 'ADD_MANY_ITEMS',
  apply: (order, { discount: { units = [] }, times }, context) =>
    units.reduce((left, { effect, unit_type, unit_off }) => {
      const add = effect === 'ADD_NEW_ITEMS' ? addNew : addMissing;
      return add(left, unit_type, unitCountOf(unit_off, times), context);
    }, order),
};
