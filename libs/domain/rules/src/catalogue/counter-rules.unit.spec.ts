import { evaluateRules } from '../evaluation/evaluate-rules';
import type { RuleContext } from '../evaluation/rule-context';
import { byKey, cart, contextOf, discounted, oneRule, orderPart, someone } from '../rules.fixture';
import { holds } from '../verdicts.fixture';
import { counters, perCustomer } from './counters.fixture';

describe('limits and budgets (3.3)', () => {
  const inFull: Partial<RuleContext> = {
    customer: someone,
    redemption: { ...byKey, userLogin: 'ann' },
  };
  const counts = [...counters.slice(0, 9), ...perCustomer];

  it.each(counts)('%s counts the redemption being judged', (name) => {
    const context = (redemptions: number) => ({
      ...inFull,
      counted: (asked: string) => (asked === name ? redemptions : 1000),
    });
    expect(holds(name, { $less_than_or_equal: [5] }, context(4))).toBe(true);
    expect(holds(name, { $less_than_or_equal: [5] }, context(5))).toBe(false);
    expect(holds(name, { $less_than: [5] }, context(3))).toBe(true);
    expect(holds(name, { $less_than: [5] }, context(4))).toBe(false);
  });

  it('limits of a key or a member count for these only', () => {
    const context = { customer: someone, redemption: byKey };
    expect(holds('redemption.count.per_api_key', { $less_than: [9] }, context)).toBe(true);
    expect(holds('redemption.count.per_user', { $less_than: [9] }, context)).toBe(false);
    const byUser = { redemption: { ...byKey, apiKeyId: null, userLogin: 'ann' } };
    expect(holds('redemption.count.per_api_key', { $less_than: [9] }, byUser)).toBe(false);
    expect(holds('redemption.count.per_user', { $less_than: [9] }, byUser)).toBe(true);
    expect(holds('redemption.count.per_api_key', { $less_than: [9] }, {})).toBe(false);
    expect(holds('redemption.count.per_user', { $less_than: [9] }, {})).toBe(false);
  });

  const order = cart([{ product: 'prod_1', price: 10000 }]);
  const given = (discount: number, counted: number, rest: Partial<RuleContext> = {}) => ({
    order: orderPart(order, { before: discounted(order, 700), after: discounted(order, 700 + discount) }),
    counted: () => counted,
    ...rest,
  });

  it('a budget of 5000 with 3000 given is violated by 2500 and met by 2000', () => {
    const name = 'campaign.orders.amount_discounted';
    expect(holds(name, { $less_than_or_equal: [5000] }, given(2500, 3000))).toBe(false);
    expect(holds(name, { $less_than_or_equal: [5000] }, given(2001, 3000))).toBe(false);
    expect(holds(name, { $less_than_or_equal: [5000] }, given(2000, 3000))).toBe(true);
    const verdict = evaluateRules(
      [oneRule(name, { $less_than_or_equal: [5000] })],
      contextOf(given(2500, 3000)),
      'FULL',
      { label: 'Discount Coupon' },
    );
    expect(verdict.violations[0]).toMatchObject({ actual: 5500, expected: [5000] });
  });

  it('discounts of items count, added units included', () => {
    const line = order.lines[0]!;
    const after = { ...order, lines: [{ ...line, discountAmount: 300 }] };
    const context = { order: orderPart(order, { after }) };
    expect(holds('campaign.orders.amount_discounted', { $is: [300] }, context)).toBe(true);
  });

  it('a discount that is not computed counts nothing', () => {
    const context = { order: orderPart(order), counted: () => 7 };
    expect(holds('campaign.orders.amount_discounted', { $is: [7] }, context)).toBe(true);
    expect(holds('campaign.orders.amount_discounted', { $is: [7] }, { counted: () => 7 })).toBe(true);
  });

  it('orders count with their amount, without discounts', () => {
    expect(holds('campaign.orders.amount', { $is: [10500] }, given(2500, 500))).toBe(true);
    expect(holds('campaign.orders.amount', { $is: [500] }, { counted: () => 500 })).toBe(true);
    const unknown = { ...order, amount: undefined };
    const context = { order: orderPart(unknown), counted: () => 500 };
    expect(holds('campaign.orders.amount', { $is: [500] }, context)).toBe(true);
  });

  it('gift credits count with those of this redemption', () => {
    const redemption = { ...byKey, giftAmount: 250 };
    expect(holds('redemption.gift.amount', { $is: [1250] }, { redemption, counted: () => 1000 })).toBe(true);
    expect(holds('redemption.gift.amount', { $is: [1000] }, { counted: () => 1000 })).toBe(true);
  });
});
