import { amountOff, draft } from '../calc.fixture';
import { one, problemsOf } from './problems.fixture';

describe('files of a wrong shape say which field, and how', () => {
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
      'a limit out of range',
      { stacking_rules: { redeemables_limit: 31 }, redeemables: one },
      ['stacking_rules.redeemables_limit: must be <= 30, not 31'],
    ],
  ])('%s', (_, file, problems) => {
    expect(problemsOf(draft(file))).toEqual(problems);
  });
});
