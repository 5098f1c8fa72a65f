import { Catalogue } from '../catalogue/catalogue';
import type { LineState } from '../order/order-state';
import type { Redeemable } from '../redeemable';
import { budgetKindsOf, countersOf } from './budgets';
import { type ScopedItem, type UnitBudgetLimit, unitBudgetLimits } from './item-scope';
import { orderOf, tier, voucher } from './scoping.fixture';
import { unitBudgetName } from './unit-budget';

const all = Object.fromEntries(unitBudgetLimits.map((limit) => [limit, 5])) as Record<
  UnitBudgetLimit,
  number
>;
const withCustomer = { hasCustomer: true };

const order = orderOf([{ sku_id: 'sku_shirt_m' }, { product_id: 'prod_mug' }]);

const names = (
  definition: ScopedItem,
  {
    redeemable = voucher,
    context = withCustomer,
    line = order.lines[0]!,
  }: { redeemable?: Redeemable; context?: { hasCustomer?: boolean }; line?: LineState } = {},
): string[] =>
  countersOf(line.identity, definition, budgetKindsOf(definition, redeemable, context), redeemable).map(
    unitBudgetName,
  );

describe('which budgets discounted units count for (reference 01 §6)', () => {
  test('of a collection for a tier with a customer, all eight', () => {
    expect(names({ object: 'products_collection', id: 'pc_merch', ...all }, { redeemable: tier })).toEqual([
      'product_campaign_quantity_limit camp_1 products_collection:pc_merch',
      'product_customer_campaign_quantity_limit camp_1 products_collection:pc_merch',
      'product_in_collection_campaign_quantity_limit camp_1 products_collection:pc_merch/product:prod_shirt',
      'product_in_collection_customer_campaign_quantity_limit camp_1 products_collection:pc_merch/product:prod_shirt',
      'product_promotion_tier_quantity_limit promo_1 products_collection:pc_merch',
      'product_customer_promotion_tier_quantity_limit promo_1 products_collection:pc_merch',
      'product_in_collection_promotion_tier_quantity_limit promo_1 products_collection:pc_merch/product:prod_shirt',
      'product_in_collection_customer_promotion_tier_quantity_limit promo_1 products_collection:pc_merch/product:prod_shirt',
    ]);
  });

  test('of a tier only for tiers; what has no campaign is its own', () => {
    const alone: Redeemable = { object: 'voucher', id: 'ALONE', incentive: null };
    expect(names({ object: 'products_collection', id: 'pc_merch', ...all }, { redeemable: alone })).toEqual([
      'product_campaign_quantity_limit ALONE products_collection:pc_merch',
      'product_customer_campaign_quantity_limit ALONE products_collection:pc_merch',
      'product_in_collection_campaign_quantity_limit ALONE products_collection:pc_merch/product:prod_shirt',
      'product_in_collection_customer_campaign_quantity_limit ALONE products_collection:pc_merch/product:prod_shirt',
    ]);
  });

  test.each([{ hasCustomer: false }, {}])('per customer none without one: %j', (context) => {
    expect(
      names({ object: 'products_collection', id: 'pc_merch', ...all }, { redeemable: tier, context }),
    ).toEqual([
      'product_campaign_quantity_limit camp_1 products_collection:pc_merch',
      'product_in_collection_campaign_quantity_limit camp_1 products_collection:pc_merch/product:prod_shirt',
      'product_promotion_tier_quantity_limit promo_1 products_collection:pc_merch',
      'product_in_collection_promotion_tier_quantity_limit promo_1 products_collection:pc_merch/product:prod_shirt',
    ]);
  });

  test.each(['product', 'sku'] as const)('per product of a collection none for a %s', (object) => {
    expect(names({ object, id: 'x', ...all })).toEqual([
      `product_campaign_quantity_limit camp_1 ${object}:x`,
      `product_customer_campaign_quantity_limit camp_1 ${object}:x`,
    ]);
  });

  test('only those that the definition sets, by value, by 0, or by formula', () => {
    expect(names({ object: 'product', id: 'prod_shirt' })).toEqual([]);
    expect(names({ object: 'product', id: 'prod_shirt', product_campaign_quantity_limit: 0 })).toEqual([
      'product_campaign_quantity_limit camp_1 product:prod_shirt',
    ]);
    expect(
      names({ object: 'product', id: 'prod_shirt', product_customer_campaign_quantity_limit_formula: '5' }),
    ).toEqual(['product_customer_campaign_quantity_limit camp_1 product:prod_shirt']);
  });
});

describe('what a budget counts', () => {
  const limit = { product_campaign_quantity_limit: 5 };
  const perProduct = { product_in_collection_campaign_quantity_limit: 5 };

  test('an item named by source id is counted by its id', () => {
    expect(names({ object: 'sku', source_id: 'shirt-m', ...limit })).toEqual([
      'product_campaign_quantity_limit camp_1 sku:sku_shirt_m',
    ]);
    expect(names({ object: 'product', source_id: 'shirt', ...limit })).toEqual([
      'product_campaign_quantity_limit camp_1 product:prod_shirt',
    ]);
  });

  test.each([
    [{ source_id: 'new', related_object: 'product' as const }, 'products_collection:pc_new/product:new'],
    [{ sku_id: 'sku_new' }, 'products_collection:pc_new/sku:sku_new'],
    [{ source_id: 'new-m', related_object: 'sku' as const }, 'products_collection:pc_new/sku:new-m'],
    [{}, 'products_collection:pc_new/sku:'],
  ])('what the catalogue does not know is counted by the name it has: %j', (item, counted) => {
    const [line] = orderOf([item], new Catalogue()).lines;
    expect(names({ object: 'products_collection', id: 'pc_new', ...perProduct }, { line: line! })).toEqual([
      `product_in_collection_campaign_quantity_limit camp_1 ${counted}`,
    ]);
  });

  test('an item known by source id alone is counted by that', () => {
    const [line] = orderOf([{ source_id: 'new', related_object: 'product' }], new Catalogue()).lines;
    expect(names({ object: 'product', source_id: 'new', ...limit }, { line: line! })).toEqual([
      'product_campaign_quantity_limit camp_1 product:new',
    ]);
  });
});
