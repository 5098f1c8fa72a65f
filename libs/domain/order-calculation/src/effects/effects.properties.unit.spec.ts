import fc from 'fast-check';
import type { Discount } from '../discount';
import type { OrderState } from '../order/order-state';
import type { CoveredLine, Coverage } from '../scoping/coverage';
import type { CalculationMode } from '../stacking/stacking-settings';
import { after, applied, cart, totalOf } from './carts.fixture';

const runs = { numRuns: 200 };

interface DrawnLine {
  price: number;
  quantity: number;
  eligible: number;
  taken: number;
  amountLimit: number | null;
  definition: number | null;
}

const drawnLine = (priceMax: number): fc.Arbitrary<DrawnLine> =>
  fc
    .record({
      price: fc.nat({ max: priceMax }),
      quantity: fc.integer({ min: 1, max: 12 }),
      eligibleShare: fc.nat({ max: 100 }),
      takenShare: fc.oneof(fc.constant(0), fc.nat({ max: 100 })),
      amountLimit: fc.option(fc.nat({ max: priceMax }), { nil: null, freq: 3 }),
      definition: fc.constantFrom(null, 0, 1),
    })
    .map(({ price, quantity, eligibleShare, takenShare, amountLimit, definition }) => ({
      price,
      quantity,
      eligible: Math.max(1, Math.ceil((quantity * eligibleShare) / 100)),
      taken: Math.floor((price * quantity * takenShare) / 100),
      amountLimit,
      definition,
    }));

interface Case {
  order: OrderState;
  coverage: Coverage;
  mode: CalculationMode;
}

const cases = (priceMax: number): fc.Arbitrary<Case> =>
  fc
    .record({
      lines: fc.array(drawnLine(priceMax), { minLength: 1, maxLength: 8 }),
      ofOrder: fc.oneof(fc.constant(0), fc.nat({ max: 100 })),
      limits: fc.tuple(
        fc.option(fc.nat({ max: priceMax * 4 }), { nil: null }),
        fc.option(fc.nat({ max: priceMax * 4 }), { nil: null }),
      ),
      mode: fc.constantFrom<CalculationMode>('DISCOUNTED_AMOUNT', 'INITIAL_AMOUNT'),
      backwards: fc.boolean(),
    })
    .map(({ lines, ofOrder, limits, mode, backwards }) => {
      const discounted = after(cart(...lines.map(({ price, quantity }) => ({ price, quantity }))), {
        lines: lines.map(({ taken }) => ({ discountAmount: taken })),
      });
      const order = after(discounted, { discountAmount: Math.floor((totalOf(discounted) * ofOrder) / 100) });
      const covered = lines.map(({ eligible, amountLimit, definition }, index): CoveredLine => ({
        index,
        units: eligible,
        definition,
        amountLimit,
        newPrice: null,
        countsUnits: true,
      }));
      return {
        order,
        coverage: { lines: backwards ? covered.reverse() : covered, aggregatedAmountLimits: limits },
        mode,
      };
    });

const unlimited = ({ lines }: Coverage): Coverage => ({
  lines: lines.map((line) => ({ ...line, amountLimit: null, definition: null })),
  aggregatedAmountLimits: [],
});

const discounts = (amountMax: number): fc.Arbitrary<Discount> =>
  fc.oneof(
    fc.record({
      type: fc.constant('AMOUNT' as const),
      amount_off: fc.nat({ max: amountMax }),
      effect: fc.constantFrom(
        'APPLY_TO_ORDER',
        'APPLY_TO_ITEMS',
        'APPLY_TO_ITEMS_BY_QUANTITY',
        'APPLY_TO_ITEMS_PROPORTIONALLY',
        'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY',
      ),
    }),
    fc.record({
      type: fc.constant('PERCENT' as const),
      percent_off: fc.nat({ max: 12_000 }).map((hundredths) => hundredths / 100),
      effect: fc.constantFrom('APPLY_TO_ORDER', 'APPLY_TO_ITEMS'),
    }),
    fc.record({
      type: fc.constant('FIXED' as const),
      fixed_amount: fc.nat({ max: amountMax }),
      effect: fc.constantFrom('APPLY_TO_ORDER', 'APPLY_TO_ITEMS'),
    }),
  ) as fc.Arbitrary<Discount>;

const scales = [
  { scale: 'everyday', priceMax: 20_000 },
  // Eight lines of twelve units stay below 2^53 − 1.
  { scale: 'large', priceMax: Math.floor(Number.MAX_SAFE_INTEGER / 96) },
];

/** What came off each line. */
const offLines = (before: OrderState, order: OrderState): number[] =>
  order.lines.map((line, index) => line.discountAmount - before.lines[index]!.discountAmount);

