import { problemOf, ruleObject } from '../rules.fixture';

const scopeOf = (applicableTo: unknown) => ruleObject({}, { applicable_to: applicableTo }).scope;
const scopeProblem = (applicableTo: unknown) => problemOf({}, { applicable_to: applicableTo });

const product = { object: 'product', id: 'prod_1' };

const budgets = [
  'product_campaign_quantity_limit',
  'product_customer_campaign_quantity_limit',
  'product_in_collection_campaign_quantity_limit',
  'product_in_collection_customer_campaign_quantity_limit',
  'product_promotion_tier_quantity_limit',
  'product_customer_promotion_tier_quantity_limit',
  'product_in_collection_promotion_tier_quantity_limit',
  'product_in_collection_customer_promotion_tier_quantity_limit',
];

const everything: Record<string, unknown> = {
  object: 'sku',
  id: 'sku_1',
  source_id: 'mug-red',
  strict: true,
  effect: 'APPLY_TO_CHEAPEST',
  skip_initially: 0,
  repeat: 1,
  target: 'UNIT',
  price: 0,
  price_formula: 'ORDER_ITEM_PRICE * 0.01 + 1',
  quantity_limit: 1,
  aggregated_quantity_limit: 2,
  amount_limit: 3,
  aggregated_amount_limit: 4,
  ...Object.fromEntries(
    budgets.flatMap((name, index) => [
      [name, index],
      [`${name}_formula`, '1 + 1'],
    ]),
  ),
};

describe('applicable_to (1.3)', () => {
  it.each([undefined, null, {}, { included: [], excluded: [], included_all: false }, { included: null }])(
    'gives no scope where it names nothing: %j',
    (applicableTo) => {
      expect(scopeOf(applicableTo)).toBeNull();
    },
  );

  it('takes entries by id and by source id', () => {
    expect(
      scopeOf({
        included: [product, { object: 'sku', source_id: 'mug-red' }],
        excluded: [{ object: 'products_collection', id: 'pc_1' }],
      }),
    ).toEqual({
      included: [product, { object: 'sku', source_id: 'mug-red' }],
      excluded: [{ object: 'products_collection', id: 'pc_1' }],
      included_all: false,
    });
  });

  it('takes only exclusions, and everything', () => {
    expect(scopeOf({ excluded: [product] })).toEqual({
      included: [],
      excluded: [product],
      included_all: false,
    });
    expect(scopeOf({ included_all: true })).toEqual({ included: [], excluded: [], included_all: true });
  });

  it('takes all settings of an entry and forgets what is unknown or null', () => {
    const noSettings = Object.fromEntries(Object.keys(everything).map((name) => [name, null]));
    expect(
      scopeOf({
        included: [
          { ...everything, unknown: 1 },
          { ...noSettings, ...product },
        ],
      })?.included,
    ).toEqual([everything, product]);
  });

  it.each([
    'APPLY_TO_EVERY',
    'APPLY_TO_CHEAPEST',
    'APPLY_FROM_CHEAPEST',
    'APPLY_TO_MOST_EXPENSIVE',
    'APPLY_FROM_MOST_EXPENSIVE',
  ])('knows the effect %s', (effect) => {
    expect(scopeOf({ included: [{ ...product, effect }] })?.included).toEqual([{ ...product, effect }]);
  });

  it.each(['ITEM', 'UNIT'])('knows the target %s', (target) => {
    expect(scopeOf({ included: [{ ...product, target }] })?.included).toEqual([{ ...product, target }]);
  });

  const nameless = 'must name a product, sku or products_collection';
  it.each<[unknown, string]>([
    ['all', '.applicable_to must be an object'],
    [[], '.applicable_to must be an object'],
    [{ included: {} }, '.applicable_to.included must be an array'],
    [{ excluded: 'all' }, '.applicable_to.excluded must be an array'],
    [{ included_all: 'yes' }, '.applicable_to.included_all must be a boolean'],
    [{ included: ['prod_1'] }, `.applicable_to.included[0] ${nameless}`],
    [{ included: [product, { id: 'prod_1' }] }, `.applicable_to.included[1] ${nameless}`],
    [{ excluded: [{ object: 'product' }] }, `.applicable_to.excluded[0] ${nameless}`],
    [
      { included: [{ object: 'products_collection', source_id: 'a' }] },
      `.applicable_to.included[0] ${nameless}`,
    ],
  ])('refuses %j', (applicableTo, problem) => {
    expect(scopeProblem(applicableTo)).toBe(`Property ${problem}`);
  });

  it.each<[string, unknown, string]>([
    ['strict', 'yes', 'be a boolean'],
    [
      'effect',
      'APPLY_TO_ORDER',
      'be one of APPLY_TO_EVERY, APPLY_TO_CHEAPEST, APPLY_FROM_CHEAPEST, APPLY_TO_MOST_EXPENSIVE, APPLY_FROM_MOST_EXPENSIVE',
    ],
    ['target', 'LINE', 'be one of ITEM, UNIT'],
    ['skip_initially', -1, 'be an integer from 0'],
    ['repeat', 0, 'be an integer from 1'],
    ['price', 1.5, 'be an integer from 0'],
    ['price_formula', 'ORDER_ITEM_PRICE +', 'be a formula: Unexpected end of the formula. (at character 19)'],
    ['price_formula', 5, 'be a string'],
    ['quantity_limit', '5', 'be an integer from 0'],
    ['aggregated_quantity_limit', -1, 'be an integer from 0'],
    ['amount_limit', 2 ** 53, 'be an integer from 0'],
    ['aggregated_amount_limit', -1, 'be an integer from 0'],
    ...budgets.map((name): [string, unknown, string] => [name, -1, 'be an integer from 0']),
    ...budgets.map((name): [string, unknown, string] => [`${name}_formula`, 1, 'be a string']),
  ])('refuses %s: %j', (name, value, must) => {
    expect(scopeProblem({ excluded: [{ ...product, [name]: value }] })).toBe(
      `Property .applicable_to.excluded[0].${name} must ${must}`,
    );
  });
});
