import type { RuleDefinition } from '@scrip/contracts/qualification';
import { namesOfRule, ruleNames } from './names-of-rule';

const rule = (more: object): RuleDefinition => ({
  name: 'Rule',
  rules: { logic: '' },
  error: null,
  applicable_to: { excluded: [], included: [], included_all: false },
  bundle_rules: null,
  type: 'expression',
  context_type: 'global',
  ...more,
});

const leaf = (name: string, conditions: object, more: object = {}) =>
  rule({ rules: { '1': { name, conditions, rules: {}, ...more }, logic: '1' } });

describe('what a rule names', () => {
  it.each<[string, RuleDefinition, string[]]>([
    ['nothing', leaf('order.amount', { $more_than: [100] }), []],
    ['segments', leaf('customer.segment', { $is: ['seg_1'] }), ['seg_1']],
    ['segments that a customer may not be in', leaf('customer.segment', { $is_not: ['seg_1'] }), ['seg_1']],
    [
      'products and SKUs, by source id too',
      leaf('order.items.any', {
        $is: [
          { id: 'prod_1', object: 'product' },
          { source_id: 'mug', object: 'sku' },
        ],
      }),
      ['prod_1', 'mug'],
    ],
    [
      'collections',
      leaf('order.items.none', { $is: [{ id: 'pc_1', object: 'products_collection' }] }),
      ['pc_1'],
    ],
    [
      'what the discount is limited to, and excluded from',
      rule({
        applicable_to: {
          included: [{ id: 'prod_1', object: 'product' }],
          excluded: [{ id: 'sku_1', object: 'sku' }],
          included_all: false,
        },
      }),
      ['prod_1', 'sku_1'],
    ],
    [
      'components of a bundle',
      rule({
        bundle_rules: {
          '1': {
            name: 'order.items.any',
            conditions: { $is: [{ id: 'prod_1', type: 'product_or_sku', object: 'product' }] },
            rules: {
              '1': { name: 'order.items.aggregated_quantity', conditions: { $is: [2] } },
              logic: '1',
            },
          },
          logic: '1',
        },
      }),
      ['prod_1'],
    ],
  ])('%s', (_, definition, names) => {
    expect(namesOfRule(definition)).toEqual(names);
  });

  it('is what it is, by its id or its source id', () => {
    const mug = leaf('order.items.any', { $is: [{ source_id: 'mug', object: 'sku' }] });
    expect(ruleNames(mug, { object: 'sku', id: 'sku_1', source_id: 'mug' })).toBe(true);
    expect(ruleNames(mug, { object: 'product', id: 'prod_1', source_id: 'mug' })).toBe(false);
    expect(ruleNames(mug, { object: 'sku', id: 'mug' })).toBe(false);
  });
});
