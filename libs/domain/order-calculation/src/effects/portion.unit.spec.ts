import { percentageOf } from './percentage';
import { portionOf } from './portion';

const most = Number.MAX_SAFE_INTEGER; // 9007199254740991 = 3 × 3002399751580330 + 1

describe('a portion is rounded half up once (reference 01 §2)', () => {
  test.each([
    { amount: 100, units: 1, whole: 3, portion: 33 },
    { amount: 200, units: 1, whole: 3, portion: 67 },
    { amount: 5, units: 1, whole: 2, portion: 3 },
    { amount: 4, units: 1, whole: 2, portion: 2 },
    { amount: 100, units: 3, whole: 3, portion: 100 },
    { amount: 0, units: 1, whole: 3, portion: 0 },
    { amount: 100, units: 0, whole: 3, portion: 0 },
    { amount: 100, units: 1, whole: 0, portion: 0 },
    { amount: most, units: 1, whole: 1, portion: most },
    { amount: most, units: 1, whole: 2, portion: 4503599627370496 },
    { amount: most, units: 1, whole: 3, portion: 3002399751580330 },
    { amount: most, units: 2, whole: 3, portion: 6004799503160661 },
    { amount: most - 1, units: 999_999, whole: 1_000_000, portion: 9007190247541735 },
    { amount: 3, units: 1, whole: most, portion: 0 },
    { amount: 4503599627370495, units: 1, whole: most, portion: 0 },
    { amount: 4503599627370496, units: 1, whole: most, portion: 1 },
  ])('$units/$whole of $amount is $portion', ({ amount, units, whole, portion }) => {
    expect(portionOf(amount, units, whole)).toBe(portion);
  });

  test('units and percentage count before rounding, not after', () => {
    // 1/3 of 100 is 33.33; 50 % of that is 16.67, of the rounded 33 it would be 16.5 and of 34 17.
    expect(portionOf(100, 1, 3, percentageOf(50, 1))).toBe(17);
    expect(portionOf(10, 1, 4, percentageOf(50, 1))).toBe(1); // 1.25; of the rounded 3 it would be 2
  });
});

describe('a percentage of an amount', () => {
  test.each([
    { percent: 10, times: 1, amount: 11499, portion: 1150 },
    { percent: 10, times: 1, amount: 11494, portion: 1149 },
    { percent: 12.5, times: 1, amount: 10000, portion: 1250 },
    { percent: '12.5', times: 1, amount: 10000, portion: 1250 },
    { percent: 0.1, times: 3, amount: 1000, portion: 3 },
    { percent: 0.333, times: 1, amount: 10000, portion: 33 },
    { percent: 1.15, times: 1, amount: 10000, portion: 115 },
    { percent: '0.05', times: 1, amount: 1000, portion: 1 },
    { percent: '0.049999999999999999999999', times: 1, amount: 1000, portion: 0 },
    { percent: '33.333333333333333333333333', times: 3, amount: 500_000_000, portion: 500_000_000 },
    { percent: 33.3, times: 1, amount: most, portion: 2999397351828750 },
    { percent: '99.99999999999999999999', times: 1, amount: most, portion: most },
    { percent: '99.99999999999999', times: 1, amount: most, portion: 9007199254740990 },
  ])('$percent % $times times of $amount is $portion', ({ percent, times, amount, portion }) => {
    expect(portionOf(amount, 1, 1, percentageOf(percent, times))).toBe(portion);
  });

  test.each([
    { percent: 99, times: 1, portion: 990 },
    { percent: 100, times: 1, portion: 1000 },
    { percent: 101, times: 1, portion: 1000 },
    { percent: '99.9', times: 1, portion: 999 },
    { percent: '100.0', times: 1, portion: 1000 },
    { percent: '100.1', times: 1, portion: 1000 },
    { percent: 33, times: 3, portion: 990 },
    { percent: 25, times: 4, portion: 1000 },
    { percent: 26, times: 4, portion: 1000 },
    { percent: 33.3, times: 3, portion: 999 },
    { percent: 33.4, times: 3, portion: 1000 },
    { percent: 0, times: 1, portion: 0 },
    { percent: -1, times: 1, portion: 0 },
    { percent: -0.5, times: 1, portion: 0 },
    { percent: '-5', times: 1, portion: 0 },
  ])(
    'is clamped to 0…100 after multiplying: $percent % $times times of 1000',
    ({ percent, times, portion }) => {
      expect(portionOf(1000, 1, 1, percentageOf(percent, times))).toBe(portion);
    },
  );

  test.each([
    { percent: 1e-7, amount: 1e9, portion: 1 },
    { percent: 4e-8, amount: 1e9, portion: 0 },
    { percent: 1.5e-7, amount: 1e9, portion: 2 },
    { percent: 1e21, amount: 1000, portion: 1000 },
    { percent: '1e+1', amount: 1000, portion: 100 },
    { percent: '1.25e+1', amount: 1000, portion: 125 },
    { percent: '.5', amount: 1000, portion: 5 },
    { percent: '1e-999999999999', amount: most, portion: 0 },
    { percent: NaN, amount: 1000, portion: 0 },
    { percent: Infinity, amount: 1000, portion: 1000 },
    { percent: '', amount: 1000, portion: 0 },
    { percent: 'x5', amount: 1000, portion: 0 },
    { percent: '5x', amount: 1000, portion: 0 },
  ])('reads powers of ten, and nothing that is no number: $percent', ({ percent, amount, portion }) => {
    expect(portionOf(amount, 1, 1, percentageOf(percent, 1))).toBe(portion);
  });
});
