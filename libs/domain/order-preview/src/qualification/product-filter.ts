import {
  type CalculationContext,
  type OrderState,
  type Redeemable,
  effectNameOf,
  givesUnitsOfLines,
  linesInScope,
} from '@scrip/order-calculation';
import { type CompiledRule, namesLine } from '@scrip/rules';

/** Which redeemables products decide for. DISCOUNT: those that discount a line or give free units of one; ANY: also
 *  those whose rules or bundle name a line. Source: reference 02 §8. */
export type ProductFilter = 'DISCOUNT' | 'ANY';

type Setting = Required<Pick<CalculationContext, 'now' | 'timezone' | 'catalogue'>>;

const coversLine = (order: OrderState, { scope }: Redeemable): boolean => {
  const lines = scope ? linesInScope(order, scope) : order.lines;
  return lines.some(({ quantity }) => quantity > 0);
};

/** Whether the redeemable acts on a line by itself: without a scope, a discount of items covers all lines. A replacement
 *  has sources only where something is included. */
const discountsLine = (order: OrderState, redeemable: Redeemable, { catalogue }: Setting): boolean => {
  const { incentive, scope } = redeemable;
  if (!incentive || 'reward' in incentive) return false;
  if ('gift' in incentive) return incentive.gift.effect === 'APPLY_TO_ITEMS' && coversLine(order, redeemable);
  const { discount } = incentive;
  const effect = effectNameOf(discount, scope);
  if (effect === 'APPLY_TO_ORDER') return false;
  if (effect === 'REPLACE_ITEMS') {
    return scope !== undefined && scope.included.length > 0 && coversLine(order, redeemable);
  }
  return discount.type === 'UNIT'
    ? givesUnitsOfLines(discount, order, catalogue)
    : coversLine(order, redeemable);
};

/** Whether a redeemable has to do with the lines of the order; with no line, none has. `redeemable`: with its scope.
 *  Source: reference 02 §8, §11. */
export const concernsLines = (
  order: OrderState | null,
  { redeemable, rules }: { readonly redeemable: Redeemable; readonly rules: readonly CompiledRule[] },
  filter: ProductFilter,
  setting: Setting,
): boolean =>
  order !== null &&
  order.lines.length > 0 &&
  (discountsLine(order, redeemable, setting) ||
    (filter === 'ANY' && rules.some((rule) => namesLine(rule, order, setting))));
