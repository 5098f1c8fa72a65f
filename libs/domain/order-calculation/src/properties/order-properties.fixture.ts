import { isRefused, roundHalfUp } from '@scrip/kernel';
import fc from 'fast-check';
import type { Calculation } from '../calculate';
import { calculated, cart, percent, redeemables as vouchers, voucher } from '../calculation.fixture';
import { normaliseOrder } from '../order/normalise-order';
import type { CalculatedOrder } from '../order/order';
import type { CalculatedRedeemable } from '../redeemable';
import { type CalculationRequest, context, records, requests, run } from './requests.fixture';

const sum = (values: readonly (number | undefined)[]): number =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0);

const applicable = ({ redeemables }: Calculation) => redeemables.filter((one) => one.status === 'APPLICABLE');

const ordersOf = (calculation: Calculation): CalculatedOrder[] =>
  [calculation.order, ...applicable(calculation).map(({ order }) => order)].filter((one) => one !== null);

/** Orders before and after each applicable redeemable. */
const stepsOf = (request: CalculationRequest, calculation: Calculation) => {
  let before = calculated(cart(request.sent, { records }), []).order!;
  return applicable(calculation).map((outcome) => {
    const step = { outcome, before, after: outcome.order! };
    before = outcome.order!;
    return step;
  });
};

const deepFreeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
};

const isInteger = (value: unknown): boolean => value === undefined || Number.isSafeInteger(value);

// One `expect` for each statement would take most of the time.
const lineFaults = (line: CalculatedOrder['items'][number]): string[] => {
  const { amount = 0, discount_amount: discount = 0, subtotal_amount: subtotal = 0 } = line;
  const sound: Record<string, boolean> = {
    'more units discounted than there are': (line.discount_quantity ?? 0) <= line.quantity,
    'a subtotal that is not what is left': subtotal === amount - discount,
    'a negative figure': subtotal >= 0 && discount >= 0,
  };
  return Object.keys(sound).filter((fault) => !sound[fault]);
};

/** What is wrong with the figures of an order by themselves. */
const faultsOf = (order: CalculatedOrder): string[] => {
  const { items, amount = 0, total_amount: total = 0, ...discounts } = order;
  const { discount_amount = 0, items_discount_amount = 0, total_discount_amount = 0 } = discounts;
  const sound: Record<string, boolean> = {
    'no integer': Object.values({ amount, total, ...discounts }).every(isInteger),
    'discounts that do not add up': total_discount_amount === discount_amount + items_discount_amount,
    'lines that do not add up': items_discount_amount === sum(items.map((line) => line.discount_amount)),
    'a total that is not what is left': total === amount - total_discount_amount,
    'a negative total': total >= 0,
  };
  return [...Object.keys(sound).filter((fault) => !sound[fault]), ...items.flatMap(lineFaults)];
};

/** The properties that hold for every order and stack, each over `cases` random ones. */
export const orderProperties = (cases: number, seed: number): void => {
  const holds = (property: (request: CalculationRequest) => void): void =>
    fc.assert(fc.property(requests, property), { numRuns: cases, seed });

  test('figures are integers, nothing is negative, and totals, subtotals and discounts add up', () => {
    holds((request) => expect(ordersOf(run(request)).flatMap(faultsOf)).toEqual([]));
  });

  test('no redeemable takes more than was left and what it added', () => {
    holds((request) => {
      const tooMuch = stepsOf(request, run(request)).filter(({ before, after }) => {
        const added = (after.amount ?? 0) - (before.amount ?? 0);
        const most = (before.total_amount ?? 0) + Math.max(0, added);
        return (after.total_applied_discount_amount ?? 0) > most;
      });
      expect(tooMuch).toEqual([]);
    });
  });

  test('what the redeemables applied adds up to what the request applied', () => {
    holds((request) => {
      const calculation = run(request);
      const applied = applicable(calculation).map(({ order }) => order);
      for (const figure of [
        'applied_discount_amount',
        'items_applied_discount_amount',
        'total_applied_discount_amount',
      ] as const) {
        expect(sum(applied.map((order) => order?.[figure]))).toBe(calculation.order?.[figure] ?? 0);
      }
    });
  });

  test('a split gives away what it has to give, to the minor unit', () => {
    holds((request) => {
      for (const { outcome, before, after } of stepsOf(request, run(request))) {
        const { discount } = outcome.result;
        const asked = request.redeemables.find(({ id }) => id === outcome.id)!;
        if (discount?.type !== 'AMOUNT' || !discount.effect?.includes('PROPORTIONALLY')) continue;
        if (asked.scope || asked.bundle || request.settings.redeemables_products_application_mode === 'ONCE')
          continue;
        if (request.settings.discount_calculation_mode === 'INITIAL_AMOUNT') continue;
        const left = sum(before.items.map((line) => line.subtotal_amount));
        const most = discount.aggregated_amount_limit ?? Number.MAX_SAFE_INTEGER;
        expect(after.items_applied_discount_amount ?? 0).toBe(
          Math.min(discount.amount_off, most, left, before.total_amount ?? 0),
        );
      }
    });
  });

  test('limits hold: of amounts, of units, of budgets, of redeemables', () => {
    holds((request) => {
      const calculation = run(request);
      expect(applicable(calculation).length).toBeLessThanOrEqual(
        request.settings.applicable_redeemables_limit,
      );
      expectStackWithinLimits(request, calculation);
      for (const { budget, units } of calculation.consumption.units) {
        expect(units).toBeLessThanOrEqual(largestBudget(request, budget.item));
      }
      for (const { outcome, after } of stepsOf(request, calculation))
        expectWithinLimits(request, outcome, after);
    });
  });

  test('the same input gives the same output, and is left as it was', () => {
    holds((request) => {
      const frozen = deepFreeze(structuredClone(request));
      expect(run(frozen)).toEqual(run(request));
    });
  });

  test('a common redeemable that is skipped changes nothing else', () => {
    holds((request) => {
      const calculation = run(request);
      const skipped = calculation.redeemables.find(
        ({ id, status }) =>
          status === 'SKIPPED' &&
          !request.redeemables
            .find((one) => one.id === id)!
            .categories!.some((one) => request.settings.exclusive_categories.includes(one.id)),
      );
      if (!skipped) return;
      const without = run({
        ...request,
        redeemables: request.redeemables.filter(({ id }) => id !== skipped.id),
      });
      expect(without.redeemables).toEqual(calculation.redeemables.filter(({ id }) => id !== skipped.id));
      expect(without.order).toEqual(calculation.order);
      expect(without.consumption).toEqual(calculation.consumption);
    });
  });

  test('a stored order continues where it was left', () => {
    holds((request) => {
      const before = run(request).order!;
      const state = normaliseOrder({}, { namedBy: 'id', order: before }, '', {
        catalogue: context.catalogue!,
      });
      if (isRefused(state)) throw new Error(state.details);
      const after = calculated(state, vouchers(percent(50))).order!;
      expect((after.total_discount_amount ?? 0) - (after.total_applied_discount_amount ?? 0)).toBe(
        before.total_discount_amount ?? 0,
      );
      expect(faultsOf(after)).toEqual([]);
    });
  });

  test('amounts up to 2^53 − 1 are exact, above they are refused', () => {
    const price = fc.integer({ min: 2 ** 40, max: Number.MAX_SAFE_INTEGER });
    const hundredths = fc.integer({ min: 1, max: 9_999 });
    fc.assert(
      fc.property(price, fc.integer({ min: 1, max: 4 }), hundredths, (unitPrice, quantity, share) => {
        const order = normaliseOrder({ items: [{ price: unitPrice, quantity }] });
        if (unitPrice * quantity > Number.MAX_SAFE_INTEGER) {
          expect(order).toMatchObject({ refused: 'invalid_payload' });
          return;
        }
        if (isRefused(order)) throw new Error(order.details);
        const exact = roundHalfUp(BigInt(unitPrice * quantity) * BigInt(share), 10_000n);
        for (const effect of ['APPLY_TO_ORDER', 'APPLY_TO_ITEMS'] as const) {
          const { order: after } = calculated(order, [
            voucher('P', { discount: percent(share / 100, { effect }) }),
          ]);
          expect(BigInt(after!.total_discount_amount!)).toBe(exact);
        }
      }),
      { numRuns: cases, seed },
    );
  });
};

