import { amountOff, draft } from '../calc.fixture';
import { problemsOf } from './problems.fixture';

describe('redeemables that are wrong say which, and how', () => {
  it.each<[string, unknown, string[]]>([
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
  ])('%s', (_, file, problems) => {
    expect(problemsOf(draft(file))).toEqual(problems);
  });
});
