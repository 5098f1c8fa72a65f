/** An exact fraction; the denominator is positive. */
export interface Ratio {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Returns whether `value` can be an amount: an integer in minor units, of either sign, that a number represents
 *  exactly. */
export const isSafeAmount = (value: unknown): value is number => Number.isSafeInteger(value);

/** Returns `value` as an amount. Throws `RangeError` when a number cannot represent it exactly. */
export const toAmount = (value: bigint): number => {
  const amountMinor = Number(value);
  if (!isSafeAmount(amountMinor)) throw new RangeError(`amount out of range: ${value}`);
  return amountMinor;
};

const floorDivide = (numerator: bigint, denominator: bigint): bigint => {
  const quotient = numerator / denominator;
  return numerator % denominator < 0n ? quotient - 1n : quotient;
};

/** Returns `numerator / denominator` rounded to the nearest integer, calculated exactly, halves upwards (towards +∞):
 *  1149.5 → 1150, −0.5 → 0. Throws `RangeError` unless the denominator is positive. Source: reference 01 §2. */
export const roundHalfUp = (numerator: bigint, denominator: bigint): bigint => {
  if (denominator <= 0n) throw new RangeError(`denominator must be positive: ${denominator}`);
  return floorDivide(2n * numerator + denominator, 2n * denominator);
};

const toRatio = (weight: number | bigint | Ratio): Ratio => {
  const ratio = typeof weight === 'object' ? weight : { numerator: BigInt(weight), denominator: 1n };
  if (ratio.numerator < 0n || ratio.denominator <= 0n) throw new RangeError('weights must not be negative');
  return ratio;
};

/** Splits `total` (integer ≥ 0) in proportion to `weights` (integers or fractions ≥ 0) by running total, so that the
 *  parts are integers which add up to it: 300 over 3300 and 3400 → 148 and 152. Throws `RangeError` for a negative
 *  weight or a number that is no integer, and when there is something to split but every weight is 0.
 *  Source: reference 01 §2. */
export const splitByWeights = (total: number, weights: readonly (number | bigint | Ratio)[]): number[] => {
  const ratios = weights.map(toRatio);
  const denominator = ratios.reduce((product, ratio) => product * ratio.denominator, 1n);
  const scaled = ratios.map((ratio) => (ratio.numerator * denominator) / ratio.denominator);
  const whole = scaled.reduce((sum, weight) => sum + weight, 0n);
  if (whole === 0n) {
    if (total !== 0) throw new RangeError('nothing to split by: every weight is 0');
    return weights.map(() => 0);
  }
  let weightSoFar = 0n;
  let amountSoFar = 0n;
  return scaled.map((weight) => {
    weightSoFar += weight;
    const amountUpToHere = roundHalfUp(BigInt(total) * weightSoFar, whole);
    const part = toAmount(amountUpToHere - amountSoFar);
    amountSoFar = amountUpToHere;
    return part;
  });
};
