import { exactDecimal } from '../exact-decimal';
import { type Proportion, allOfIt } from './portion';

const none: Proportion = { numerator: 0, denominator: 1, exact: [0n, 1n] };

/** `percent`, as a number or decimal text (12.5 is 125/1000 and 0.1 no binary fraction), `times` over, clamped to
 *  0…100. What is no number counts as 0. Source: reference 01 §2, §9. */
export const percentageOf = (percent: number | string, times: number): Proportion => {
  const approximately = Number(percent);
  if (!(approximately > 0)) return none;
  if (approximately > 100) return allOfIt;
  if (typeof percent === 'number' && Number.isInteger(percent)) {
    const numerator = Math.min(100, percent * times);
    return { numerator, denominator: 100, exact: [BigInt(numerator), 100n] };
  }
  const decimal = exactDecimal(percent);
  const numerator = decimal.numerator * BigInt(times);
  const denominator = decimal.denominator * 100n;
  if (numerator >= denominator) return allOfIt;
  return { numerator: Number(numerator), denominator: Number(denominator), exact: [numerator, denominator] };
};
