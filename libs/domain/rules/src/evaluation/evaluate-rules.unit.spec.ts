import {
  byKey,
  cart,
  contextOf,
  discounted,
  oneRule,
  orderPart,
  ruleObject,
  someone,
} from '../rules.fixture';
import { evaluateRules, rulesHold } from './evaluate-rules';
import type { RuleContext } from './rule-context';
import { fixed, stranger, verdictOf, vip, wording } from '../verdicts.fixture';

describe('logic in evaluation (1.1)', () => {
  it.each<[string, boolean[], boolean]>([
    ['1 or 2 and 3', [true, true, false], true],
    ['1 or 2 and 3', [true, false, false], true],
    ['1 or 2 and 3', [false, true, false], false],
    ['1 or 2 and 3', [false, true, true], true],
    ['(1 or 2) and 3', [true, true, false], false],
    ['(1 or 2) and 3', [false, true, true], true],
    ['(1 or 2) and 3', [false, false, true], false],
    ['', [true, true, true], true],
    ['', [true, true, false], false],
    ['1', [true, false, false], true],
    ['3', [true, true, false], false],
  ])('%j with %j is %j', (logic, truths, expected) => {
    const rules = Object.fromEntries(truths.map((isTrue, index) => [String(index + 1), fixed(isTrue)]));
    expect(verdictOf(ruleObject({ ...rules, logic }), { redemption: byKey }).holds).toBe(expected);
  });

  it('lets a rule object without rules hold', () => {
    expect(verdictOf(ruleObject({}), {})).toEqual({
      holds: true,
      outcomes: [{ id: 'val_1', status: 'VALID', omitted: [] }],
      violations: [],
      refusal: null,
    });
  });

  it('restricts nothing without rule objects', () => {
    expect(verdictOf([], {})).toEqual({ holds: true, outcomes: [], violations: [], refusal: null });
    expect(rulesHold([], contextOf(), 'FULL')).toBe(true);
  });

  it('requires every rule object to hold', () => {
    const context = contextOf({ redemption: byKey });
    const yes = ruleObject({ 1: fixed(true) }, { id: 'val_a' });
    const no = ruleObject({ 1: fixed(false) }, { id: 'val_b' });
    expect(rulesHold([yes, yes], context, 'FULL')).toBe(true);
    expect(rulesHold([yes, no], context, 'FULL')).toBe(false);
    expect(evaluateRules([yes, no], context, 'FULL', wording)).toMatchObject({
      holds: false,
      outcomes: [
        { id: 'val_a', status: 'VALID', omitted: [] },
        { id: 'val_b', status: 'INVALID', omitted: [] },
      ],
    });
  });

  it('combines rules below a rule by their own logic', () => {
    const below = (...truths: boolean[]) =>
      ruleObject({
        1: fixed(true, {
          rules: { 1: fixed(truths[0]!), 2: fixed(truths[1]!), 3: fixed(truths[2]!), logic: '1 or 2 and 3' },
        }),
      });
    expect(verdictOf(below(true, false, false), { redemption: byKey }).holds).toBe(true);
    expect(verdictOf(below(false, true, true), { redemption: byKey }).holds).toBe(true);
    expect(verdictOf(below(false, true, false), { redemption: byKey }).holds).toBe(false);
  });

  it('requires a rule and the rules below it to hold', () => {
    const both = (own: boolean, below: boolean) =>
      ruleObject({ 1: fixed(own, { rules: { 1: fixed(below) } }) });
    expect(verdictOf(both(true, true), { redemption: byKey }).holds).toBe(true);
    expect(verdictOf(both(true, false), { redemption: byKey }).holds).toBe(false);
    expect(verdictOf(both(false, true), { redemption: byKey }).holds).toBe(false);
  });
});

describe('explanations', () => {
  it('name the metadata that a rule looked at', () => {
    const rule = oneRule('customer.metadata', { $is: ['gold'] }, { property: 'card.tier' });
    const customer = { ...someone, metadata: { card: { tier: 'silver' } } };
    expect(verdictOf(rule, contextOf({ customer })).violations).toEqual([
      {
        ruleId: 'val_1',
        path: '1',
        name: 'customer.metadata',
        property: 'card.tier',
        group: 'customer',
        operator: '$is',
        expected: ['gold'],
        actual: 'silver',
      },
    ]);
  });
});

describe('amounts in a stack (4.3)', () => {
  const coupon = ruleObject({
    1: { name: 'order.amount', conditions: { $more_than: [1000] } },
    2: { name: 'order.initial_amount', conditions: { $less_than: [1100] } },
  });
  const initial = cart([{ product: 'prod_1', price: 1050 }]);

  it('lets the coupon come first', () => {
    expect(verdictOf(coupon, { order: orderPart(initial) }).holds).toBe(true);
  });

  it('refuses it after a gift card took 100: order.amount is 950, the initial amount still 1050', () => {
    const verdict = verdictOf(coupon, { order: orderPart(initial, { before: discounted(initial, 100) }) });
    expect(verdict).toEqual({
      holds: false,
      outcomes: [{ id: 'val_1', status: 'INVALID', omitted: [] }],
      violations: [
        {
          ruleId: 'val_1',
          path: '1',
          name: 'order.amount',
          property: null,
          group: 'order',
          operator: '$more_than',
          expected: [1000],
          actual: 950,
        },
      ],
      refusal: {
        refused: 'order_rules_violated',
        details: 'Discount Coupon cannot be redeemed because of violated validation rules: val_1',
      },
    });
  });

  it.each([
    [5500, 500, false],
    [5999, 999, false],
    [6000, 1000, true],
  ])('with a coupon of 5000 a cart of %d leaves %d', (amount, left, holds) => {
    const order = cart([{ price: amount }]);
    const rule = oneRule('order.total_amount', { $more_than_or_equal: [1000] });
    const verdict = verdictOf(rule, { order: orderPart(order, { after: discounted(order, 5000) }) });
    expect(verdict.holds).toBe(holds);
    expect(verdict.violations.map(({ actual }) => actual)).toEqual(holds ? [] : [left]);
  });
});

