import { amountOff, calculated, clock, draft } from '../calc.fixture';
import { problemLine } from './input-problem';
import { readRequest } from './read-request';

const problemsOf = (text: string): string[] => {
  const request = readRequest(text, clock);
  return Array.isArray(request) ? request.map(problemLine) : [];
};

describe('texts that are no JSON say where', () => {
  it('are refused when they are nested too deeply', () => {
    expect(problemsOf('['.repeat(100_000))).toEqual(['not JSON: nested too deeply']);
  });

  it.each([
    ['', 'not JSON: value expected at line 1, column 1'],
    ['{', 'not JSON: close brace expected at line 1, column 2'],
    ['{\n  "a": 1,\n}', 'not JSON: property name expected at line 3, column 1'],
    ['{ a: 1 }', 'not JSON: invalid symbol at line 1, column 3'],
    ['{"a": 01}', 'not JSON: comma expected at line 1, column 8'],
    ['{"a" 1}', 'not JSON: colon expected at line 1, column 6'],
    ['["a" "b"]', 'not JSON: comma expected at line 1, column 6'],
    ['[1, nul]', 'not JSON: invalid symbol at line 1, column 5'],
    ['"a\nb"', 'not JSON: unexpected end of string at line 1, column 1'],
    ['{} {}', 'not JSON: end of file expected at line 1, column 4'],
    ['[]\n]', 'not JSON: end of file expected at line 2, column 1'],
    ['// no comments\n{}', 'not JSON: invalid comment token at line 1, column 1'],
  ])('%j', (text, message) => {
    expect(problemsOf(text)).toEqual([message]);
  });
});

