import type { RuleDefinition } from '@scrip/contracts/qualification';
import { namedMetadata } from './template-metadata';

const nothing = { segments: [], catalog: { products: [], skus: [], collections: [] } };
const times = { created_at: '2026-03-31T10:00:00.000Z', updated_at: null };

const ruleOf = (rules: Record<string, unknown>): RuleDefinition => ({
  name: 'Metadata',
  rules,
  error: null,
  applicable_to: {},
  bundle_rules: null,
  type: 'expression',
  context_type: 'global',
});

describe('the metadata that a template looks at', () => {
  it.each([
    ['customer.metadata', 'customer'],
    ['order.metadata', 'order'],
    ['redemption.metadata', 'redemption'],
    ['order.items.metadata_any', 'order_item'],
    ['order.items.metadata_each', 'order_item'],
    ['product.metadata', 'product'],
  ])('of rules %s is that of %s, also below others', (name, related_object) => {
    const one = { name, property: 'address.zip', conditions: {} };
    const below = { 1: { name: 'order.items.any', rules: { 1: one, logic: '1' } }, 2: one };
    expect(namedMetadata([ruleOf(below)], nothing)).toEqual([{ related_object, property: 'address.zip' }]);
  });

  it('is that of filters, each once', () => {
    const filter = { junction: 'and', name: { conditions: {} }, 'metadata.size': { conditions: {} } };
    const segment = { id: 'seg_1', name: 'Large', type: 'passive' as const, filter, ...times };
    const collection = {
      id: 'pc_1',
      name: 'Large',
      type: 'AUTO_UPDATE' as const,
      products: null,
      filter,
      ...times,
    };
    const rule = ruleOf({ 1: { name: 'customer.metadata', property: 'size', conditions: {} } });
    const catalog = { ...nothing.catalog, collections: [collection] };
    expect(namedMetadata([rule], { segments: [segment], catalog })).toEqual([
      { related_object: 'customer', property: 'size' },
      { related_object: 'product', property: 'size' },
    ]);
  });

  it('is none without rules', () => expect(namedMetadata([ruleOf({ logic: '' })], nothing)).toEqual([]));
});
