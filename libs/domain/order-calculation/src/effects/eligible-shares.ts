import { roundHalfUp } from '@scrip/kernel/pure';
import { type OrderState, openSubtotalOf, paidUnitsOf } from '../order/order-state';
import type { Coverage } from '../scoping/coverage';
import type { CalculationMode } from '../stacking/stacking-settings';
import type { Weights } from './split-within';

/** What the eligible units of the covered lines are worth, exactly, in some fraction of a minor unit: `weights`, in
 *  processing order. `sum`: of all, minor units, rounded half up once; 2^53 − 1 where it is more. */
interface EligibleShares {
  readonly weights: Weights;
  readonly sum: number;
}

const greatestCommonDivisor = (a: bigint, b: bigint): bigint =>
  b === 0n ? a : greatestCommonDivisor(b, a % b);

const countable = (amountMinor: number): number => Math.min(amountMinor, Number.MAX_SAFE_INTEGER);

/** What the eligible units of the covered lines are worth by the calculation mode. Source: reference 01 §5. */
export const eligibleSharesOf = (
  order: OrderState,
  { lines }: Coverage,
  mode: CalculationMode,
): EligibleShares => {
  const isInitial = mode === 'INITIAL_AMOUNT';
  const amounts = lines.map(({ index }) => {
    const line = order.lines[index]!;
    return isInitial ? (line.initialAmount ?? 0) : openSubtotalOf(line);
  });
  const wholes = lines.map(({ index }) => {
    const line = order.lines[index]!;
    return isInitial ? line.initialQuantity : paidUnitsOf(line);
  });
  if (lines.every(({ units }, position) => units === wholes[position])) {
    let sum = 0;
    for (const amount of amounts) sum += amount;
    return { weights: amounts, sum: countable(sum) };
  }
  let denominator = 1n;
  for (const whole of wholes) {
    if (whole > 0) denominator *= BigInt(whole) / greatestCommonDivisor(denominator, BigInt(whole));
  }
  let sum = 0n;
  const weights = lines.map(({ units }, position) => {
    const whole = wholes[position]!;
    if (whole === 0) return 0n;
    const weight = BigInt(amounts[position]!) * BigInt(units) * (denominator / BigInt(whole));
    sum += weight;
    return weight;
  });
  return { weights, sum: countable(Number(roundHalfUp(sum, denominator))) };
};
