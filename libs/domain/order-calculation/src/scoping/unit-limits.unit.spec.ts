import type { ScopedItem } from './item-scope';
import { cart, collection, covered, orderOf, product, sku, tier, unitsOf } from './scoping.fixture';
import type { UnitBudget } from './unit-budget';

describe('limits of units (reference 01 §6)', () => {
  const shirts = (terms: Partial<ScopedItem>, options: Parameters<typeof covered>[2] = {}): number[] =>
    covered(cart, { included: [product('prod_shirt', terms)] }, options).lines.map(({ units }) => units);

  test.each<[string, Partial<ScopedItem>, number[]]>([
    ['per line', { quantity_limit: 4 }, [4, 4]],
    ['per line, above the units', { quantity_limit: 6 }, [4, 5]],
    ['per line, none', { quantity_limit: 0 }, []],
    ['per line, below 0', { quantity_limit: -1 }, []],
    ['per line, a fraction', { quantity_limit: 3.9 }, [3, 3]],
    ['in all', { aggregated_quantity_limit: 6 }, [4, 2]],
    ['in all, used up by the first line', { aggregated_quantity_limit: 4 }, [4]],
    ['in all, above the units', { aggregated_quantity_limit: 10 }, [4, 5]],
    ['in all, none', { aggregated_quantity_limit: 0 }, []],
    ['in all, in sequence', { aggregated_quantity_limit: 4, skip_initially: 1 }, [4]],
    ['both', { quantity_limit: 3, aggregated_quantity_limit: 5 }, [3, 2]],
    ['single units, per line', { target: 'UNIT', repeat: 2, quantity_limit: 1 }, [1, 1]],
    ['single units, in all', { target: 'UNIT', repeat: 2, aggregated_quantity_limit: 3 }, [2, 1]],
    ['a budget', { product_campaign_quantity_limit: 6 }, [4, 2]],
    ['a budget of nothing', { product_campaign_quantity_limit: 0 }, []],
    ['a budget below a limit', { product_campaign_quantity_limit: 1, aggregated_quantity_limit: 5 }, [1]],
    ['a limit below a budget', { product_campaign_quantity_limit: 8, quantity_limit: 3 }, [3, 3]],
  ])('%s', (_, terms, units) => {
    expect(shirts(terms)).toEqual(units);
  });

  test('what a limit cuts away leaves the rest of the total to later lines', () => {
    expect(shirts({ quantity_limit: 1, aggregated_quantity_limit: 2 })).toEqual([1, 1]);
    expect(shirts({ quantity_limit: 2, product_campaign_quantity_limit: 3 })).toEqual([2, 1]);
  });

  test('a line counts its units where any limit of them is set, reached or not', () => {
    const counts = (terms: Partial<ScopedItem>, options: Parameters<typeof covered>[2] = {}) =>
      covered(cart, { included: [product('prod_bottle', terms)] }, options).lines[0]?.countsUnits;
    expect(counts({})).toBe(false);
    expect(counts({ target: 'ITEM', amount_limit: 1, aggregated_amount_limit: 1, price: 1 })).toBe(false);
    expect(counts({ target: 'UNIT' })).toBe(true);
    expect(counts({ quantity_limit: 100 })).toBe(true);
    expect(counts({ aggregated_quantity_limit: 100 })).toBe(true);
    expect(counts({ product_campaign_quantity_limit: 100 })).toBe(true);
    expect(counts({ product_customer_campaign_quantity_limit: 100 })).toBe(false);
    expect(
      counts({ product_customer_campaign_quantity_limit: 100 }, { context: { hasCustomer: true } }),
    ).toBe(true);
    expect(counts({ product_promotion_tier_quantity_limit: 100 })).toBe(false);
    expect(counts({ product_promotion_tier_quantity_limit: 100 }, { redeemable: tier })).toBe(true);
  });

  test('a budget has what earlier requests and earlier redeemables left, and cuts partially', () => {
    const terms = { product_campaign_quantity_limit: 10 };
    const asked: [UnitBudget, string][] = [];
    const unitsUsed = (budget: UnitBudget, { id }: { id: string }): number => {
      asked.push([budget, id]);
      return 6;
    };
    const name = 'product_campaign_quantity_limit camp_1 product:prod_shirt';
    expect(shirts(terms, { context: { unitsUsed } })).toEqual([4]);
    expect(asked).toEqual([
      [{ limit: 'product_campaign_quantity_limit', owner: 'camp_1', item: 'product:prod_shirt' }, 'SAVE'],
    ]);
    expect(shirts(terms, { spent: new Map([[name, 9]]) })).toEqual([1]);
    expect(shirts(terms, { spent: new Map([[name, 10]]) })).toEqual([]);
    expect(shirts(terms, { spent: new Map([[name, 11]]) })).toEqual([]);
    expect(shirts(terms, { spent: new Map([[`${name} of another`, 10]]) })).toEqual([4, 5]);
    expect(shirts(terms, { spent: new Map([[name, 1]]), context: { unitsUsed } })).toEqual([3]);
  });

  test('where nothing is left to limit, no budget is asked', () => {
    const unitsUsed = jest.fn(() => 0);
    expect(
      shirts(
        { aggregated_quantity_limit: 4, product_campaign_quantity_limit: 10 },
        { context: { unitsUsed } },
      ),
    ).toEqual([4]);
    expect(unitsUsed).toHaveBeenCalledTimes(1);
    unitsUsed.mockClear();
    expect(
      shirts({ quantity_limit: 0, product_campaign_quantity_limit: 10 }, { context: { unitsUsed } }),
    ).toEqual([]);
    expect(unitsUsed).not.toHaveBeenCalled();
  });

  test('per customer only with one', () => {
    const terms = { product_customer_campaign_quantity_limit: 1 };
    expect(shirts(terms)).toEqual([4, 5]);
    expect(shirts(terms, { context: { hasCustomer: false } })).toEqual([4, 5]);
    expect(shirts(terms, { context: { hasCustomer: true } })).toEqual([1]);
  });

  test('of a tier only for tiers', () => {
    const terms = { product_promotion_tier_quantity_limit: 1 };
    expect(shirts(terms)).toEqual([4, 5]);
    expect(shirts(terms, { redeemable: tier })).toEqual([1]);
  });

  test('the smallest of several budgets counts, and all of them are consumed', () => {
    const terms = {
      product_campaign_quantity_limit: 7,
      product_customer_campaign_quantity_limit: 5,
      product_promotion_tier_quantity_limit: 9,
      product_customer_promotion_tier_quantity_limit: 6,
    };
    const context = { hasCustomer: true };
    expect(shirts(terms, { redeemable: tier, context })).toEqual([4, 1]);
    expect(shirts(terms, { redeemable: tier })).toEqual([4, 3]);
    const spent = new Map([['product_customer_promotion_tier_quantity_limit promo_1 product:prod_shirt', 4]]);
    expect(shirts(terms, { redeemable: tier, context, spent })).toEqual([2]);
  });
});

