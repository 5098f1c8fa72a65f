import { amountOff, calculated, draft } from '../calc.fixture';
import { cup, one, problemsOf } from './problems.fixture';

describe('files that are wrong say which field, and how', () => {
  it.each<[string, unknown, string[]]>([
    [
      'a quantity that is no integer',
      { order: { items: [cup, { ...cup, quantity: '2.5' }] }, redeemables: one },
      ['order.items[1].quantity: must be integer'],
    ],
    [
      'an initial quantity of 0',
      { order: { items: [{ ...cup, initial_quantity: 0 }] }, redeemables: one },
      ['order.items[0].initial_quantity: cannot be lower than 1'],
    ],
    [
      'too many lines',
      { order: { items: Array.from({ length: 501 }, () => cup) }, redeemables: one },
      ['order.items: must NOT have more than 500 items'],
    ],
    [
      'a stored order that nobody names',
      { order: { id: 'ord_2' }, stored_order: { id: 'ord_1', items: [] }, redeemables: one },
      ['stored_order: order must name it by id or source_id'],
    ],
    [
      'an unknown time zone',
      { timezone: 'Mars', redeemables: one },
      ['timezone: must be an IANA time zone, not "Mars"'],
    ],
    [
      'limits above the limits above them',
      {
        stacking_rules: {
          redeemables_limit: 4,
          applicable_redeemables_limit: 5,
          applicable_redeemables_per_category_limit: 6,
          applicable_exclusive_redeemables_per_category_limit: 2,
        },
        redeemables: one,
      },
      [
        'stacking_rules.applicable_redeemables_limit: must be <= redeemables_limit (4), not 5',
        'stacking_rules.applicable_redeemables_per_category_limit: must be <= applicable_redeemables_limit (5), not 6',
        'stacking_rules.applicable_exclusive_redeemables_per_category_limit: must be <= applicable_exclusive_redeemables_limit (1), not 2',
      ],
    ],
    [
      'categories in two lists that exclude each other',
      {
        stacking_rules: {
          exclusive_categories: ['cat_1', 'cat_2'],
          joint_categories: ['cat_2', 'cat_3'],
          initial_amount_mode_categories: ['cat_4'],
          discounted_amount_mode_categories: ['cat_4'],
          no_effect_skip_categories: ['cat_5'],
          no_effect_redeem_anyway_categories: ['cat_5'],
        },
        redeemables: one,
      },
      [
        'stacking_rules.joint_categories: must not name cat_2: exclusive_categories does',
        'stacking_rules.discounted_amount_mode_categories: must not name cat_4: initial_amount_mode_categories does',
        'stacking_rules.no_effect_redeem_anyway_categories: must not name cat_5: no_effect_skip_categories does',
      ],
    ],
    [
      'a collection with a SKU that nobody knows',
      { catalogue: { collections: [{ id: 'pc_1', skus: ['sku_1'] }] }, redeemables: one },
      ['catalogue.collections[0].skus[0]: catalogue.skus has no sku_1'],
    ],
  ])('%s', (_, file, problems) => {
    expect(problemsOf(draft(file))).toEqual(problems);
  });
});