function expectStackWithinLimits(
  { redeemables, settings }: CalculationRequest,
  calculation: Calculation,
): void {
  const categoriesOf = (id: string) =>
    redeemables.find((one) => one.id === id)!.categories!.map((one) => one.id);
  const applied = applicable(calculation).map(({ id }) => categoriesOf(id));
  const perCategory = settings.applicable_redeemables_per_category_limit ?? Infinity;
  for (const category of ['common', 'joint', 'exclusive']) {
    expect(applied.filter((own) => own.includes(category)).length).toBeLessThanOrEqual(perCategory);
  }
  const isExclusive = (own: string[]) => own.some((id) => settings.exclusive_categories.includes(id));
  const isJoint = (own: string[]) =>
    !isExclusive(own) && own.some((id) => settings.joint_categories.includes(id));
  const exclusive = applied.filter(isExclusive);
  expect(exclusive.length).toBeLessThanOrEqual(settings.applicable_exclusive_redeemables_limit);
  if (exclusive.length > 0) expect(applied.every((own) => isExclusive(own) || isJoint(own))).toBe(true);
}

/** The largest budget that any definition of the request sets for what a counter counts. */
function largestBudget({ redeemables }: CalculationRequest, item: string): number {
  const limits = redeemables
    .flatMap(({ scope }) => scope?.included ?? [])
    .filter(({ object, id }) => `${object}:${id}` === item)
    .map((definition) => definition.product_campaign_quantity_limit ?? 0);
  return Math.max(0, ...limits);
}

function expectWithinLimits(
  request: CalculationRequest,
  outcome: Extract<CalculatedRedeemable, { status: 'APPLICABLE' }>,
  after: CalculatedOrder,
): void {
  const asked = request.redeemables.find(({ id }) => id === outcome.id)!;
  const { discount, gift, loyalty_card: card } = outcome.result;
  const applied = after.total_applied_discount_amount ?? 0;
  if (gift) expect(applied).toBe(gift.credits);
  if (gift) expect(gift.credits).toBeLessThanOrEqual(gift.balance);
  if (card && asked.incentive && 'reward' in asked.incentive) {
    expect(card.points).toBeLessThanOrEqual(asked.incentive.reward!.balance);
  }
  if (!discount || discount.type === 'UNIT') return;
  if (
    'aggregated_amount_limit' in discount &&
    (discount.type === 'AMOUNT' || discount.effect === 'APPLY_TO_ITEMS')
  ) {
    expect(applied).toBeLessThanOrEqual(discount.aggregated_amount_limit!);
  }
  for (const entry of outcome.applicable_to.data) {
    if (!discount.effect?.startsWith('APPLY_TO_ITEMS') || entry.order_item_indices === undefined) continue;
    const own = entry.order_item_indices.map((index) => after.items[index]!);
    if (entry.amount_limit !== undefined) {
      for (const line of own)
        expect(line.applied_discount_amount ?? 0).toBeLessThanOrEqual(entry.amount_limit);
    }
  }
}