describe('limits of units for collections (reference 01 §6)', () => {
  const merch = (terms: Partial<ScopedItem>, options: Parameters<typeof covered>[2] = {}) =>
    unitsOf(covered(cart, { included: [collection('pc_merch', terms)] }, options));

  test('a budget of the collection counts all its products together', () => {
    expect(merch({ product_campaign_quantity_limit: 5 })).toEqual([
      [1, 3],
      [2, 2],
    ]);
  });

  test('a budget per product counts each by itself, its SKUs together', () => {
    expect(merch({ product_in_collection_campaign_quantity_limit: 5 })).toEqual([
      [1, 3],
      [2, 4],
      [3, 1],
    ]);
    const poster =
      'product_in_collection_campaign_quantity_limit camp_1 products_collection:pc_merch/product:prod_poster';
    expect(
      merch({ product_in_collection_campaign_quantity_limit: 5 }, { spent: new Map([[poster, 4]]) }),
    ).toEqual([
      [1, 1],
      [2, 4],
      [3, 1],
    ]);
  });

  test('both at once', () => {
    expect(
      merch({ product_campaign_quantity_limit: 7, product_in_collection_campaign_quantity_limit: 2 }),
    ).toEqual([
      [1, 2],
      [2, 2],
    ]);
    expect(
      merch({ product_campaign_quantity_limit: 3, product_in_collection_campaign_quantity_limit: 2 }),
    ).toEqual([
      [1, 2],
      [2, 1],
    ]);
  });

  test('definitions of one product share its counter; other definitions have their own', () => {
    const order = orderOf([
      { product_id: 'prod_shirt', quantity: 2 },
      { sku_id: 'sku_shirt_m', quantity: 2 },
      { sku_id: 'sku_shirt_s', quantity: 2 },
    ]);
    const limit = { product_campaign_quantity_limit: 3 };
    const included = [
      product('prod_shirt', { strict: true, ...limit }),
      { object: 'product' as const, source_id: 'shirt', ...limit },
      sku('sku_shirt_s', limit),
    ];
    expect(unitsOf(covered(order, { included }))).toEqual([
      [0, 2],
      [1, 1],
      [2, 2],
    ]);
  });
});
