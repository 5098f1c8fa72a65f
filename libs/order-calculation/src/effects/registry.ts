import { type Refusal, refuse } from '@scrip/kernel';
import type { Discount } from '../discount';
import { amountToItems } from './amount-to-items';
import { amountToOrder } from './amount-to-order';
import type { Effect } from './effect';
import { percentToItems } from './percent-to-items';
import { percentToOrder } from './percent-to-order';

const keyOf = (type: string, effect: string): string => `${type} ${effect}`;

const effects = new Map<string, Effect>(
  [amountToOrder, amountToItems, percentToOrder, percentToItems].map((effect) => [
    keyOf(effect.type, effect.effect),
    effect as Effect,
  ]),
);

const defaultEffect = {
  AMOUNT: 'APPLY_TO_ORDER',
  PERCENT: 'APPLY_TO_ORDER',
  FIXED: 'APPLY_TO_ORDER',
  UNIT: 'ADD_MISSING_ITEMS',
} as const;

const formulaFields = [
  'amount_off_formula',
  'percent_off_formula',
  'fixed_amount_formula',
  'unit_off_formula',
];

/** The effect that a discount has where none is named and no rule scopes it. Source: spec 01 §5. */
export const effectNameOf = (discount: Discount): NonNullable<Discount['effect']> =>
  discount.effect ??
  (discount.type === 'UNIT' && discount.units ? 'ADD_MANY_ITEMS' : defaultEffect[discount.type]);

/** How a discount acts. Refuses `unsupported_discount` where this version can't calculate it (its type, its effect, or
 *  a formula), so that no wrong figure is ever answered. */
export const effectOf = (discount: Discount): Effect | Refusal => {
  const name = effectNameOf(discount);
  const formula = formulaFields.find(
    (field) => (discount as unknown as Record<string, unknown>)[field] != null,
  );
  if (formula) return refuse('unsupported_discount', `Discounts with ${formula} cannot be calculated`);
  return (
    effects.get(keyOf(discount.type, name)) ??
    refuse(
      'unsupported_discount',
      `Discounts of type ${discount.type} with effect ${name} cannot be calculated`,
    )
  );
};
