import { splitByWeights } from '@scrip/kernel';
import fc from 'fast-check';
import { splitWithin } from './split-within';

const boundless = (count: number): number[] => Array.from({ length: count }, () => Number.MAX_SAFE_INTEGER);
const sum = (parts: readonly number[]): number => parts.reduce((total, part) => total + part, 0);

describe('splitWithin (reference 01 §2, §5)', () => {
  test.each([
    {
      name: 'rounds by running total',
      total: 300,
      weights: [3300, 3400],
      caps: [3300, 3400],
      parts: [148, 152],
    },
    { name: 'rounds halves up', total: 1, weights: [1, 1], caps: [9, 9], parts: [1, 0] },
    { name: 'splits nothing into nothing', total: 0, weights: [1, 1], caps: [9, 9], parts: [0, 0] },
    { name: 'has no parts without lines', total: 5, weights: [], caps: [], parts: [] },
    { name: 'gives lines of weight 0 nothing', total: 5, weights: [0, 1], caps: [9, 9], parts: [0, 5] },
    {
      name: 'gives nothing where no line has weight',
      total: 5,
      weights: [0, 0],
      caps: [9, 9],
      parts: [0, 0],
    },
    { name: 'gives lines of cap 0 nothing', total: 5, weights: [1, 1], caps: [0, 9], parts: [0, 5] },
    { name: 'fills a line exactly', total: 10, weights: [1, 1], caps: [5, 9], parts: [5, 5] },
    { name: 'passes the rest of a full line on', total: 10, weights: [1, 1], caps: [4, 9], parts: [4, 6] },
    { name: 'passes it on by weight', total: 90, weights: [1, 1, 2], caps: [6, 99, 99], parts: [6, 28, 56] },
    {
      name: 'rounds what is passed on together with the rest: 90 over two, not 67 and 23',
      total: 100,
      weights: [1, 1, 1],
      caps: [10, 1000, 1000],
      parts: [10, 45, 45],
    },
    {
      name: 'passes on again where the rest fills another line',
      total: 100,
      weights: [1, 1, 1],
      caps: [10, 40, 1000],
      parts: [10, 40, 50],
    },
    { name: 'loses what no line holds', total: 100, weights: [1, 1], caps: [10, 20], parts: [10, 20] },
    {
      name: 'loses it where only lines without weight are left',
      total: 9,
      weights: [1, 0],
      caps: [2, 9],
      parts: [2, 0],
    },
  ])('$name', ({ total, weights, caps, parts }) => {
    expect(splitWithin(total, weights, caps)).toEqual(parts);
    expect(splitWithin(total, weights.map(BigInt), caps)).toEqual(parts);
  });

  test('is exact near 2^53 − 1', () => {
    const most = Number.MAX_SAFE_INTEGER;
    expect(splitWithin(most, [1, 2], boundless(2))).toEqual([3002399751580330, 6004799503160661]);
    expect(splitWithin(most, [most, most, most], boundless(3))).toEqual([
      3002399751580330, 3002399751580331, 3002399751580330,
    ]);
  });

  test('splits as the kernel does where no line is full, and leaves caps and weights alone', () => {
    const amounts = fc.nat({ max: 1_000_000 });
    fc.assert(
      fc.property(
        amounts,
        fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1 }),
        (total, weights) => {
          const sent = [...weights];
          expect(splitWithin(total, weights, boundless(weights.length))).toEqual(
            splitByWeights(total, weights),
          );
          expect(weights).toEqual(sent);
        },
      ),
    );
  });

  test('adds up to the total or to what the caps hold, with no part above its cap', () => {
    const line = fc.record({ weight: fc.integer({ min: 1, max: 1000 }), cap: fc.nat({ max: 1000 }) });
    fc.assert(
      fc.property(fc.nat({ max: 5000 }), fc.array(line, { maxLength: 12 }), (total, lines) => {
        const caps = lines.map(({ cap }) => cap);
        const parts = splitWithin(
          total,
          lines.map(({ weight }) => weight),
          caps,
        );
        expect(sum(parts)).toBe(Math.min(total, sum(caps)));
        parts.forEach((part, index) => {
          expect(part).toBeGreaterThanOrEqual(0);
          expect(part).toBeLessThanOrEqual(caps[index]!);
        });
      }),
    );
  });
});
