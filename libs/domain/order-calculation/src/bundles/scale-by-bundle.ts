import type { Discount } from '../discount';
import type { ItemScope, ScopedItem } from '../scoping/item-scope';
import type { BundleRules } from './bundle-rules';

/** What `k` bundles make of a discount: `times` multiplies its value, `scope` has the unit limits that hold. */
export interface ScaledDiscount {
  readonly times: number;
  readonly scope: ItemScope;
}

const unitLimits = ['quantity_limit', 'aggregated_quantity_limit'] as const;

const timesLimits = (item: ScopedItem, k: number): ScopedItem => {
  const limits: { [limit in (typeof unitLimits)[number]]?: number } = {};
  for (const limit of unitLimits) {
    const units = item[limit];
    if (units !== undefined) limits[limit] = Math.min(Number.MAX_SAFE_INTEGER, units * k);
  }
  return { ...item, ...limits };
};

const timesUnitLimits = (scope: ItemScope, k: number): ItemScope => ({
  ...scope,
  included: scope.included.map((item) => timesLimits(item, k)),
});

/** Discounts whose value says what one unit costs or becomes: more bundles mean more units. */
const growsByUnits = ({ type }: Discount, effect: string): boolean =>
  (type === 'AMOUNT' && effect === 'APPLY_TO_ITEMS_BY_QUANTITY') ||
  (type === 'FIXED' && effect === 'APPLY_TO_ITEMS') ||
  (type === 'UNIT' && effect === 'REPLACE_ITEMS');

/** How `k` bundles (integer ≥ 1) scale a discount with the given effect: its value, or the unit limits of its scope
 *  (quantity per line and per definition; budgets over time and caps of money never grow), or, for a new total, nothing.
 *  `scaling` ONCE scales nothing. Source: reference 01 §9, §13. */
export const scaleByBundle = (
  discount: Discount,
  effect: string,
  scope: ItemScope,
  k: number,
  scaling: BundleRules['scaling'],
): ScaledDiscount => {
  if (scaling === 'ONCE') return { times: 1, scope };
  if (growsByUnits(discount, effect)) return { times: 1, scope: timesUnitLimits(scope, k) };
  return { times: discount.type === 'FIXED' ? 1 : k, scope };
};
