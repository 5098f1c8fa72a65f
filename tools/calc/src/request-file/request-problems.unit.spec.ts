import { amountOff, draft } from '../calc.fixture';
import { one, problemsOf } from './problems.fixture';

describe('lists of redeemables that the API would refuse', () => {
  it.each<[string, unknown, string[]]>([
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
  ])('%s', (_, file, problems) => {
    expect(problemsOf(draft(file))).toEqual(problems);
  });
});
