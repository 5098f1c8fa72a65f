import { refuse } from '@scrip/kernel';
import type { CalculationContext } from './calculation-context';
import { amount, calculated, cart, redeemables, refusals, statuses, voucher } from './calculation.fixture';
import { openTotalOf } from './order/order-state';
import type { Redeemable } from './redeemable';

describe('what the caller decides (reference 01 §10 step 4)', () => {
  const notFound = refuse('not_found', 'Cannot find voucher with id CODE-2');
  const secondFails: CalculationContext = { preCheck: ({ id }) => (id === 'CODE-2' ? notFound : null) };
  const three = redeemables(amount(100), amount(200), amount(400));

  test('ALL: one inapplicable makes the request invalid and skips the rest', () => {
    const calculation = calculated(cart({ amount: 1000 }), three, {}, secondFails);
    expect(statuses(calculation)).toEqual(['APPLICABLE', 'INAPPLICABLE', 'preceding_validation_failed']);
    expect(calculation.redeemables[1]).toEqual({
      object: 'voucher',
      id: 'CODE-2',
      status: 'INAPPLICABLE',
      refusal: notFound,
    });
    expect(calculation.valid).toBe(false);
  });

  test('PARTIAL: the others are applied', () => {
    const calculation = calculated(
      cart({ amount: 1000 }),
      three,
      { redeemables_application_mode: 'PARTIAL' },
      secondFails,
    );
    expect(statuses(calculation)).toEqual(['APPLICABLE', 'INAPPLICABLE', 'APPLICABLE']);
    expect(calculation).toMatchObject({ valid: true, order: { total_amount: 500 } });
  });

  test('PARTIAL with nothing applicable is invalid', () => {
    const calculation = calculated(
      cart({ amount: 1000 }),
      redeemables(amount(100)),
      { redeemables_application_mode: 'PARTIAL' },
      { preCheck: () => notFound },
    );
    expect(calculation.valid).toBe(false);
  });

  test('checks see the order at their turn', () => {
    const seen: (number | null)[][] = [];
    calculated(
      cart({ amount: 1000 }),
      redeemables(amount(300), amount(300)),
      {},
      {
        preCheck: (_, before) => {
          seen.push([before && openTotalOf(before)]);
          return null;
        },
        ruleCheck: (_, before) => {
          seen.push([before && openTotalOf(before)]);
          return null;
        },
        postCheck: (_, { before, after, result }) => {
          seen.push([before && openTotalOf(before), after && openTotalOf(after)]);
          expect(result).toMatchObject({ discount: { amount_off: 300 } });
          return null;
        },
      },
    );
    expect(seen).toEqual([[1000], [1000], [1000, 700], [700], [700], [700, 400]]);
  });

  test('a failed check of the result leaves the order alone', () => {
    const tooCheap = refuse('order_rules_violated');
    const calculation = calculated(
      cart({ amount: 1000 }),
      redeemables(amount(300), amount(300)),
      {},
      {
        postCheck: (_, { after }) => (after && openTotalOf(after) < 500 ? tooCheap : null),
      },
    );
    expect(statuses(calculation)).toEqual(['APPLICABLE', 'INAPPLICABLE']);
    expect(refusals(calculation)).toEqual(['order_rules_violated']);
    expect(calculation.order?.total_amount).toBe(700);
  });

  test.each([
    ['state before everything', { preCheck: true, ruleCheck: true, postCheck: true }, 'pre'],
    ['a balance before rules', { ruleCheck: true, postCheck: true }, 'gift_amount_exceeded'],
  ] as const)('the first failed check decides: %s', (_, failing, expected) => {
    const fails = (name: string, is: boolean | undefined) => () => (is ? refuse(name) : null);
    const { preCheck, ruleCheck, postCheck } = failing as Record<string, boolean | undefined>;
    const calculation = calculated(
      cart({ amount: 1000 }),
      [voucher('GIFT', { gift: { balance: 10, credits: 11 } })],
      {},
      {
        preCheck: fails('pre', preCheck),
        ruleCheck: fails('rule', ruleCheck),
        postCheck: fails('post', postCheck),
      },
    );
    expect(refusals(calculation)).toEqual([expected]);
  });

  test('a missing reward is told before the state of the card (reference 03 §4.3)', () => {
    const expired = { preCheck: () => refuse('voucher_expired', 'CARD') };
    const refusalsOf = (incentive: Redeemable['incentive']) =>
      refusals(calculated(cart({ amount: 1000 }), [voucher('CARD', incentive)], {}, expired));
    expect(refusalsOf({ reward: null })).toEqual(['missing_reward']);
    expect(refusalsOf({ reward: { type: 'OTHER', points: 1, balance: 1 } })).toEqual(['voucher_expired']);
    expect(refusalsOf(null)).toEqual(['voucher_expired']);
  });

  test('rules decide before limits: an invalid redeemable beyond a limit is inapplicable', () => {
    const calculation = calculated(
      cart({ amount: 1000 }),
      redeemables(amount(1), amount(1)),
      { applicable_redeemables_limit: 1 },
      { ruleCheck: ({ id }) => (id === 'CODE-2' ? refuse('order_rules_violated') : null) },
    );
    expect(refusals(calculation)).toEqual(['order_rules_violated']);
  });

  test('limits decide before the result', () => {
    const calculation = calculated(
      cart({ amount: 1000 }),
      redeemables(amount(1), amount(1)),
      { applicable_redeemables_limit: 1 },
      { postCheck: ({ id }) => (id === 'CODE-2' ? refuse('order_rules_violated') : null) },
    );
    expect(statuses(calculation)).toEqual(['APPLICABLE', 'applicable_redeemables_limit_exceeded']);
  });

  test('nothing is booked for what does not apply', () => {
    const calculation = calculated(
      cart({ amount: 1000 }),
      [voucher('GIFT', { gift: { balance: 10 } })],
      {},
      { postCheck: () => refuse('redemption_rules_violated') },
    );
    expect(calculation.consumption).toEqual({ credits: [], points: [], units: [] });
  });

  test('nothing known that could be applied is refused', () => {
    const { redeemables: list } = calculated(cart({ amount: 1000 }), [voucher('X', null)]);
    expect(list[0]).toMatchObject({
      refusal: { refused: 'unsupported_discount', details: 'Nothing to apply for voucher X' },
    });
  });

  test('a discount that has no such effect is refused', () => {
    const wrong = { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ITEMS_BY_QUANTITY' } as never;
    const calculation = calculated(cart({ amount: 1000 }), redeemables(wrong));
    expect(refusals(calculation)).toEqual(['unsupported_discount']);
    expect(calculation.order?.total_amount).toBe(1000);
  });
});
