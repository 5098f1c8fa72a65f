import { isSafeAmount } from '@scrip/kernel/pure';
import type { UnitDiscount } from '../discount';
import type { Effect } from '../effects/effect';
import { withinAmount } from '../order/normalise-order';
import { paidUnitsOf } from '../order/order-state';
import { replacementOf } from './replacement';
import { unitCountOf } from './unit-count';
import { emptyLineOf, isItemClosed, sells, unitItemOf } from './unit-item';

/** Replaces the eligible units of what the scope includes by `unit_off` units of `unit_type` each, on the first line of
 *  `unit_type`, else on a new one; where nothing is included, nothing is replaced. An upgrade leaves the total
 *  as it is, a cheaper target lowers it. Lines that sell the target already, that nothing would replace, or whose
 *  replacement has no known price, stay. The replaced line carries the details. A discount of the whole order that the
 *  lowered amount no longer holds is cut. Source: reference 01 §7. */
export const replaceItems: Effect<UnitDiscount> = {
  type: 'UNIT',
  effect: 'REPLACE_ITEMS',
  apply: (order, { discount: { unit_type, unit_off }, valueByLine }, context) => {
    if (unit_type === undefined) return order;
    const item = unitItemOf(unit_type, order, context.catalogue);
    const { lines: sources, matches = [] } = context.coverage;
    if (matches.length === 0 || isItemClosed(order, item, context)) return order;
    const lines = [...order.lines];
    const found = lines.findIndex((line) => sells(line, item));
    const targetIndex = found < 0 ? lines.length : found;
    let amount = order.amount ?? 0;
    let replaced = false;
    for (const { index, units } of sources) {
      const source = lines[index]!;
      if (sells(source, item) || context.isClosed(source)) continue;
      const taken = Math.min(units, paidUnitsOf(source));
      const given = unitCountOf(valueByLine?.get(index) ?? unit_off, taken);
      if (given === 0) continue;
      const target = lines[targetIndex] ?? emptyLineOf(item);
      const replacement = replacementOf(source, taken, target, given, [index, targetIndex]);
      if (!replacement || !isSafeAmount(amount + replacement.raise)) continue;
      lines[index] = replacement.source;
      lines[targetIndex] = replacement.target;
      amount += replacement.raise;
      replaced = true;
    }
    return replaced ? withinAmount(Object.assign({}, order, { lines, amount: Math.max(0, amount) })) : order;
  },
};
