import { type Refusal, refuse } from '@scrip/kernel/pure';
import type { CalculationRefusalKey } from '../calculation-refusals';
import type { Discount } from '../discount';
import { type ItemScope, wholeOrder } from '../scoping/item-scope';
import { unitEffects } from '../units/unit-effects';
import { amountProportionally, amountProportionallyByQuantity } from './amount-proportionally';
import { amountToItems, amountToItemsByQuantity } from './amount-to-items';
import { amountToOrder } from './amount-to-order';
import type { Effect } from './effect';
import { fixedToItems } from './fixed-to-items';
import { fixedToOrder } from './fixed-to-order';
import { percentToItems } from './percent-to-items';
import { percentToOrder } from './percent-to-order';

const keyOf = (type: string, effect: string): string => `${type} ${effect}`;

const effects = new Map<string, Effect>(
  [
    amountToOrder,
    amountToItems,
    amountToItemsByQuantity,
    amountProportionally,
    amountProportionallyByQuantity,
    percentToOrder,
    percentToItems,
    fixedToOrder,
    fixedToItems,
    ...unitEffects,
  ].map((effect) => [keyOf(effect.type, effect.effect), effect as Effect]),
);

const namesItems = ({ included, excluded, included_all }: ItemScope): boolean =>
  included_all || included.length > 0 || excluded.length > 0;

/** The effect of a discount. Where none is named, money comes off the items if the scope includes or excludes any, else
 *  off the order; free units are the missing ones, or as `units` lists them. Source: reference 01 §5. */
export const effectNameOf = (
  discount: Discount,
  scope: ItemScope = wholeOrder,
): NonNullable<Discount['effect']> => {
  if (discount.effect) return discount.effect;
  if (discount.type === 'UNIT') return discount.units?.length ? 'ADD_MANY_ITEMS' : 'ADD_MISSING_ITEMS';
  return namesItems(scope) ? 'APPLY_TO_ITEMS' : 'APPLY_TO_ORDER';
};

/** How a discount acts. Refuses `unsupported_discount` for an effect that its type doesn't have. Source: reference 01 §5. */
export const effectOf = (discount: Discount, scope?: ItemScope): Effect | Refusal<CalculationRefusalKey> => {
  const name = effectNameOf(discount, scope);
  return (
    effects.get(keyOf(discount.type, name)) ??
    refuse(
      'unsupported_discount',
      `Discounts of type ${discount.type} with effect ${name} cannot be calculated`,
    )
  );
};
