import { amountOff, calculated, oneRule, outcomes } from './calc.fixture';
import { order, partial } from './request.fixture';

describe('limits', () => {
  const twice = oneRule('campaign.redemptions.count', { $less_than_or_equal: [2] });
  const spring = (id: string, counted: number) =>
    amountOff(id, 100, {
      campaign_id: 'camp_spring',
      counters: { 'campaign.redemptions.count': counted },
      validation_rules: [twice],
    });

  it.each([
    { counted: 0, expected: ['100', '100', 'redemption_rules_violated'] },
    { counted: 1, expected: ['100', 'redemption_rules_violated', 'redemption_rules_violated'] },
    {
      counted: 2,
      expected: ['redemption_rules_violated', 'redemption_rules_violated', 'redemption_rules_violated'],
    },
  ])(
    'count what was redeemed ($counted) and what applied earlier in the request',
    ({ counted, expected }) => {
      const redeemables = [spring('A', counted), spring('B', counted), spring('C', counted)];
      expect(outcomes(calculated({ order, stacking_rules: partial, redeemables }))).toEqual(expected);
    },
  );

  it('of other campaigns are left alone', () => {
    const other = { ...spring('C', 0), campaign_id: 'camp_other' };
    expect(outcomes(calculated({ order, redeemables: [spring('A', 0), spring('B', 0), other] }))).toEqual([
      '100',
      '100',
      '100',
    ]);
  });

  it('of a voucher without campaign are its own', () => {
    const alone = (id: string) =>
      amountOff(id, 100, {
        validation_rules: [oneRule('campaign.redemptions.count', { $less_than_or_equal: [1] })],
      });
    expect(outcomes(calculated({ order, redeemables: [alone('A'), alone('B')] }))).toEqual(['100', '100']);
  });

  it.each([
    { budget: 200, expected: ['100', '100'] },
    { budget: 199, expected: ['100', 'redemption_rules_violated'] },
  ])('of money ($budget) are not exceeded by a part', ({ budget, expected }) => {
    const rule = oneRule('campaign.orders.amount_discounted', { $less_than_or_equal: [budget] });
    const of = (id: string) => amountOff(id, 100, { campaign_id: 'camp_1', validation_rules: [rule] });
    expect(outcomes(calculated({ order, stacking_rules: partial, redeemables: [of('A'), of('B')] }))).toEqual(
      expected,
    );
  });
});
