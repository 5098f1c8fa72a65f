import { Decimal } from 'decimal.js';
import { decimalsMax, exponentMax } from './limits';

/** Numbers of formulas: 40 digits, half up, beyond 10^±100 infinite or 0. A class of its own, so that no other code's
 *  settings reach it. */
export const FormulaNumber = Decimal.clone({
  defaults: true,
  precision: 40,
  rounding: Decimal.ROUND_HALF_UP,
  maxE: 100,
  minE: -100,
});
export type FormulaNumber = Decimal;

// Logarithms cost the square of their digits; 25 still leave more than the 20 that reference 01 §2 asks for.
const RoughNumber = FormulaNumber.clone({ precision: 25 });

const hundredth = new FormulaNumber('0.01');

/** `value`, or null where it is infinite or not a number. */
export const finite = (value: FormulaNumber): FormulaNumber | null => (value.isFinite() ? value : null);

/** Minor units as major units. */
export const inMajorUnits = (amountMinor: number): FormulaNumber | null =>
  finite(new FormulaNumber(amountMinor).times(hundredth));

/** Without what divisions left behind the last digit that matters: a third times three is 1 again, and its floor 1. */
export const settled = (value: FormulaNumber): FormulaNumber => value.toDecimalPlaces(decimalsMax);

/** `value` rounded to `digits` after the point (left of it when negative); null unless `digits` is an integer in
 *  reach. */
export const roundTo = (
  value: FormulaNumber,
  digits: FormulaNumber,
  rounding: Decimal.Rounding,
): FormulaNumber | null => {
  const places = settled(digits);
  if (!places.isInteger() || places.abs().greaterThan(decimalsMax)) return null;
  const scale = new FormulaNumber(`1e${places.toFixed()}`);
  return finite(settled(value).times(scale).toDecimalPlaces(0, rounding).dividedBy(scale));
};

/** `base` to the power of `exponent`; null beyond the largest exponent and where there is no such real number. */
export const power = (base: FormulaNumber, exponent: FormulaNumber): FormulaNumber | null => {
  const settledExponent = settled(exponent);
  if (settledExponent.abs().greaterThan(exponentMax)) return null;
  return settledExponent.isInteger()
    ? finite(base.pow(settledExponent))
    : finite(new FormulaNumber(new RoughNumber(base).pow(settledExponent)));
};
