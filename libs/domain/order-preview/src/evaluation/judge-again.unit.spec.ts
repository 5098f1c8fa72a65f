import { isRefused } from '@scrip/kernel/pure';
import { amountOff, candidate, cups, customer, requestOf, rule } from '../preview.fixture';
import type { Candidate } from '../request/evaluation-request';
import { evaluateRequest } from './evaluate-request';
import { budgetsAllow, judgeAgain } from './judge-again';

type Counts = Record<string, number>;

const counting =
  (counts: Counts): Candidate['counted'] =>
  (name) =>
    counts[name] ?? 0;

const most = (name: string, bound: number) => ({ name, conditions: { $less_than_or_equal: [bound] } });

/** What judging says with other counts, after an evaluation with those of `read`. */
const judged = (
  rules: Candidate['rules'],
  { read = {}, now, ids = ['A'] }: { read?: Counts; now: Counts; ids?: string[] },
): string[] => {
  const candidates = ids.map((id) => candidate(id, { rules, counted: counting(read) }));
  const again = judgeAgain(evaluateRequest(requestOf(candidates, { customer })), () => counting(now));
  return again ? [again.candidate.redeemable.id, again.refusal.refused] : [];
};

describe('a limit that was kept when the request was evaluated (reference 02 §4.6)', () => {
  const ten = [rule({ 1: most('campaign.redemptions.count', 10) })];

  it.each([
    [9, []],
    [10, ['A', 'redemption_rules_violated']],
  ])('counts the redemption itself: %i before it, ten allowed', (before, expected) =>
    expect(judged(ten, { now: { 'campaign.redemptions.count': before } })).toEqual(expected),
  );

  it.each([
    [8, []],
    [9, ['B', 'redemption_rules_violated']],
  ])('counts earlier redeemables of the request: %i before both', (before, expected) =>
    expect(judged(ten, { now: { 'campaign.redemptions.count': before }, ids: ['A', 'B'] })).toEqual(expected),
  );

  it('is no limit where another rule of its logic holds', () => {
    const either = rule({
      1: most('campaign.redemptions.count', 10),
      2: { name: 'order.amount', conditions: { $more_than_or_equal: [4000] } },
      logic: '1 or 2',
    });
    expect(judged([either], { now: { 'campaign.redemptions.count': 99 } })).toEqual([]);
  });

  it('is judged by every condition on its count', () => {
    const odd = rule({ 1: { name: 'campaign.redemptions.count', conditions: { $is: [4] } } });
    const read = { 'campaign.redemptions.count': 3 };
    expect(judged([odd], { read, now: read })).toEqual([]);
    expect(judged([odd], { read, now: { 'campaign.redemptions.count': 2 } })).toEqual([
      'A',
      'redemption_rules_violated',
    ]);
  });

  it('of money takes the discount as a whole', () => {
    const money = [rule({ 1: most('campaign.orders.amount_discounted', 250) })];
    expect(judged(money, { now: { 'campaign.orders.amount_discounted': 150 } })).toEqual([]);
    expect(judged(money, { now: { 'campaign.orders.amount_discounted': 151 } })).toEqual([
      'A',
      'redemption_rules_violated',
    ]);
  });

  it('says which rule is violated, in the words of its author', () => {
    const worded = rule(
      { 1: { ...most('campaign.redemptions.count', 1), error: { message: 'Sold out.' } } },
      { id: 'val_sold' },
    );
    const calculation = evaluateRequest(requestOf([candidate('A', { rules: [worded] })]));
    const again = judgeAgain(calculation, () => () => 1);
    expect(again?.refusal).toMatchObject({
      details: 'Discount Coupon cannot be redeemed because of violated validation rules: val_sold',
      customMessage: 'Sold out.',
    });
    expect(isRefused(again?.refusal)).toBe(true);
  });

  it('is not judged for what does not apply', () => {
    const calculation = evaluateRequest(
      requestOf([candidate('A', { rules: ten, counted: () => 10 }), candidate('B')]),
    );
    expect(calculation.countedVerdicts).toEqual([]);
    expect(judgeAgain(calculation, () => () => 99)).toBeNull();
  });
});

describe('unit budgets (reference 01 §6)', () => {
  const three = rule(
    {},
    {
      applicable_to: {
        included: [{ object: 'product', id: 'prod_cup', product_campaign_quantity_limit: 3 }],
        excluded: [],
        included_all: false,
      },
    },
  );
  const unitsWith = (used: number) =>
    evaluateRequest(
      requestOf(
        [
          candidate('A', {
            objectId: 'v_1',
            rules: [three],
            redeemable: { ...amountOff(100), incentive: amountOff(100, { effect: 'APPLY_TO_ITEMS' }) },
          }),
        ],
        { order: cups, unitsUsed: () => used },
      ),
    ).consumption.units;

  it.each([
    [0, true],
    [1, false],
  ])('allow three planned units of three where %i were counted meanwhile: %s', (used, allowed) => {
    expect(budgetsAllow(unitsWith(0), () => used)).toBe(allowed);
  });

  it('allow what they cut, as long as nothing was counted meanwhile', () => {
    const cut = unitsWith(2);
    expect(cut.map(({ units }) => units)).toEqual([1]);
    expect([2, 3].map((used) => budgetsAllow(cut, () => used))).toEqual([true, false]);
  });

  it('of a voucher without campaign are those of its id', () => {
    const own = candidate('CODE', {
      objectId: 'v_1',
      rules: [three],
      redeemable: { campaignId: undefined as never, incentive: amountOff(100, { effect: 'APPLY_TO_ITEMS' }) },
    });
    const { consumption } = evaluateRequest(requestOf([own], { order: cups }));
    expect(consumption.units.map(({ budget }) => budget.owner)).toEqual(['v_1']);
  });
});
