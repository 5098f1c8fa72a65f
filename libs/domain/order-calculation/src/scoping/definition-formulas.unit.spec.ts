import type { ScopedItem } from './item-scope';
import { cart, collection, covered, orderOf, product, tier, unitsOf, voucher } from './scoping.fixture';

describe('formulas of definitions (reference 01 §8, reference 02 §6)', () => {
  const prices = (
    terms: Partial<ScopedItem>,
    options: Parameters<typeof covered>[2] = {},
  ): (number | null)[] =>
    covered(cart, { included: [collection('pc_merch', terms)] }, options).lines.map(
      ({ newPrice }) => newPrice,
    );
  const shirts = (terms: Partial<ScopedItem>, options: Parameters<typeof covered>[2] = {}): number[] =>
    covered(cart, { included: [product('prod_shirt', terms)] }, options).lines.map(({ units }) => units);

  test('a price formula is read per covered line, in major units', () => {
    expect(prices({ price_formula: 'ORDER_ITEM_PRICE * 0.8' })).toEqual([1200, 1600, 1600]);
    expect(prices({ price_formula: 'ORDER_ITEM_PRICE * 0.01 + 1' })).toEqual([115, 120, 120]);
    expect(prices({ price_formula: 'ORDER_AMOUNT / 100' })).toEqual([270, 270, 270]);
    expect(prices({ price_formula: '5 - ORDER_ITEM_UNITS_QUANTITY', price: 7 })).toEqual([200, 100, 0]);
  });

  test('the new price example of reference 01 §11', () => {
    const order = orderOf([{ price: 6500 }, { price: 40000 }]);
    const included = [
      collection('pc_a11pr0dUc75', {
        price_formula: 'IF(ORDER_AMOUNT > 300;ORDER_ITEM_PRICE * 0.8;ORDER_ITEM_PRICE)',
      }),
    ];
    expect(covered(order, { included }).lines.map(({ newPrice }) => newPrice)).toEqual([5200, 32000]);
  });

  test('negative prices are 0', () => {
    expect(prices({ price_formula: '0 - 1', price: 7 })).toEqual([0, 0, 0]);
  });

  test('what fails or is no formula falls back to the plain price, else to none', () => {
    expect(prices({ price_formula: 'ORDER_ITEM_PRICE / 0', price: 7 })).toEqual([7, 7, 7]);
    expect(prices({ price_formula: 'ORDER_ITEM_PRICE / 0' })).toEqual([null, null, null]);
    expect(prices({ price_formula: '1 +', price: 7 })).toEqual([7, 7, 7]);
    expect(prices({ price_formula: 'CUSTOMER_METADATA("price")', price: 7 })).toEqual([7, 7, 7]);
  });

  test('formulas read the redeemable, the request and the bundle', () => {
    const redeemable = { ...voucher, facts: { redeemableMetadata: { price: 3 } } };
    expect(prices({ price_formula: 'REDEEMABLE_METADATA("price")' }, { redeemable })).toEqual([
      300, 300, 300,
    ]);
    const context = { facts: { orderMetadata: { price: 4 } } };
    expect(prices({ price_formula: 'ORDER_METADATA("price")' }, { context })).toEqual([400, 400, 400]);
    const bundle = { price_formula: 'ORDER_BUNDLE_QUANTITY', price: 7 };
    expect(prices(bundle, { bundleQuantity: 2 })).toEqual([200, 200, 200]);
    expect(prices(bundle)).toEqual([7, 7, 7]);
  });

  test.each<[string, Partial<ScopedItem>, number[]]>([
    [
      'the formula before the plain limit',
      { product_campaign_quantity_limit: 1, product_campaign_quantity_limit_formula: '6' },
      [4, 2],
    ],
    ['floored', { product_campaign_quantity_limit_formula: '13 / 2' }, [4, 2]],
    ['at least 0', { product_campaign_quantity_limit_formula: '0 - 3' }, []],
    [
      '0 is a limit',
      { product_campaign_quantity_limit: 5, product_campaign_quantity_limit_formula: '0' },
      [],
    ],
    [
      'the plain limit where it fails',
      { product_campaign_quantity_limit: 5, product_campaign_quantity_limit_formula: '1 / 0' },
      [4, 1],
    ],
    ['no limit where nothing else is set', { product_campaign_quantity_limit_formula: '1 / 0' }, [4, 5]],
    ['per line', { product_campaign_quantity_limit_formula: 'ORDER_ITEM_UNITS_QUANTITY - 1' }, [3, 1]],
  ])('limits of units: %s', (_, terms, units) => {
    expect(shirts(terms)).toEqual(units);
  });

  test.each([
    'product_campaign_quantity_limit',
    'product_customer_campaign_quantity_limit',
    'product_promotion_tier_quantity_limit',
    'product_customer_promotion_tier_quantity_limit',
  ] as const)('%s has a formula of its own', (limit) => {
    const options = { redeemable: tier, context: { hasCustomer: true } };
    expect(shirts({ [`${limit}_formula`]: '5' }, options)).toEqual([4, 1]);
    expect(shirts({ [limit]: 5 }, options)).toEqual([4, 1]);
  });

  test.each([
    'product_in_collection_campaign_quantity_limit',
    'product_in_collection_customer_campaign_quantity_limit',
    'product_in_collection_promotion_tier_quantity_limit',
    'product_in_collection_customer_promotion_tier_quantity_limit',
  ] as const)('%s has a formula of its own', (limit) => {
    const options = { redeemable: tier, context: { hasCustomer: true } };
    const units = (terms: Partial<ScopedItem>): [number, number][] =>
      unitsOf(covered(cart, { included: [collection('pc_merch', terms)] }, options));
    const cut = [
      [1, 3],
      [2, 4],
      [3, 1],
    ];
    expect(units({ [`${limit}_formula`]: '5' })).toEqual(cut);
    expect(units({ [limit]: 5 })).toEqual(cut);
  });

  test('a unit that an unlimited formula leaves is counted all the same', () => {
    const spent = { spent: new Map([['product_campaign_quantity_limit camp_1 product:prod_shirt', 3]]) };
    expect(shirts({ product_campaign_quantity_limit_formula: '1 / 0' }, spent)).toEqual([4, 5]);
    expect(shirts({ product_campaign_quantity_limit_formula: '8' }, spent)).toEqual([4, 1]);
  });
});
