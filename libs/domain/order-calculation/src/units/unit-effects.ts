import type { UnitDiscount } from '../discount';
import type { Effect } from '../effects/effect';
import { addManyItems } from './add-many-items';
import { addMissingItems } from './add-missing-items';
import { addNewItems } from './add-new-items';
import { addSameItems } from './add-same-items';
import { replaceItems } from './replace-items';

/** Every effect of UNIT discounts. Source: reference 01 §7. */
export const unitEffects: readonly Effect<UnitDiscount>[] = [
  addNewItems,
  addMissingItems,
  addManyItems,
  addSameItems,
  replaceItems,
];