describe('values nested too deeply', () => {
  const tooDeep = ['must not be nested deeper than 1000 levels'];
  const nested = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`;
  const withRules = (levels: number) =>
    `{"redeemables": [{"object": "voucher", "id": "A", "validation_rules": [{"name": "R", "rules": ${
      '{"1": {"name": "customer.segment", "rules": '.repeat(levels) + '{}' + '}}'.repeat(levels)
    }}]}]}`;

  it('are refused above 1,000 levels', () => {
    expect(problemsOf(nested(1_000))[0]).toMatch(/^must be an object/);
    expect(problemsOf(nested(1_001))).toEqual(tooDeep);
  });

  it.each([10_000, 100_000])('are refused as rules of %d levels', (levels) => {
    expect(problemsOf(withRules(levels))).toEqual(tooDeep);
  });

  it('are left to those who know the limit of rules below that', () => {
    expect(problemsOf(withRules(400))).toContain(
      'redeemables[0].validation_rules[0]: Rules must not be nested deeper than 5 levels',
    );
  });
});

const cup = { product_id: 'prod_cup', price: 1000 };
const one = [amountOff('A', 100)];

describe('files that are wrong say which field, and how', () => {
  it.each<[string, unknown, string[]]>([
    ['no object', [], ['must be an object, not []']],
    ['nothing to redeem', {}, ['redeemables: is missing']],
    ['an empty list', { redeemables: [] }, ['redeemables: must NOT have fewer than 1 items']],
    [
      'an unknown field at the top',
      { redeemables: one, reedemables: [] },
      [
        'reedemables: unknown field; known here: order, stored_order, customer, metadata, api_key, user_login, now, timezone, catalogue, stacking_rules, error_messages, redeemables',
      ],
    ],
    [
      'an unknown field of a discount',
      {
        redeemables: [
          { object: 'voucher', id: 'A', discount: { type: 'AMOUNT', amount_off: 1, percent_off: 1 } },
        ],
      },
      [
        'redeemables[0].discount.percent_off: unknown field; known here: type, is_dynamic, amount_off, amount_off_formula, aggregated_amount_limit, effect',
      ],
    ],
    [
      'an unknown object',
      { redeemables: [{ object: 'coupon', id: 'A' }] },
      ['redeemables[0].object: must be one of voucher, promotion_tier, promotion_stack, not "coupon"'],
    ],
    ['no object', { redeemables: [{ id: 'A' }] }, ['redeemables[0].object: is missing']],
    [
      'an unknown type',
      { redeemables: [{ object: 'voucher', id: 'A', discount: { type: 'GIFT' } }] },
      ['redeemables[0].discount.type: must be one of AMOUNT, PERCENT, FIXED, UNIT, not "GIFT"'],
    ],
    [
      'an unknown effect',
      {
        redeemables: [
          { object: 'voucher', id: 'A', discount: { type: 'FIXED', fixed_amount: 1, effect: 'ALL' } },
        ],
      },
      ['redeemables[0].discount.effect: must be one of APPLY_TO_ORDER, APPLY_TO_ITEMS, not "ALL"'],
    ],
    [
      'several wrong types',
      {
        metadata: 'x',
        redeemables: [{ object: 'voucher', id: 7, discount: { type: 'AMOUNT', amount_off: '5' } }],
      },
      [
        'metadata: must be an object, not "x"',
        'redeemables[0].id: must be a string, not 7',
        'redeemables[0].discount.amount_off: must be an integer, not "5"',
      ],
    ],
    [
      'a percentage above 100',
      { redeemables: [{ object: 'voucher', id: 'A', discount: { type: 'PERCENT', percent_off: 101 } }] },
      ['redeemables[0].discount.percent_off: must be <= 100, not 101'],
    ],
    [
      'a long value',
      { timezone: [Array.from({ length: 40 }, () => 1)], redeemables: one },
      ['timezone: must be a string, not [[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,…'],
    ],
    [
      'a voucher that gives nothing',
      { redeemables: [{ object: 'voucher', id: 'A' }] },
      ['redeemables[0]: must have discount, gift or loyalty_card'],
    ],
    [
      'a voucher that gives two things',
      { redeemables: [amountOff('A', 1, { gift: { balance: 1 } })] },
      ['redeemables[0]: must not have discount and gift together'],
    ],
    [
      'points without a rate',
      {
        redeemables: [{ object: 'voucher', id: 'A', loyalty_card: { balance: 1 }, reward: { type: 'COIN' } }],
      },
      ['redeemables[0]: must have reward.parameters.coin'],
    ],
    [
      'a reward without a price',
      {
        redeemables: [
          { object: 'voucher', id: 'A', loyalty_card: { balance: 1 }, reward: { type: 'DIGITAL' } },
        ],
      },
      ['redeemables[0]: must have reward.points'],
    ],
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
      'a formula that ends too early',
      {
        redeemables: [
          {
            object: 'voucher',
            id: 'A',
            discount: { type: 'AMOUNT', amount_off: 1, amount_off_formula: '1 +' },
          },
        ],
      },
      ['redeemables[0].discount.amount_off_formula: Unexpected end of the formula. (character 4)'],
    ],
    [
      'an unknown operand in a scope',
      {
        redeemables: [
          amountOff('A', 1, {
            validation_rules: [
              {
                name: 'Scope',
                applicable_to: { included: [{ object: 'product', id: 'p', price_formula: 'NOTHING' }] },
              },
            ],
          }),
        ],
      },
      [
        'redeemables[0].validation_rules[0]: Property .applicable_to.included[0].price_formula must be a formula: There is no operand or function "NOTHING". (at character 1)',
      ],
    ],
    [
      'a rule with an unknown name',
      {
        redeemables: [
          amountOff('A', 1, { validation_rules: [{ name: 'x', rules: { '1': { name: 'nope' } } }] }),
        ],
      },
      ["redeemables[0].validation_rules[0]: Unknown rule name 'nope'"],
    ],
    [
      'an unknown field of a rule, named by its keys',
      {
        redeemables: [
          amountOff('A', 1, {
            validation_rules: [{ name: 'x', rules: { '1': { name: 'order.amount', condition: {} } } }],
          }),
        ],
      },
      [
        'redeemables[0].validation_rules[0].rules.1.condition: unknown field; known here: name, property, conditions, rules, error',
      ],
    ],
    [
      'a rule without a name',
      { redeemables: [amountOff('A', 1, { validation_rules: [{ rules: {} }] })] },
      ['redeemables[0].validation_rules[0].name: is missing'],
    ],
    [
      'an unknown field in a scope',
      {
        redeemables: [
          amountOff('A', 1, {
            validation_rules: [
              { name: 'x', applicable_to: { included: [{ object: 'sku', id: 's', quanity_limit: 1 }] } },
            ],
          }),
        ],
      },
      [
        expect.stringMatching(
          /^redeemables\[0\]\.validation_rules\[0\]\.applicable_to\.included\[0\]\.quanity_limit: unknown field; known here: object, id, /,
        ) as unknown as string,
      ],
    ],
    [
      'a counter that nothing counts',
      { redeemables: [amountOff('A', 1, { counters: { 'campaign.redemption.count': 1 } })] },
      [
        expect.stringMatching(
          /^redeemables\[0\]\.counters\.campaign\.redemption\.count: unknown field; known here: campaign\.redemptions\.count, /,
        ) as unknown as string,
      ],
    ],
    [
      'dates that are none',
      {
        now: '31.3.2026',
        redeemables: [amountOff('A', 1, { start_date: '2026-02-30', expiration_date: 'tomorrow' })],
      },
      [
        'now: must be an instant in UTC, not "31.3.2026"',
        'redeemables[0].start_date: must be an instant in UTC, not "2026-02-30"',
        'redeemables[0].expiration_date: must be an instant in UTC, not "tomorrow"',
      ],
    ],
    [
      'an unknown time zone',
      { timezone: 'Mars', redeemables: one },
      ['timezone: must be an IANA time zone, not "Mars"'],
    ],
    [
      'a limit out of range',
      { stacking_rules: { redeemables_limit: 31 }, redeemables: one },
      ['stacking_rules.redeemables_limit: must be <= 30, not 31'],
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
      'the same voucher twice',
      { redeemables: [...one, ...one] },
      ['redeemables[1]: is redeemables[0] again'],
    ],
    [
      'more redeemables than may be sent',
      {
        stacking_rules: { redeemables_limit: 1, applicable_redeemables_limit: 1 },
        redeemables: [...one, amountOff('B', 1)],
      },
      ['redeemables: must not have more than redeemables_limit (1) elements'],
    ],
    [
      'a stack beside something else',
      {
        redeemables: [
          ...one,
          { object: 'promotion_stack', id: 's', tiers: [{ ...amountOff('t', 1), object: 'promotion_tier' }] },
        ],
      },
      ['redeemables: a promotion_stack must be the only redeemable'],
    ],
    [
      'a tier twice in a stack',
      {
        redeemables: [
          {
            object: 'promotion_stack',
            id: 's',
            tiers: [
              { ...amountOff('t', 1), object: 'promotion_tier' },
              { ...amountOff('t', 1), object: 'promotion_tier' },
            ],
          },
        ],
      },
      ['redeemables[0].tiers[1]: is redeemables[0].tiers[0] again'],
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
