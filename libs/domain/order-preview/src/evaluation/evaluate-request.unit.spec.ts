import { amountOff, candidate, cart, cups, requestOf, rule } from '../preview.fixture';
import type { Calculation } from './evaluate-request';
import { evaluateRequest } from './evaluate-request';
import { violationsOf } from './rule-checks';

const limit = (name: string, most: number, id = 'val_limit') =>
  rule({ 1: { name, conditions: { $less_than_or_equal: [most] } } }, { id });

const vips = rule({ 1: { name: 'customer.segment', conditions: { $is: ['seg_vip'] } } }, { id: 'val_vip' });

const verdicts = ({ redeemables }: Calculation): string[] =>
  redeemables.map((one) => {
    if (one.status === 'INAPPLICABLE') return one.refusal.refused;
    return one.status === 'SKIPPED' ? one.reason : one.status;
  });

describe('rules that need a result', () => {
  it.each([
    ['campaign.orders.amount_discounted', 100],
    ['order.total_amount', 3900],
  ])('are judged on it: %s, %i at most', (name, most) => {
    const of = (bound: number) =>
      verdicts(evaluateRequest(requestOf([candidate('A', { rules: [limit(name, bound)] })])));
    expect(of(most)).toEqual(['APPLICABLE']);
    expect(of(most - 1)[0]).toMatch(/_rules_violated$/);
  });

  it.each([250, 249])('are judged on the credits spent: 250 where %i may be', (most) => {
    const gift = candidate('CARD', {
      redeemable: { incentive: { gift: { balance: 900, credits: 250 } } },
      rules: [limit('redemption.gift.amount', most)],
    });
    expect(verdicts(evaluateRequest(requestOf([gift])))).toEqual([
      most === 250 ? 'APPLICABLE' : 'redemption_rules_violated',
    ]);
  });

  it('are judged together with all others, so that a refusal names every violated rule', () => {
    const both = candidate('A', { rules: [limit('campaign.orders.amount_discounted', 1), vips] });
    const [outcome] = evaluateRequest(
      requestOf([both], { customer: { segments: [], tiers: [], metadata: {} } }),
    ).redeemables;
    const refusal = outcome?.status === 'INAPPLICABLE' ? outcome.refusal : { refused: '' };
    expect(refusal).toMatchObject({
      refused: 'customer_rules_violated',
      details: 'Discount Coupon cannot be redeemed because of violated validation rules: val_limit, val_vip',
    });
    expect(violationsOf(refusal).map(({ ruleId }) => ruleId)).toEqual(['val_limit', 'val_vip']);
  });

  it('keep the order as it was where they refuse', () => {
    const { order, redeemables } = evaluateRequest(
      requestOf([candidate('A', { rules: [limit('order.total_amount', 1)] }), candidate('B')]),
    );
    expect(redeemables.map(({ status }) => status)).toEqual(['INAPPLICABLE', 'APPLICABLE']);
    expect(order?.total_amount).toBe(3900);
  });
});

describe('limits count what applied earlier in the request', () => {
  it('with the order amount as each redeemable left it (reference 02 §4.6)', () => {
    const more = candidate('FREE', {
      redeemable: {
        incentive: {
          discount: { type: 'UNIT', unit_off: 1, unit_type: 'prod_cup', effect: 'ADD_NEW_ITEMS' },
        },
      },
    });
    const second = (most: number) =>
      verdicts(
        evaluateRequest(
          requestOf([more, candidate('B', { rules: [limit('campaign.orders.amount', most)] })]),
        ),
      )[1];
    // 50.00 after the free cup, 50.00 now.
    expect(second(10_000)).toBe('APPLICABLE');
    expect(second(9_999)).toBe('redemption_rules_violated');
  });
});

describe('consumption', () => {
  const budgeted = rule(
    {},
    {
      applicable_to: {
        included: [{ object: 'product', id: 'prod_cup', product_campaign_quantity_limit: 6 }],
      },
    },
  );
  const perUnit = (id: string) =>
    candidate(id, {
      redeemable: { incentive: amountOff(100, { effect: 'APPLY_TO_ITEMS_BY_QUANTITY' }) },
      rules: [budgeted],
    });
  const card = (id: string) =>
    candidate(id, { redeemable: { incentive: { gift: { balance: 500 } } }, label: 'Gift Card' });

  it('is of the request: by code of each card, and by budget of all redeemables', () => {
    const { consumption } = evaluateRequest(requestOf([perUnit('A'), perUnit('B'), card('C1'), card('C2')]));
    expect(consumption).toEqual({
      credits: [
        { id: 'C1', credits: 500 },
        { id: 'C2', credits: 500 },
      ],
      points: [],
      units: [
        {
          budget: { limit: 'product_campaign_quantity_limit', owner: 'camp_1', item: 'product:prod_cup' },
          units: 6,
          usedAtMost: 0,
        },
      ],
    });
  });
});

describe('a request', () => {
  it('may name more redeemables than the project allows: the caller has counted them', () => {
    const requested = Array.from({ length: 31 }, (_, index) => candidate(`V${index}`));
    expect(evaluateRequest(requestOf(requested)).redeemables).toHaveLength(31);
  });

  it('of 30 redeemables and 100 lines makes what an answer leaves out only when it is read', () => {
    const order = cart(Array.from({ length: 100 }, (_, n) => ({ product_id: `prod_${n}`, price: 1000 + n })));
    const requested = Array.from({ length: 30 }, (_, n) => candidate(`V${n}`));
    const { settings } = requestOf([]);
    const { redeemables } = evaluateRequest(
      requestOf(requested, { order, settings: { ...settings, applicable_redeemables_limit: 30 } }),
    );
    expect(JSON.stringify(redeemables).length).toBeGreaterThan(400_000);
    const shown = redeemables.map((one) =>
      one.status === 'APPLICABLE' ? { id: one.id, result: one.result } : one.id,
    );
    expect(JSON.stringify(shown).length).toBeLessThan(5_000);
    for (const one of redeemables)
      expect(Object.getOwnPropertyDescriptor(one, 'order')?.get).toEqual(expect.any(Function));
  });

  it('is left as it was', () => {
    const before = JSON.stringify(cups);
    evaluateRequest(requestOf([candidate('A'), candidate('B')]));
    expect(JSON.stringify(cups)).toBe(before);
  });
});
