import { isRefused } from '@scrip/kernel';
import fc from 'fast-check';
import { type Calculation, calculate } from './calculate';
import type { Discount } from './discount';
import { normaliseOrder } from './normalise-order';
import type { CalculatedOrder, OrderInput } from './order';
import { removeDiscounts } from './remove-discounts';
import { type StackingSettings, defaultStackingSettings } from './stacking-settings';

const money = fc.integer({ min: 0, max: 1_000_000 });
const limit = fc.option(money, { nil: undefined });

const discount: fc.Arbitrary<Discount> = fc.oneof(
  fc.record({
    type: fc.constant('AMOUNT' as const),
    amount_off: money,
    aggregated_amount_limit: limit,
    effect: fc.constantFrom('APPLY_TO_ORDER' as const, 'APPLY_TO_ITEMS' as const),
  }),
  fc.record({
    type: fc.constant('PERCENT' as const),
    percent_off: fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100),
    amount_limit: limit,
    aggregated_amount_limit: limit,
    effect: fc.constantFrom('APPLY_TO_ORDER' as const, 'APPLY_TO_ITEMS' as const),
  }),
) as fc.Arbitrary<Discount>;

const item = fc.record({ price: money, quantity: fc.integer({ min: 1, max: 20 }) }, { requiredKeys: [] });

const orderInput = fc.record(
  { amount: money, items: fc.array(item, { maxLength: 6 }) },
  { requiredKeys: [] },
) as fc.Arbitrary<OrderInput>;

const settings = fc.record({
  discount_calculation_mode: fc.constantFrom('DISCOUNTED_AMOUNT', 'INITIAL_AMOUNT'),
  redeemables_application_mode: fc.constantFrom('ALL', 'PARTIAL'),
  redeemables_no_effect_rule: fc.constantFrom('REDEEM_ANYWAY', 'SKIP'),
}) as fc.Arbitrary<Partial<StackingSettings>>;

const run = (sent: OrderInput, discounts: Discount[], chosen: Partial<StackingSettings>): Calculation => {
  const order = normaliseOrder(sent);
  if (isRefused(order)) throw new Error(order.details);
  const calculation = calculate(
    order,
    discounts.map((one, index) => ({ object: 'voucher', id: `C${index}`, incentive: { discount: one } })),
    { ...defaultStackingSettings, ...chosen },
  );
  if (isRefused(calculation)) throw new Error(calculation.details);
  return calculation;
};

const ordersOf = ({ order, redeemables }: Calculation): CalculatedOrder[] =>
  [order, ...redeemables.map((one) => (one.status === 'APPLICABLE' ? one.order : null))].filter(
    (one) => one !== null,
  );

const sum = (values: (number | undefined)[]): number =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0);

const cases = fc.tuple(orderInput, fc.array(discount, { minLength: 1, maxLength: 5 }), settings);

test('no figure is negative, and totals, subtotals and discounts add up', () => {
  fc.assert(
    fc.property(cases, ([sent, discounts, chosen]) => {
      for (const order of ordersOf(run(sent, discounts, chosen))) {
        const { discount_amount = 0, items_discount_amount = 0, total_discount_amount = 0 } = order;
        expect(order.total_amount ?? 0).toBeGreaterThanOrEqual(0);
        expect(total_discount_amount).toBe(discount_amount + items_discount_amount);
        expect(items_discount_amount).toBe(sum(order.items.map((one) => one.discount_amount)));
        expect(order.total_amount ?? 0).toBe((order.amount ?? 0) - total_discount_amount);
        for (const line of order.items) {
          if (line.amount === undefined) continue;
          expect(line.subtotal_amount).toBe(line.amount - (line.discount_amount ?? 0));
          expect(line.subtotal_amount).toBeGreaterThanOrEqual(0);
        }
      }
    }),
  );
});

test('no redeemable takes more than its discount says, nor more than was left', () => {
  fc.assert(
    fc.property(cases, ([sent, discounts, chosen]) => {
      const { redeemables } = run(sent, discounts, chosen);
      let left: number | undefined;
      redeemables.forEach((one, index) => {
        if (one.status !== 'APPLICABLE' || !one.order) return;
        const applied = one.order.total_applied_discount_amount ?? 0;
        const allowed = discounts[index]!;
        if (left !== undefined) expect(applied).toBeLessThanOrEqual(left);
        if (allowed.type === 'AMOUNT' && allowed.effect === 'APPLY_TO_ORDER') {
          expect(applied).toBeLessThanOrEqual(
            Math.min(allowed.amount_off, allowed.aggregated_amount_limit ?? Infinity),
          );
        }
        left = one.order.total_amount ?? 0;
      });
    }),
  );
});

test('what the redeemables applied adds up to what the request applied', () => {
  fc.assert(
    fc.property(cases, ([sent, discounts, chosen]) => {
      const { order, redeemables } = run(sent, discounts, chosen);
      const applied = redeemables.map((one) =>
        one.status === 'APPLICABLE' ? one.order?.total_applied_discount_amount : undefined,
      );
      expect(sum(applied)).toBe(order?.total_applied_discount_amount ?? 0);
    }),
  );
});

test('the same input gives the same output', () => {
  fc.assert(
    fc.property(cases, ([sent, discounts, chosen]) => {
      expect(run(sent, discounts, chosen)).toEqual(
        run(structuredClone(sent), structuredClone(discounts), chosen),
      );
    }),
  );
});

test('a stored order continues where it was left, and removing what was applied restores it', () => {
  fc.assert(
    fc.property(cases, discount, ([sent, discounts, chosen], last) => {
      const before = run(sent, discounts, { ...chosen, redeemables_application_mode: 'PARTIAL' }).order!;
      const state = normaliseOrder({}, { namedBy: 'id', order: before });
      if (isRefused(state)) throw new Error(state.details);
      const again = calculate(
        state,
        [{ object: 'voucher', id: 'LAST', incentive: { discount: last } }],
        defaultStackingSettings,
      );
      if (isRefused(again) || !again.order) throw new Error('not calculated');
      const { order: after } = again;
      expect((after.total_discount_amount ?? 0) - (after.total_applied_discount_amount ?? 0)).toBe(
        before.total_discount_amount ?? 0,
      );
      const restored = removeDiscounts(after, {
        discount_amount: after.applied_discount_amount ?? 0,
        items_discount_amounts: after.items.map((line) => line.applied_discount_amount ?? 0),
      });
      expect(restored.total_amount).toBe(before.total_amount);
      expect(restored.items.map((line) => line.discount_amount)).toEqual(
        before.items.map((line) => line.discount_amount),
      );
    }),
  );
});
