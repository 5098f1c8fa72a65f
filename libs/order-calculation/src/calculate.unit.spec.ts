import { refuse } from '@scrip/kernel';
import type { CalculationContext } from './calculation-context';
import {
  amount,
  appliedBy,
  calculated,
  cart,
  fixed,
  percent,
  redeemables,
  refusals,
  statuses,
  voucher,
} from './calculation.fixture';
import { openTotalOf } from './order/order-state';
import type { Redeemable } from './redeemable';

describe('views (spec 01 §4)', () => {
  const calculation = calculated(
    cart({ items: [{ product_id: 'prod_1', quantity: 2, price: 500, metadata: { size: 'M' } }] }),
    redeemables(percent(10), amount(50)),
  );
  const emptyList = { object: 'list', data_ref: 'data', data: [], total: 0 };

  test('each redeemable shows the order right after it, with its own part as applied', () => {
    const [first, second] = calculation.redeemables;
    expect(first).toEqual({
      object: 'voucher',
      id: 'CODE-1',
      status: 'APPLICABLE',
      applicable_to: emptyList,
      inapplicable_to: emptyList,
      result: { discount: { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER', is_dynamic: false } },
      order: {
        amount: 1000,
        initial_amount: 1000,
        discount_amount: 100,
        total_discount_amount: 100,
        total_amount: 900,
        applied_discount_amount: 100,
        total_applied_discount_amount: 100,
        items: [
          {
            object: 'order_item',
            product_id: 'prod_1',
            quantity: 2,
            initial_quantity: 2,
            price: 500,
            amount: 1000,
            initial_amount: 1000,
            subtotal_amount: 1000,
            metadata: { size: 'M' },
          },
        ],
      },
    });
    expect(second).toMatchObject({
      order: { applied_discount_amount: 50, discount_amount: 150, total_amount: 850 },
    });
  });

  test('the root order counts the whole request as applied', () => {
    expect(calculation.order).toMatchObject({
      applied_discount_amount: 150,
      discount_amount: 150,
      total_amount: 850,
    });
  });

  test('discounts of lines add up apart from discounts of the order', () => {
    const { order } = calculated(
      cart({ items: [{ price: 1000 }, { price: 500 }] }),
      redeemables(amount(100, { effect: 'APPLY_TO_ITEMS' }), amount(50)),
    );
    expect(order).toMatchObject({
      discount_amount: 50,
      items_discount_amount: 200,
      total_discount_amount: 250,
      applied_discount_amount: 50,
      items_applied_discount_amount: 200,
      total_applied_discount_amount: 250,
      total_amount: 1250,
    });
    expect(order?.items[0]).toMatchObject({
      discount_amount: 100,
      applied_discount_amount: 100,
      subtotal_amount: 900,
    });
  });

  test('the root order leaves out what a stored order had already', () => {
    const stored = calculated(
      cart({ items: [{ price: 1000 }] }),
      redeemables(amount(100, { effect: 'APPLY_TO_ITEMS' })),
    ).order!;
    const { order } = calculated(cart({}, { stored }), redeemables(amount(50, { effect: 'APPLY_TO_ITEMS' })));
    expect(order?.items[0]).toMatchObject({
      discount_amount: 150,
      applied_discount_amount: 50,
      subtotal_amount: 850,
    });
  });

  test('without an order a discount is applicable and no order is answered', () => {
    const { valid, order, redeemables: list } = calculated(null, redeemables(percent(10)));
    expect({ valid, order }).toEqual({ valid: true, order: null });
    expect(list[0]).toMatchObject({ status: 'APPLICABLE', order: null });
  });

  test('an order of unknown amount stays without figures', () => {
    expect(calculated(cart({}), redeemables(percent(10))).order).toEqual({ items: [] });
  });

  test('nothing to apply is not valid', () => {
    expect(calculated(cart({ amount: 1000 }), [])).toMatchObject({ valid: false, redeemables: [] });
  });
});

describe('what the caller decides (spec 01 §10 step 4)', () => {
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

  test('a missing reward is told before the state of the card (spec 03 §4.3)', () => {
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

  test('an unmet bundle answers with what its rules say', () => {
    const bundle = {
      components: [{ object: 'product' as const, id: 'mug', quantity: 1 }],
      limit: 1,
      scaling: 'MULTIPLY' as const,
    };
    const named = refuse('order_rules_violated', 'violated: val_1');
    const calculation = calculated(
      cart({ amount: 1000 }),
      [
        voucher('A', { discount: amount(1) }, { bundle }),
        voucher('B', { discount: amount(1) }, { bundle: { ...bundle, refusal: named } }),
      ],
      { redeemables_application_mode: 'PARTIAL' },
    );
    expect(calculation.redeemables).toMatchObject([
      {
        refusal: {
          refused: 'order_rules_violated',
          status: 400,
          message: 'order does not match validation rules',
        },
        bundle: { quantity: 0 },
      },
      { refusal: named, bundle: { quantity: 0 } },
    ]);
    expect(appliedBy(calculation)).toEqual([undefined, undefined]);
  });

  test('an unmet bundle beyond a limit is inapplicable', () => {
    const bundle = {
      components: [{ object: 'product' as const, id: 'mug', quantity: 1 }],
      limit: 1,
      scaling: 'MULTIPLY' as const,
    };
    const calculation = calculated(
      cart({ amount: 1000 }),
      [...redeemables(amount(1)), voucher('B', { discount: amount(1) }, { bundle })],
      { applicable_redeemables_limit: 1 },
    );
    expect(statuses(calculation)).toEqual(['APPLICABLE', 'INAPPLICABLE']);
  });

  test.each([
    ['MULTIPLY', 400],
    ['ONCE', 200],
  ] as const)('two bundles cover units within limits that scale: %s (spec 01 §9)', (scaling, applied) => {
    const bundle = {
      components: [{ object: 'product' as const, id: 'mug', quantity: 2 }],
      limit: 2,
      scaling,
    };
    const scope = {
      included: [{ object: 'product' as const, id: 'mug', quantity_limit: 2 }],
      excluded: [],
      included_all: false,
    };
    const calculation = calculated(cart({ items: [{ product_id: 'mug', price: 1000, quantity: 5 }] }), [
      voucher('A', { discount: fixed(900, { effect: 'APPLY_TO_ITEMS' }) }, { bundle, scope }),
    ]);
    expect(appliedBy(calculation)).toEqual([applied]);
  });
});

describe('unit budgets (spec 01 §6)', () => {
  const limited = (id: string, more: object = {}) =>
    voucher(
      id,
      { discount: amount(100, { effect: 'APPLY_TO_ITEMS_BY_QUANTITY' }) },
      {
        campaignId: 'camp_1',
        scope: {
          included: [{ object: 'product', id: 'mug', product_campaign_quantity_limit: 5 }],
          excluded: [],
          included_all: false,
        },
        ...more,
      },
    );
  const mugs = (quantity: number) => cart({ items: [{ product_id: 'mug', price: 1000, quantity }] });
  const budget = { limit: 'product_campaign_quantity_limit', owner: 'camp_1', item: 'product:mug' };

  test('discounted units are consumed', () => {
    const calculation = calculated(mugs(2), [limited('A')]);
    expect(calculation.consumption.units).toEqual([{ budget, units: 2 }]);
  });

  test('redeemables of one campaign share a budget within a request', () => {
    const calculation = calculated(mugs(3), [limited('A'), limited('B')]);
    expect(appliedBy(calculation)).toEqual([300, 200]);
    expect(calculation.consumption.units).toEqual([{ budget, units: 5 }]);
  });

  test('units counted before leave fewer', () => {
    const calculation = calculated(mugs(3), [limited('A')], {}, { unitsUsed: () => 4 });
    expect(appliedBy(calculation)).toEqual([100]);
    expect(calculation.consumption.units).toEqual([{ budget, units: 1 }]);
  });

  test('a voucher without campaign is its own', () => {
    const { campaignId: _, ...alone } = limited('A');
    expect(calculated(mugs(1), [alone]).consumption.units).toEqual([
      { budget: { ...budget, owner: 'A' }, units: 1 },
    ]);
  });

  test('lines without a discount consume nothing', () => {
    const free = cart({ items: [{ product_id: 'mug', price: 0, quantity: 2 }] });
    expect(calculated(free, [limited('A')]).consumption.units).toEqual([]);
  });

  test('free units added beside a scope consume nothing', () => {
    const added = limited('A', {
      incentive: { discount: { type: 'UNIT', effect: 'ADD_NEW_ITEMS', unit_off: 1, unit_type: 'mug' } },
    });
    expect(calculated(mugs(1), [added]).consumption.units).toEqual([]);
  });
});
