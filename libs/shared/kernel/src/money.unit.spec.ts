import fc from 'fast-check';
import { isSafeAmount, roundHalfUp, splitByWeights, toAmount } from './money';

describe('roundHalfUp', () => {
  it.each([
    [114_990n, 100n, 1150n],
    [11_495n, 10n, 1150n],
    [11_494n, 10n, 1149n],
    [1n, 2n, 1n],
    [-1n, 2n, 0n],
    [-3n, 2n, -1n],
    [-5n, 3n, -2n],
    [0n, 7n, 0n],
  ])('%s / %s → %s', (numerator, denominator, rounded) => {
    expect(roundHalfUp(numerator, denominator)).toBe(rounded);
  });

  it('is exact where floating point is not', () => {
    expect(roundHalfUp(90_071_992_547_409_915n, 10n)).toBe(9_007_199_254_740_992n);
  });

  it('refuses a denominator of 0', () => expect(() => roundHalfUp(1n, 0n)).toThrow(RangeError));
});

describe('splitByWeights', () => {
  it('splits 300 over 3300 and 3400 into 148 and 152', () => {
    expect(splitByWeights(300, [3300, 3400])).toEqual([148, 152]);
  });

  it('takes exact fractions as weights', () => {
    const third = { numerator: 1n, denominator: 3n };
    expect(splitByWeights(100, [third, third, third])).toEqual([33, 34, 33]);
  });

  it('gives nothing to a weight of 0', () => expect(splitByWeights(10, [0, 1, 0])).toEqual([0, 10, 0]));

  it('splits nothing over nothing', () => {
    expect(splitByWeights(0, [])).toEqual([]);
    expect(splitByWeights(0, [0, 0])).toEqual([0, 0]);
  });

  it('refuses to split something over nothing, and negative or broken weights', () => {
    expect(() => splitByWeights(1, [0, 0])).toThrow(RangeError);
    expect(() => splitByWeights(1, [2, -1])).toThrow(RangeError);
    expect(() => splitByWeights(1, [0.5])).toThrow(RangeError);
  });

  it('gives parts of at least 0 that add up to the total', () => {
    const total = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
    const weights = fc.array(fc.integer({ min: 0, max: 2 ** 40 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(total, weights, (amount, parts) => {
        fc.pre(parts.some((weight) => weight > 0));
        const split = splitByWeights(amount, parts);
        expect(split.reduce((sum, part) => sum + BigInt(part), 0n)).toBe(BigInt(amount));
        expect(split.every((part) => part >= 0)).toBe(true);
      }),
    );
  });
});

describe('amounts', () => {
  it.each([
    [Number.MAX_SAFE_INTEGER, true],
    [Number.MAX_SAFE_INTEGER + 1, false],
    [-100, true],
    [0.5, false],
    ['100', false],
    [null, false],
  ])('%p: %p', (value, safe) => expect(isSafeAmount(value)).toBe(safe));

  it('refuse what a number cannot hold', () => {
    expect(toAmount(9_007_199_254_740_991n)).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => toAmount(9_007_199_254_740_992n)).toThrow(RangeError);
  });
});