const sum = (parts: readonly number[]): number => parts.reduce((total, part) => total + part, 0);

/** ⌊amount × units / whole + 1/2⌋, independently of the code under test. */
const eligibleMax = (line: OrderState['lines'][number], units: number): number =>
  Number(
    (2n * BigInt(line.amount! - line.discountAmount) * BigInt(units) + BigInt(line.quantity)) /
      (2n * BigInt(line.quantity)),
  );

describe.each(scales)('$scale amounts', ({ priceMax }) => {
  const drawn = fc.tuple(cases(priceMax), discounts(priceMax), fc.integer({ min: 1, max: 5 }));

  test('no line gives more than its eligible part, its limit or its definition allow; the order no more than is left', () => {
    fc.assert(
      fc.property(drawn, ([{ order, coverage, mode }, discount, times]) => {
        const discounted = applied(order, discount, { coverage, mode, times });
        const off = offLines(order, discounted);
        const ofOrder = discounted.discountAmount - order.discountAmount;
        for (const { index, units, amountLimit } of coverage.lines) {
          expect(Number.isSafeInteger(off[index])).toBe(true);
          expect(off[index]).toBeGreaterThanOrEqual(0);
          expect(off[index]).toBeLessThanOrEqual(eligibleMax(order.lines[index]!, units));
          expect(off[index]).toBeLessThanOrEqual(amountLimit ?? Infinity);
        }
        coverage.aggregatedAmountLimits.forEach((limit, definition) => {
          const lines = coverage.lines.filter((line) => line.definition === definition);
          expect(sum(lines.map(({ index }) => off[index]!))).toBeLessThanOrEqual(limit ?? Infinity);
        });
        expect(ofOrder).toBeGreaterThanOrEqual(0);
        expect(sum(off) + ofOrder).toBeLessThanOrEqual(totalOf(order));
        expect(totalOf(discounted)).toBe(totalOf(order) - sum(off) - ofOrder);
        if (sum(off) + ofOrder === 0) expect(discounted).toBe(order);
      }),
      runs,
    );
  });

  test('units count exactly where something came off, and only for effects per unit', () => {
    fc.assert(
      fc.property(drawn, ([{ order, coverage, mode }, discount]) => {
        const discounted = applied(order, discount, { coverage, mode });
        const off = offLines(order, discounted);
        const perUnit = discount.type !== 'AMOUNT' || discount.effect === 'APPLY_TO_ITEMS_BY_QUANTITY';
        for (const { index, units } of coverage.lines) {
          expect(discounted.lines[index]!.discountQuantity).toBe(perUnit && off[index]! > 0 ? units : 0);
        }
      }),
      runs,
    );
  });

  test('a split hands out the whole amount, or all eligible parts', () => {
    const effects = ['APPLY_TO_ITEMS_PROPORTIONALLY', 'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY'] as const;
    fc.assert(
      fc.property(
        cases(priceMax),
        fc.nat({ max: priceMax }),
        fc.constantFrom(...effects),
        ({ order, coverage }, amount_off, effect) => {
          const whole = after(order, { discountAmount: 0 });
          const free = unlimited(coverage);
          const everyUnit = {
            ...free,
            lines: free.lines.map((line) => ({ ...line, units: order.lines[line.index]!.quantity })),
          };
          const split = applied(whole, { type: 'AMOUNT', amount_off, effect }, { coverage: everyUnit });
          expect(sum(offLines(whole, split))).toBe(Math.min(amount_off, totalOf(whole)));
        },
      ),
      runs,
    );
  });

  test('a higher percentage never takes less', () => {
    fc.assert(
      fc.property(
        cases(priceMax),
        fc.nat({ max: 10_000 }),
        fc.nat({ max: 2_000 }),
        fc.constantFrom('APPLY_TO_ORDER' as const, 'APPLY_TO_ITEMS' as const),
        ({ order, coverage, mode }, hundredths, more, effect) => {
          const taken = (percent: number): number =>
            totalOf(order) -
            totalOf(
              applied(order, { type: 'PERCENT', percent_off: percent / 100, effect }, { coverage, mode }),
            );
          expect(taken(hundredths + more)).toBeGreaterThanOrEqual(taken(hundredths));
        },
      ),
      runs,
    );
  });

  test('the same input gives the same output and is left alone', () => {
    fc.assert(
      fc.property(drawn, ([{ order, coverage, mode }, discount, times]) => {
        const copy = structuredClone({ order, discount });
        const once = applied(order, discount, { coverage, mode, times });
        expect({ order, discount }).toEqual(copy);
        expect(applied(copy.order, copy.discount, { coverage, mode, times })).toEqual(once);
      }),
      { numRuns: 100 },
    );
  });
});