describe('files that are right', () => {
  it('need nothing but redeemables', () => {
    expect(problemsOf(draft({ redeemables: one }))).toEqual([]);
  });

  it('may have a bundle whose limit is null', () => {
    const pair = { name: 'Pair', bundle_rules: { limit: null } };
    expect(problemsOf(draft({ redeemables: [amountOff('A', 1, { validation_rules: [pair] })] }))).toEqual([]);
  });

  it('may have fragments of requests and answers of the API pasted in', () => {
    const file = {
      order: {
        id: 'ord_1',
        status: 'CREATED',
        customer: { id: 'cust_1' },
        items: [{ ...cup, quantity: '2' }],
      },
      customer: {
        id: 'cust_1',
        source_id: 'ada',
        name: 'Ada',
        email: 'ada@example.com',
        birthdate: '1990-03-31',
      },
      redeemables: [{ object: 'voucher', id: 'GIFT', gift: { amount: 500, balance: 500, credits: 100 } }],
    };
    expect(problemsOf(draft(file))).toEqual([]);
  });

  it('take what is sent of a stored order that is named by id over it, metadata, too', () => {
    const stored = {
      id: 'ord_1',
      source_id: 'cart-1',
      amount: 1000,
      discount_amount: 950,
      items: [],
      metadata: { channel: 'web' },
    };
    const rule = {
      name: 'Web',
      rules: { '1': { name: 'order.metadata', property: 'channel', conditions: { $is: ['web'] } } },
    };
    const of = (order: object) =>
      calculated({
        order,
        stored_order: stored as never,
        redeemables: [amountOff('A', 100, { validation_rules: [rule] })],
      });
    expect(of({ id: 'ord_1' })).toMatchObject({ valid: true, order: { total_amount: 0 } });
    expect(of({ id: 'ord_1', amount: 1010 })).toMatchObject({
      valid: true,
      order: { total_amount: 0, amount: 1010 },
    });
    expect(of({ id: 'ord_1', metadata: { channel: 'till' } })).toMatchObject({ valid: false });
    expect(of({ source_id: 'cart-1', amount: 5000, metadata: { channel: 'till' } })).toMatchObject({
      valid: true,
      order: { amount: 1000, total_amount: 0 },
    });
  });

  it('know products, SKUs and collections, listed or not', () => {
    const { order } = calculated({
      order: {
        items: [
          { sku_id: 'sku_1' },
          { product_id: 'prod_2', price: 300 },
          { product_id: 'prod_3', price: 500 },
        ],
      },
      catalogue: {
        products: [{ id: 'prod_1', name: 'Cup' }],
        skus: [{ id: 'sku_1', product_id: 'prod_1', price: 700 }],
        collections: [
          { id: 'pc_1', products: ['prod_2'], skus: ['sku_1'] },
          { id: 'pc_2', products: ['prod_3'] },
        ],
      },
      redeemables: [
        amountOff('A', 100, {
          validation_rules: [
            { name: 'Scope', applicable_to: { included: [{ object: 'products_collection', id: 'pc_1' }] } },
          ],
        }),
      ],
    });
    expect(order?.items.map((item) => [item.product?.name, item.amount, item.discount_amount])).toEqual([
      ['Cup', 700, 100],
      [undefined, 300, 100],
      [undefined, 500, undefined],
    ]);
  });

  it('give formulas the customer, the redemption, the redeemable, its publication and the time', () => {
    const text =
      'CUSTOMER_METADATA("a") + REDEMPTION_METADATA("b") + REDEEMABLE_METADATA("c") + PUBLICATION_METADATA("d")' +
      ' + ORDER_METADATA("e") + VOUCHER_REDEEMED_QUANTITY + VOUCHER_REDEMPTION_QUANTITY + VOUCHER_PUBLISH_COUNT' +
      ' + YEARS_SINCE(CUSTOMER_BIRTHDATE) + DAYS_SINCE(VOUCHER_START_DATE) + DAYS_UNTIL(VOUCHER_EXPIRATION_DATE)';
    const { order } = calculated({
      now: '2026-03-31T10:00:00Z',
      order: { amount: 100000, metadata: { e: 5 } },
      customer: { metadata: { a: 1 }, birthday: '2006-03-31' },
      metadata: { b: 2 },
      redeemables: [
        {
          object: 'voucher',
          id: 'A',
          metadata: { c: 3 },
          publication: { metadata: { d: 4 } },
          redemption: { quantity: 100, redeemed_quantity: 40 },
          publish: { count: 1 },
          start_date: '2026-03-30T10:00:00Z',
          expiration_date: '2026-04-02T10:00:00Z',
          discount: { type: 'AMOUNT', amount_off: 0, amount_off_formula: text },
        },
      ],
    });
    expect(order?.discount_amount).toBe((1 + 2 + 3 + 4 + 5 + 40 + 100 + 1 + 20 + 1 + 2) * 100);
  });
});
