import { ruleObject } from '../rules.fixture';
import type { RuleMode } from '../evaluation/rule-mode';
import { type RuleDemands, ruleDemands } from './rule-demands';

const nothing: RuleDemands = {
  customer: false,
  segments: { ids: [], all: false },
  loyaltyTiers: { ids: [], all: false },
  holder: false,
  items: [],
  collections: [],
  metadata: {},
  counters: [],
};

const demandsOf = (rules: Record<string, unknown>, mode: RuleMode = 'FULL', rest: object = {}) =>
  ruleDemands([ruleObject(rules, { ...rest })], mode);

const vip = { name: 'customer.segment', conditions: { $is: ['seg_vip'] } };

describe('what rules need to know', () => {
  it('is nothing without rules', () => expect(ruleDemands([], 'FULL')).toEqual(nothing));

  it.each<[string, object, Partial<RuleDemands>]>([
    ['segments', vip, { customer: true, segments: { ids: ['seg_vip'], all: false } }],
    [
      'segments that must not be',
      { name: 'customer.segment', conditions: { $not_in: ['seg_a', 'seg_b'] } },
      { customer: true, segments: { ids: ['seg_a', 'seg_b'], all: false } },
    ],
    [
      'all segments where they are counted',
      { name: 'customer.segment', conditions: { $count_more: [2] } },
      { customer: true, segments: { ids: [], all: true } },
    ],
    [
      'loyalty facts',
      { name: 'customer.loyalty_tier', conditions: { $is: ['ltr_gold'] } },
      { customer: true, loyaltyTiers: { ids: ['ltr_gold'], all: false } },
    ],
    [
      'who holds the voucher',
      { name: 'publication.redeemable_by_linked_customer', conditions: { $is: [true] } },
      { customer: true, holder: true },
    ],
    [
      'metadata',
      { name: 'customer.metadata', property: 'city', conditions: { $is: ['Kraków'] } },
      { customer: true, metadata: { customer: ['city'] } },
    ],
    [
      'redemption history of a customer',
      { name: 'redemption.count.per_customer.daily', conditions: { $less_than: [2] } },
      { customer: true, counters: ['redemption.count.per_customer.daily'] },
    ],
    [
      'order history',
      { name: 'campaign.orders.amount', conditions: { $less_than: [2] } },
      { counters: ['campaign.orders.amount'] },
    ],
    ['no history for what the order says', { name: 'order.amount', conditions: { $more_than: [2] } }, {}],
    [
      'products and collections, those of $from too, and metadata below',
      {
        name: 'order.items.any',
        conditions: {
          $is: [{ object: 'product', id: 'prod_1' }],
          $from: [{ object: 'products_collection', id: 'pc_1' }],
        },
        rules: { 1: { name: 'order.items.metadata', property: 'size', conditions: { $is: ['M'] } } },
      },
      {
        items: [{ object: 'product', id: 'prod_1' }],
        collections: ['pc_1'],
        metadata: { order_item: ['size'] },
      },
    ],
    [
      'a SKU by its legacy rule',
      { name: 'sku.id', conditions: { $is: [{ id: 'sku_1' }] } },
      { items: [{ object: 'sku', id: 'sku_1' }] },
    ],
  ])('is %s', (_, rule, expected) => {
    expect(demandsOf({ 1: rule })).toEqual({ ...nothing, ...expected });
  });

  it('leaves out rules that logic does not name', () => {
    expect(demandsOf({ 1: vip, 2: { name: 'order.amount', conditions: {} }, logic: '2' })).toEqual(nothing);
  });

  it('leaves out what the mode leaves out', () => {
    const limit = { name: 'campaign.redemptions.customers_count', conditions: { $less_than: [2] } };
    expect(demandsOf({ 1: limit }, 'QUALIFY')).toEqual(nothing);
    expect(demandsOf({ 1: vip }, 'PRODUCT')).toEqual(nothing);
    expect(demandsOf({ 1: vip }, 'AUDIENCE').segments.ids).toEqual(['seg_vip']);
  });

  it('has what bundles and scopes name, in every mode', () => {
    const rest = {
      bundle_rules: {
        1: {
          name: 'order.items.any',
          conditions: { $is: [{ object: 'sku', id: 'sku_1', type: 'product_or_sku' }] },
        },
      },
      applicable_to: {
        included: [{ object: 'products_collection', id: 'pc_1', quantity_limit: 1 }],
        excluded: [{ object: 'product', source_id: 'mug' }],
      },
    };
    for (const mode of ['FULL', 'PRODUCT'] as const) {
      expect(demandsOf({}, mode, rest)).toEqual({
        ...nothing,
        items: [
          { object: 'sku', id: 'sku_1' },
          { object: 'product', source_id: 'mug' },
        ],
        collections: ['pc_1'],
      });
    }
  });

  it('names each thing once', () => {
    const { segments } = demandsOf({ 1: vip, 2: vip });
    expect(segments).toEqual({ ids: ['seg_vip'], all: false });
  });
});
