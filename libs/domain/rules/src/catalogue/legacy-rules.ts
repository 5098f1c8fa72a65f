import { itemMetadata } from '@scrip/order-calculation';
import { aggregatedAmount, aggregatedQuantity, linePrice, lineQuantity, lineRule } from './line-rules';
import type { RuleEntry } from './rule-entry';

const discountApplicable = (name: string): RuleEntry => ({
  ...lineRule(name, { of: 'matchedLines', kind: 'flag', value: ({ matched }) => matched.length > 0 }),
  joinsScope: true,
});

const itemRule = (item: 'product' | 'sku'): RuleEntry => ({
  name: `${item}.id`,
  group: 'order',
  qualifies: true,
  measure: { of: 'products', quantifier: 'any', entriesName: item },
  lineRules: [
    linePrice(`${item}.price`),
    lineQuantity(`${item}.quantity`),
    discountApplicable(`${item}.discount_applicable`),
  ],
});

/** Names of the past that are still accepted. Source: reference 02 §3.2. */
export const legacyRules: readonly RuleEntry[] = [
  itemRule('product'),
  itemRule('sku'),
  {
    name: 'product.metadata',
    group: 'order',
    qualifies: true,
    measure: {
      of: 'lines',
      quantifier: 'any',
      schema: 'product',
      metadata: ({ echo }) => itemMetadata(echo),
    },
    lineRules: [
      aggregatedQuantity('product.metadata.aggregated_quantity'),
      aggregatedAmount('product.metadata.aggregated_amount'),
      discountApplicable('product.metadata.discount_applicable'),
      lineRule('product.metadata.match_all', {
        of: 'matchedLines',
        kind: 'flag',
        value: ({ matched, all }) => matched.length === all.length,
      }),
    ],
  },
];
