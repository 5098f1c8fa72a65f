import fc from 'fast-check';
import { exactDecimal } from './exact-decimal';

test.each([
  [12.5, 125n, 10n],
  [0.1, 1n, 10n],
  [-3, -3n, 1n],
  [-0.25, -25n, 100n],
  [1e21, 10n ** 21n, 1n],
  [1.5e-7, 15n, 10n ** 8n],
  ['33.3333333333333333333333', 333333333333333333333333n, 10n ** 22n],
  ['.5', 5n, 10n],
  ['', 0n, 1n],
])('%s is %s / %s', (value, numerator, denominator) => {
  expect(exactDecimal(value)).toEqual({ numerator, denominator });
});

test.each([NaN, Infinity, '1,5', 'a', '1.2.3'])('%s is no decimal number', (value) => {
  expect(() => exactDecimal(value)).toThrow(new RangeError(`not a decimal number: ${value}`));
});

test('every finite number is what it prints', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const { numerator, denominator } = exactDecimal(value);
      const shift = denominator.toString().length - 1;
      expect(Number(`${numerator}e-${shift}`)).toBe(value === 0 ? 0 : value);
    }),
  );
});
