import { roundHalfUp, toAmount } from '@scrip/kernel/pure';

/** An exact fraction ≥ 0. The numbers are what the bigints are, or near it where no number holds them: a product with
 *  such a number is never small enough for arithmetic in numbers. */
export interface Proportion {
  readonly numerator: number;
  readonly denominator: number;
  readonly exact: readonly [numerator: bigint, denominator: bigint];
}

/** Nothing more than what units make of it. */
export const allOfIt: Proportion = { numerator: 1, denominator: 1, exact: [1n, 1n] };

/** `amountMinor` × `units` / `whole` × `proportion`, exactly, rounded half up once: 10 % of 11499 is 1150.
 *  0 where `whole` is 0. Source: reference 01 §2. */
export const portionOf = (
  amountMinor: number,
  units: number,
  whole: number,
  proportion: Proportion = allOfIt,
): number => {
  if (whole === 0) return 0;
  if (units === whole && proportion === allOfIt) return amountMinor;
  const { numerator, denominator, exact } = proportion;
  const product = amountMinor * units * numerator;
  const divisor = whole * denominator;
  if (Number.isSafeInteger(product) && Number.isSafeInteger(2 * divisor)) {
    const rest = product % divisor;
    return (product - rest) / divisor + (2 * rest >= divisor ? 1 : 0);
  }
  return toAmount(roundHalfUp(BigInt(amountMinor) * BigInt(units) * exact[0], BigInt(whole) * exact[1]));
};
