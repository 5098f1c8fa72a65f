import { roundHalfUp, toAmount } from '@scrip/kernel';

interface Fraction {
  numerator: number;
  denominator: number;
}

const maxDecimals = 15;

/** A percentage as written in decimal, so that 12.5 is 125/10 and 0.1 no binary fraction. */
const decimalFraction = (value: number): Fraction => {
  if (Number.isInteger(value)) return { numerator: value, denominator: 1 };
  const text = String(value);
  const [whole = '0', decimals = ''] = (text.includes('e') ? value.toFixed(maxDecimals) : text).split('.');
  // 100 and 13 decimals still fit a safe integer; nobody means more.
  const digits = decimals.slice(0, 13);
  return { numerator: Number(whole + digits), denominator: 10 ** digits.length };
};

/** `percent` (clamped to 0…100) of `base` minor units, exactly, rounded half up once: 10 % of 11499 is 1150.
 *  Source: spec 01 §2. */
export const percentOf = (base: number, percent: number): number => {
  const { numerator, denominator } = decimalFraction(Math.min(100, Math.max(0, percent)));
  const product = base * numerator;
  const divisor = 100 * denominator;
  if (product <= (Number.MAX_SAFE_INTEGER - divisor) / 2) {
    const rest = product % divisor;
    return (product - rest) / divisor + (2 * rest >= divisor ? 1 : 0);
  }
  return toAmount(roundHalfUp(BigInt(base) * BigInt(numerator), BigInt(divisor)));
};
