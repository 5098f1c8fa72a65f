import { amountOff, calculated, oneRule, outcomes } from './calc.fixture';
import { order } from './request.fixture';

describe('scopes', () => {
  it('are the union of what the rules include, less what they exclude', () => {
    const { order: result } = calculated({
      order: {
        items: [
          { product_id: 'prod_a', price: 1000 },
          { product_id: 'prod_b', price: 1000 },
          { product_id: 'prod_c', price: 1000 },
        ],
      },
      catalogue: { collections: [{ id: 'pc_1', products: ['prod_b', 'prod_c'] }] },
      redeemables: [
        amountOff('A', 100, {
          validation_rules: [
            { name: 'A', applicable_to: { included: [{ object: 'product', id: 'prod_a' }] } },
            {
              name: 'B and C',
              applicable_to: {
                included: [{ object: 'products_collection', id: 'pc_1' }],
                excluded: [{ object: 'product', id: 'prod_c' }],
              },
            },
          ],
        }),
      ],
    });
    expect(result?.items.map(({ discount_amount: discount = 0 }) => discount)).toEqual([100, 100, 0]);
  });

  const budgeted = (id: string, used: number, more: object = {}) => ({
    object: 'voucher',
    id,
    campaign_id: 'camp_1',
    discount: { type: 'AMOUNT', amount_off: 100, effect: 'APPLY_TO_ITEMS_BY_QUANTITY' },
    validation_rules: [
      {
        name: 'Cups',
        applicable_to: {
          included: [{ object: 'product', id: 'prod_cup', product_customer_campaign_quantity_limit: 3 }],
        },
      },
    ],
    units_used: { product_customer_campaign_quantity_limit: { 'product:prod_cup': used } },
    ...more,
  });

  it.each([
    { used: 0, off: 300 },
    { used: 2, off: 100 },
    { used: 3, off: 0 },
  ])('discount as many units as budgets have left after $used', ({ used, off }) => {
    const calculation = calculated({ order, customer: {}, redeemables: [budgeted('A', used)] });
    expect(outcomes(calculation)).toEqual([String(off)]);
    expect(calculation.consumption.units).toEqual(
      off === 0
        ? []
        : [
            {
              budget: {
                limit: 'product_customer_campaign_quantity_limit',
                owner: 'camp_1',
                item: 'product:prod_cup',
              },
              units: off / 100,
              usedAtMost: 3 - off / 100,
            },
          ],
    );
  });

  it('check budgets per customer only with one', () => {
    expect(outcomes(calculated({ order, redeemables: [budgeted('A', 3)] }))).toEqual(['400']);
  });

  it('share budgets within a request', () => {
    expect(
      outcomes(calculated({ order, customer: {}, redeemables: [budgeted('A', 1), budgeted('B', 1)] })),
    ).toEqual(['200', '0']);
  });
});

describe('bundles', () => {
  const pair = (limit: number) => ({
    id: 'val_pair',
    name: 'Two cups',
    error: { message: 'Take two' },
    bundle_rules: {
      '1': {
        name: 'order.items.any',
        conditions: { $is: [{ object: 'product', id: 'prod_cup', type: 'product_or_sku' }] },
        rules: { '1': { name: 'order.items.aggregated_quantity', conditions: { $is: [2] } }, logic: '1' },
      },
      logic: '1',
      limit,
    },
  });

  it.each([
    { limit: 1, off: '100' },
    { limit: 2, off: '200' },
    { limit: 3, off: '200' },
  ])('multiply the discount, at most $limit times', ({ limit, off }) => {
    const redeemables = [amountOff('PAIR', 100, { validation_rules: [pair(limit)] })];
    expect(outcomes(calculated({ order, redeemables }))).toEqual([off]);
  });

  it('that are not in the order are told with the rules', () => {
    const { redeemables } = calculated({
      order: { items: [{ product_id: 'prod_cup', price: 1000 }] },
      redeemables: [amountOff('PAIR', 100, { validation_rules: [pair(1)] })],
    });
    expect(redeemables).toMatchObject([
      {
        status: 'INAPPLICABLE',
        refusal: {
          refused: 'order_rules_violated',
          details: 'Discount Coupon cannot be redeemed because of violated validation rules: val_pair',
          customMessage: 'Take two',
          violations: [{ ruleId: 'val_pair', path: 'bundle_rules' }],
        },
        bundle: { quantity: 0, missing: [{ id: 'prod_cup', object: 'product', item_quantity: 1 }] },
      },
    ]);
  });

  it('that are not in the order are told with all that is violated, also where a rule waits for the result (reference 02 §4.4)', () => {
    const component = (id: string) => ({
      name: 'order.items.any',
      conditions: { $is: [{ object: 'product', id, type: 'product_or_sku' }] },
    });
    const met = {
      id: 'val_met',
      name: 'A cup',
      error: { message: 'Take a cup' },
      bundle_rules: { '1': component('prod_cup') },
    };
    const unmet = {
      id: 'val_unmet',
      name: 'A plate',
      error: { message: 'Take a plate' },
      bundle_rules: { '1': component('prod_plate') },
    };
    const total = (least: number) => ({
      ...oneRule('order.total_amount', { $more_than_or_equal: [least] }),
      id: 'val_total',
    });
    const vip = { ...oneRule('customer.segment', { $is: ['seg_vip'] }), id: 'val_vip' };
    const refusalOf = (...rules: object[]) => {
      const [outcome] = calculated({
        order,
        customer: {},
        redeemables: [amountOff('A', 500, { validation_rules: rules })],
      }).redeemables;
      return outcome?.status === 'INAPPLICABLE' ? outcome.refusal : null;
    };
    const violated = 'Discount Coupon cannot be redeemed because of violated validation rules: ';
    expect(refusalOf(met, unmet, total(4000))).toMatchObject({
      refused: 'order_rules_violated',
      details: `${violated}val_unmet`,
      customMessage: 'Take a plate',
      violations: [{ ruleId: 'val_unmet', path: 'bundle_rules' }],
    });
    expect(refusalOf(met, unmet, total(4001))).toMatchObject({
      details: `${violated}val_unmet, val_total`,
      violations: [{ ruleId: 'val_unmet' }, { ruleId: 'val_total', actual: 4000 }],
    });
    expect(refusalOf(met, unmet, total(4000), vip)).toMatchObject({
      refused: 'customer_rules_violated',
      details: `${violated}val_unmet, val_vip`,
    });
    for (const least of [3501, 4001]) {
      expect(refusalOf(met, total(least))).toMatchObject({
        details: `${violated}val_total`,
        violations: [{ ruleId: 'val_total', actual: 3500 }],
      });
    }
    expect(refusalOf(met, total(3500))).toBeNull();
  });
});