describe('status (4.5)', () => {
  const example = ruleObject(
    {
      1: {
        name: 'customer.segment',
        conditions: { $is: ['seg_1'] },
        rules: {},
        error: { message: 'VIPs only' },
      },
      2: {
        name: 'order.items.any',
        rules: {
          1: { name: 'order.items.aggregated_quantity', conditions: { $more_than_or_equal: [3] }, rules: {} },
          logic: '1',
        },
        conditions: { $is: [{ id: 'prod_1', object: 'product' }] },
      },
      3: { name: 'order.initial_amount', conditions: { $more_than_or_equal: [10000] }, rules: {} },
      logic: '1 and (2 or 3)',
    },
    { error: { message: 'Not eligible' } },
  );

  it.each<[string, RuleContext['order']]>([
    ['no cart', null],
    ['an empty cart', orderPart(cart([]))],
    ['a full cart', orderPart(cart([{ product: 'prod_1', quantity: 3, price: 5000 }]))],
  ])('the example under AUDIENCE: a VIP with %s', (_, order) => {
    const verdict = verdictOf(example, { customer: vip, order }, 'AUDIENCE');
    expect(verdict.holds).toBe(true);
    expect(verdict.outcomes).toEqual([{ id: 'val_1', status: 'PARTIALLY_VALID', omitted: ['2', '3'] }]);
  });

  it('the example under AUDIENCE: anyone else', () => {
    const verdict = verdictOf(example, { customer: stranger }, 'AUDIENCE');
    expect(verdict.outcomes).toEqual([{ id: 'val_1', status: 'INVALID', omitted: ['2', '3'] }]);
    expect(verdict.violations.map(({ path }) => path)).toEqual(['1']);
    expect(verdict.refusal?.customMessage).toBe('VIPs only');
  });

  it('the example in full: mugs on two lines, or a cart of 100.00', () => {
    const inCart = (...lines: Parameters<typeof cart>[0]) => ({
      customer: vip,
      order: orderPart(cart(lines)),
    });
    const twoAndOne = inCart(
      { product: 'prod_1', quantity: 2, price: 100 },
      { product: 'prod_2', price: 100 },
      { product: 'prod_1', quantity: 1, price: 100 },
    );
    expect(verdictOf(example, twoAndOne)).toMatchObject({
      holds: true,
      outcomes: [{ status: 'VALID', omitted: [] }],
    });
    expect(verdictOf(example, inCart({ product: 'prod_2', price: 10000 })).holds).toBe(true);
    const onlyTwo = verdictOf(example, inCart({ product: 'prod_1', quantity: 2, price: 100 }));
    expect(onlyTwo.violations).toEqual([
      {
        ruleId: 'val_1',
        path: '2.rules.1',
        name: 'order.items.aggregated_quantity',
        property: null,
        group: 'order',
        operator: '$more_than_or_equal',
        expected: [3],
        actual: 2,
      },
      {
        ruleId: 'val_1',
        path: '3',
        name: 'order.initial_amount',
        property: null,
        group: 'order',
        operator: '$more_than_or_equal',
        expected: [10000],
        actual: 200,
      },
    ]);
    expect(onlyTwo.refusal).toMatchObject({ refused: 'order_rules_violated', customMessage: 'Not eligible' });
    const dear = verdictOf(example, inCart({ product: 'prod_2', price: 9999 }));
    expect(dear.violations[0]).toEqual({
      ruleId: 'val_1',
      path: '2',
      name: 'order.items.any',
      property: null,
      group: 'order',
      operator: '$is',
      expected: [{ id: 'prod_1', object: 'product' }],
      actual: ['prod_2'],
    });
  });

  it('names top-level keys, ascending as numbers, once, of what logic names', () => {
    const counted = { name: 'redemption.count.daily', conditions: { $less_than: [1] } };
    const rule = ruleObject({
      10: counted,
      9: fixed(true, { rules: { 1: counted, 2: counted, logic: '2' } }),
      8: fixed(true, { rules: { 1: counted, 2: fixed(true), logic: '2' } }),
      7: counted,
      logic: '10 and 9 and 8',
    });
    expect(verdictOf(rule, { redemption: byKey }, 'QUALIFY').outcomes).toEqual([
      { id: 'val_1', status: 'PARTIALLY_VALID', omitted: ['9', '10'] },
    ]);
  });

  it('leaves out all rules where a product filter decides', () => {
    expect(verdictOf(example, {}, 'PRODUCT').outcomes).toEqual([
      { id: 'val_1', status: 'PARTIALLY_VALID', omitted: ['1', '2', '3'] },
    ]);
  });
});
