import { type OrderState, lineMatches } from '@scrip/order-calculation';
import type { Line } from '../catalogue/rule-entry';
import type { CompiledLeaf } from '../compile/compile-group';
import type { CompiledRule } from '../compile/compile-rule';
import { leavesIn } from '../compile/rule-traits';
import { type Moment, isProblem } from '../conditions/conditions';
import { linesIn } from '../lines/lines-in';
import { isInPool, isInSets, readProductConditions } from '../lines/product-matching';
import { lineContext } from './line-context';

/** The lines that the conditions of one rule are about, `none` left out: it is about lines that are not there. */
const linesNamedBy = (leaf: CompiledLeaf, order: OrderState, at: Moment): readonly Line[] => {
  const { measure, name, lineRules } = leaf.entry;
  if (measure.of === 'products' && measure.quantifier !== 'none') {
    const products = readProductConditions(leaf.conditions, measure.entriesName, name);
    if (isProblem(products)) return [];
    const names = products.from !== null || products.sets.some(({ isExcluding }) => !isExcluding);
    return names ? linesIn(order).filter((line) => isInPool(line, products) && isInSets(line, products)) : [];
  }
  return measure.of === 'lines' && lineRules ? (leaf.own.find?.(lineContext(order, at)) ?? []) : [];
};

/** Whether a line of `order` is named by a condition on items that logic names (`order.items.any`, `every`, `cheapest`,
 *  `most_expensive`, `product.*`, `sku.*`) or by a component of the bundle, whether or not the rule holds.
 *  Source: reference 02 §8. */
export const namesLine = ({ root, bundle }: CompiledRule, order: OrderState, at: Moment): boolean => {
  for (const leaf of leavesIn(root)) if (linesNamedBy(leaf, order, at).length > 0) return true;
  const components = bundle?.components ?? [];
  return linesIn(order).some(({ identity }) =>
    components.some((component) => lineMatches(identity, component)),
  );
};
