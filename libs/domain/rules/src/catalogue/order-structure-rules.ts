import { aggregatedAmount, aggregatedQuantity, linePrice, lineQuantity, lineRule } from './line-rules';
import type { Quantifier, RuleEntry } from './rule-entry';

const aggregates: readonly RuleEntry[] = [
  aggregatedAmount('order.items.aggregated_amount'),
  aggregatedQuantity('order.items.aggregated_quantity'),
];

const everything: readonly RuleEntry[] = [
  ...aggregates,
  linePrice('order.items.price'),
  lineQuantity('order.items.quantity'),
  lineRule('order.items.metadata', {
    of: 'matchedLine',
    schema: 'order_item',
    metadata: ({ echo }) => echo.metadata,
  }),
];

const structureRule = (quantifier: Quantifier, lineRules: readonly RuleEntry[]): RuleEntry => ({
  name: `order.items.${quantifier}`,
  group: 'order',
  qualifies: true,
  measure: { of: 'products', quantifier },
  lineRules,
});

/** Rules about what the order contains. Source: reference 02 §3.2. */
export const orderStructureRules: readonly RuleEntry[] = [
  structureRule('any', everything),
  structureRule('every', everything),
  structureRule('none', aggregates),
  structureRule('cheapest', everything),
  structureRule('most_expensive', everything),
];
