import fc from 'fast-check';
import { isSafeAmount } from '@scrip/kernel';
import type { UnitDiscount } from '../discount';
import type { OrderItemInput } from '../order/order';
import {
  type LineState,
  type OrderState,
  openSubtotalOf,
  openTotalOf,
  orderView,
  paidUnitsOf,
} from '../order/order-state';
import { type Terms, after, covered, discounted, order } from './units.fixture';

const names = [
  'prod_mug',
  'prod_bottle',
  'prod_sticker',
  'prod_nobody',
  'sku_plain',
  'sku_fine',
  'prod_shirt',
];
const name = fc.constantFrom(...names, 'prod_5h1pp1ng');

const item: fc.Arbitrary<OrderItemInput> = fc
  .tuple(name, fc.integer({ min: 1, max: 9 }), fc.option(fc.integer({ min: 0, max: 5000 })), fc.boolean())
  .map(([id, quantity, money, isPrice]) => ({
    [id.startsWith('sku_') ? 'sku_id' : 'product_id']: id,
    quantity,
    ...(money !== null && { [isPrice ? 'price' : 'amount']: money }),
  }));

/** Orders with earlier discounts of the order and of items, none beyond what there is. */
const orders: fc.Arbitrary<OrderState> = fc
  .tuple(
    fc.array(item, { maxLength: 6 }),
    fc.option(fc.integer({ min: 0, max: 100_000 }), { nil: undefined }),
    fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 7, maxLength: 7 }),
  )
  .map(([items, sent, [ofOrder, ...ofLines]]) => {
    const state = order(items, sent);
    let left = openTotalOf(state);
    const byLine = state.lines.map((line, index) => {
      const taken = Math.min(left, Math.floor((openSubtotalOf(line) * ofLines[index]!) / 100));
      left -= taken;
      return taken;
    });
    return discounted(state, Math.floor((left * ofOrder!) / 100), byLine);
  });

const unitOff = fc.integer({ min: 0, max: 12 });
const adding: fc.Arbitrary<Omit<UnitDiscount, 'type'>> = fc.oneof(
  fc.record({ effect: fc.constant('ADD_NEW_ITEMS' as const), unit_off: unitOff, unit_type: name }),
  fc.record({
    effect: fc.constant('ADD_SAME_ITEMS' as const),
    unit_off: unitOff,
    unit_type: fc.constantFrom(...names, 'pc_clothes', 'pc_a11pr0dUc75'),
  }),
);
const completing = fc.record({
  effect: fc.constant('ADD_MISSING_ITEMS' as const),
  unit_off: unitOff,
  unit_type: fc.constantFrom(...names),
});
const replacing = fc.record({
  effect: fc.constant('REPLACE_ITEMS' as const),
  unit_off: unitOff,
  unit_type: name,
});

/** What the discount may cover: of every line with paid units up to all of them. */
const termsFor = (state: OrderState, shares: readonly number[]): Terms => ({
  coverage: covered(
    ...state.lines.flatMap((line, index): [number, number][] => {
      const units = Math.ceil(paidUnitsOf(line) * shares[index]!);
      return units > 0 ? [[index, units]] : [];
    }),
  ),
});

const shares = fc.array(fc.constantFrom(0, 0.5, 1), { minLength: 6, maxLength: 6 });
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const expectSound = (before: OrderState, given: OrderState): void => {
  expect(orderView(given, before).total_amount ?? 0).toBeGreaterThanOrEqual(0);
  const isSound = (line: LineState): boolean =>
    [line.quantity, line.freeQuantity, line.discountQuantity, line.discountAmount, line.amount ?? 0].every(
      (figure) => isSafeAmount(figure) && figure >= 0,
    ) &&
    line.freeQuantity <= line.quantity &&
    line.discountQuantity <= line.quantity &&
    line.discountAmount <= (line.amount ?? 0);
  expect(given.lines.filter((line) => !isSound(line))).toEqual([]);
};

test('added units never change the total, and the order grows by what its lines grow', () => {
  fc.assert(
    fc.property(orders, adding, fc.integer({ min: 1, max: 3 }), (before, discount, times) => {
      const given = after(before, discount, { times });
      expectSound(before, given);
      expect(openTotalOf(given)).toBe(openTotalOf(before));
      const grown = given.lines.map(({ amount = 0 }, index) => amount - (before.lines[index]?.amount ?? 0));
      expect((given.amount ?? 0) - (before.amount ?? 0)).toBe(sum(grown));
      const added = given.lines.map(({ quantity }, index) => quantity - (before.lines[index]?.quantity ?? 0));
      const freed = given.lines.map(
        ({ freeQuantity }, index) => freeQuantity - (before.lines[index]?.freeQuantity ?? 0),
      );
      expect(freed).toEqual(added);
    }),
    { numRuns: 500 },
  );
});

test('missing units: as many become free as are wanted, and the total falls by what they cost', () => {
  fc.assert(
    fc.property(orders, completing, (before, discount) => {
      const given = after(before, discount);
      expectSound(before, given);
      const free = (state: OrderState) => sum(state.lines.map(({ freeQuantity }) => freeQuantity));
      expect(free(given) - free(before)).toBe(discount.unit_off);
      const view = orderView(given, before);
      const raised = (given.amount ?? 0) - (before.amount ?? 0);
      expect(openTotalOf(before) - openTotalOf(given)).toBe(
        (view.total_applied_discount_amount ?? 0) - raised,
      );
      expect(openTotalOf(given)).toBeLessThanOrEqual(openTotalOf(before));
    }),
    { numRuns: 500 },
  );
});

test('a replacement never raises the total; an upgrade leaves it', () => {
  fc.assert(
    fc.property(orders, replacing, shares, (before, discount, taken) => {
      const given = after(before, discount, termsFor(before, taken));
      expectSound(before, given);
      expect(openTotalOf(given)).toBeLessThanOrEqual(openTotalOf(before));
      const details = given.lines.flatMap(({ replacements }) => replacements);
      const isUpgrade = details.every(
        (detail) => detail.target_applied_quantity_amount + detail.source_applied_quantity_amount >= 0,
      );
      if (isUpgrade) expect(openTotalOf(given)).toBe(openTotalOf(before));
      const moved = given.lines.map(
        (_, index) =>
          sum(details.filter((one) => one.source_index === index).map((one) => one.source_applied_quantity)) +
          sum(details.filter((one) => one.target_index === index).map((one) => one.target_applied_quantity)),
      );
      expect(
        given.lines.map(({ quantity }, index) => quantity - (before.lines[index]?.quantity ?? 0)),
      ).toEqual(moved);
    }),
    { numRuns: 500 },
  );
});

test('what has no effect answers the very same order, and earlier states stay as they were', () => {
  fc.assert(
    fc.property(orders, fc.oneof(adding, completing, replacing), shares, (before, discount, taken) => {
      const kept = structuredClone(before);
      const given = after(before, discount, termsFor(before, taken));
      expect(before).toEqual(kept);
      if (given !== before) expect(given).not.toEqual(before);
    }),
    { numRuns: 500 },
  );
});
