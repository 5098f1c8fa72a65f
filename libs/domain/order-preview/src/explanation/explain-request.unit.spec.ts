import { evaluateRequest } from '../evaluation/evaluate-request';
import { amountOff, candidate, customer, requestOf, rule } from '../preview.fixture';
import { explainRequest } from './explain-request';

const vips = { name: 'customer.segment', conditions: { $is: ['seg_vip'] } };
const cup = { object: 'product', id: 'prod_cup' };

const explained = (...args: Parameters<typeof requestOf>) => explainRequest(requestOf(...args)).traces;

describe('an explanation', () => {
  it('has the result of the evaluation', () => {
    const request = requestOf([candidate('A', { rules: [rule({ 1: vips })] }), candidate('B')], { customer });
    expect(explainRequest(request).calculation).toEqual(evaluateRequest(request));
  });

  it('walks the rules that logic names, those that hold too, with what was expected and found', () => {
    const mugs = {
      name: 'order.items.any',
      conditions: { $is: [cup] },
      rules: {
        1: { name: 'order.items.aggregated_quantity', conditions: { $more_than: [3], $less_than: [4] } },
        2: { name: 'order.items.price', conditions: { $more_than: [1] } },
        logic: '1',
      },
    };
    const rules = [rule({ 1: vips, 2: mugs, 3: vips, logic: '1 or 2' })];
    const [one] = explained([candidate('A', { rules })], {
      customer: { ...customer, segments: ['seg_new'] },
    });
    const about = { ruleId: 'val_1', property: null, limit: null };
    expect(one).toEqual({
      object: 'voucher',
      id: 'A',
      status: 'INAPPLICABLE',
      reason: 'customer_rules_violated',
      rules: [
        {
          ...about,
          path: '1',
          name: 'customer.segment',
          group: 'customer',
          verdict: 'FAILS',
          operator: '$is',
          expected: ['seg_vip'],
          actual: ['seg_new'],
        },
        {
          ...about,
          path: '2',
          name: 'order.items.any',
          group: 'order',
          verdict: 'FAILS',
          operator: '$is',
          expected: [cup],
          actual: ['prod_cup'],
        },
        {
          ...about,
          path: '2.rules.1',
          name: 'order.items.aggregated_quantity',
          group: 'order',
          verdict: 'FAILS',
          operator: '$less_than',
          expected: [4],
          actual: 4,
        },
      ],
      steps: [],
    });
  });

  it('shows a limit with what it counted, and what earlier redeemables of the request added', () => {
    const twice = rule({ 1: { name: 'campaign.redemptions.count.daily', conditions: { $less_than: [7] } } });
    const [, second] = explained([candidate('A'), candidate('B', { rules: [twice], counted: () => 5 })]);
    expect(second?.rules).toMatchObject([
      {
        verdict: 'FAILS',
        expected: [7],
        actual: 7,
        limit: { of: 'campaign', countedBy: 'all', measure: 'redemptions', period: 'daily', counted: 6 },
      },
    ]);
  });

  it('shows rules that read the result with that result', () => {
    const rules = [rule({ 1: { name: 'order.total_amount', conditions: { $more_than: [3900] } } })];
    const [one] = explained([candidate('A', { rules })]);
    expect(one).toMatchObject({
      reason: 'order_rules_violated',
      rules: [{ verdict: 'FAILS', actual: 3900 }],
    });
  });

  it('says what the mode left out', () => {
    const request = requestOf([candidate('A', { rules: [rule({ 1: vips })] })]);
    expect(explainRequest(request, 'PRODUCT').traces).toMatchObject([
      { status: 'APPLICABLE', reason: null, rules: [{ verdict: 'OMITTED', operator: null, actual: null }] },
    ]);
  });

  it('shows how often a bundle was found', () => {
    const bundle = {
      bundle_rules: {
        1: { name: 'order.items.any', conditions: { $is: [{ ...cup, type: 'product_or_sku' }] } },
        limit: 2,
      },
    };
    const [one] = explained([candidate('A', { rules: [rule({}, bundle)] })]);
    expect(one?.rules).toMatchObject([{ path: 'bundle_rules', verdict: 'HOLDS', actual: 2 }]);
    expect(one?.steps[0]).toEqual({ step: 'bundle', quantity: 2, limit: 2 });
  });

  it('takes each step of the calculation from what was to pay before to what is after', () => {
    const perUnit = amountOff(100, { effect: 'APPLY_TO_ITEMS_BY_QUANTITY' });
    const traces = explained([
      candidate('ITEMS', { redeemable: { incentive: perUnit } }),
      candidate('CARD', { redeemable: { incentive: { gift: { balance: 900 } } } }),
      candidate('FREE', {
        redeemable: {
          incentive: {
            discount: { type: 'UNIT', unit_off: 1, unit_type: 'prod_cup', effect: 'ADD_NEW_ITEMS' },
          },
        },
      }),
    ]);
    const resolved = { ...perUnit.discount, is_dynamic: false };
    expect(traces[0]?.steps).toEqual([
      { step: 'discount', discount: resolved },
      { step: 'line', index: 0, discount_amount: 400, discount_quantity: 4 },
      { step: 'total', before: 4000, after: 3600 },
    ]);
    expect(traces[1]?.steps).toEqual([
      { step: 'credits', balance: 900, used: 900 },
      { step: 'order', discount_amount: 900 },
      { step: 'total', before: 3600, after: 2700 },
    ]);
    expect(traces[2]?.steps.slice(1)).toEqual([
      { step: 'units', amount: 1000 },
      expect.objectContaining({ step: 'line', index: 0, quantity: 1, free_quantity: 1 }),
      { step: 'total', before: 2700, after: 2700 },
    ]);
  });

  it('says why a redeemable was skipped or cannot be used, and walks no rules of it', () => {
    const { settings } = requestOf([]);
    const traces = explained(
      [
        candidate('OLD', { unusable: { refused: 'voucher_expired' }, rules: [rule({ 1: vips })] }),
        candidate('A'),
        candidate('B'),
      ],
      { settings: { ...settings, applicable_redeemables_limit: 1 } },
    );
    expect(traces.map(({ reason }) => reason)).toEqual([
      'voucher_expired',
      null,
      'applicable_redeemables_limit_exceeded',
    ]);
    expect(traces[0]).toMatchObject({ rules: [], steps: [] });
  });

  it('has no total where there is no order', () => {
    expect(explained([candidate('A')], { order: null })[0]?.steps).toContainEqual({
      step: 'total',
      before: null,
      after: null,
    });
  });
});
