import { type LineState, openSubtotalOf, paidUnitsOf, unitPriceOf } from '../order/order-state';
import type { CoveredUnits } from './coverage';
import type { ScopedItem } from './item-scope';

/** In which sequence a definition covers its lines, and which resources of the sequence. */
export type ApplicationRule = Pick<ScopedItem, 'effect' | 'skip_initially' | 'repeat' | 'target'>;

type Lines = readonly LineState[];
type Direction = 'ascending' | 'descending';

const comparePrices = (lines: Lines, a: number, b: number, direction: Direction): number => {
  const difference = unitPriceOf(lines[a]!)! - unitPriceOf(lines[b]!)!;
  return direction === 'ascending' ? difference : -difference;
};

const isPriced = (lines: Lines, index: number): boolean => unitPriceOf(lines[index]!) !== undefined;

/** Lines without a price are neither cheap nor expensive: they come last. */
const sortedByPrice = (lines: Lines, matched: readonly number[], direction: Direction): number[] => [
  ...matched.filter((index) => isPriced(lines, index)).sort((a, b) => comparePrices(lines, a, b, direction)),
  ...matched.filter((index) => !isPriced(lines, index)),
];

const extremeOnly = (lines: Lines, matched: readonly number[], direction: Direction): number[] =>
  matched
    .filter((index) => isPriced(lines, index))
    .sort(
      (a, b) =>
        comparePrices(lines, a, b, direction) || openSubtotalOf(lines[a]!) - openSubtotalOf(lines[b]!),
    )
    .slice(0, 1);

const sequenceOf = (
  lines: Lines,
  matched: readonly number[],
  effect: ApplicationRule['effect'] = 'APPLY_TO_EVERY',
): readonly number[] => {
  switch (effect) {
    case 'APPLY_TO_EVERY':
      return matched;
    case 'APPLY_FROM_CHEAPEST':
      return sortedByPrice(lines, matched, 'ascending');
    case 'APPLY_FROM_MOST_EXPENSIVE':
      return sortedByPrice(lines, matched, 'descending');
    case 'APPLY_TO_CHEAPEST':
      return extremeOnly(lines, matched, 'ascending');
    case 'APPLY_TO_MOST_EXPENSIVE':
      return extremeOnly(lines, matched, 'descending');
  }
};

/** Which of `count` resources behind `before` others are covered: `first` counts from 1 among them. */
const coveredOf = (
  before: number,
  count: number,
  skip: number,
  repeat: number,
): { first: number; count: number } => {
  const repetitions = Math.max(0, Math.ceil((before - skip) / repeat));
  const first = skip + 1 + repetitions * repeat - before;
  return { first, count: first > count ? 0 : Math.floor((count - first) / repeat) + 1 };
};

/** Units that a definition covers of its lines (`matched`, in request order, each with paid units), in application
 *  sequence, before any limit; lines of which nothing is covered are left out. Settings below their least value count
 *  as that, fractions as floored. Source: reference 01 §6. */
export const coveredUnits = (
  lines: Lines,
  matched: readonly number[],
  { effect, skip_initially = 0, repeat = 1, target }: ApplicationRule,
): CoveredUnits[] => {
  const skip = Math.max(0, Math.floor(skip_initially));
  const step = Math.max(1, Math.floor(repeat));
  const isSingle = effect === 'APPLY_TO_CHEAPEST' || effect === 'APPLY_TO_MOST_EXPENSIVE';
  const covered: CoveredUnits[] = [];
  let before = 0;
  for (const index of sequenceOf(lines, matched, effect)) {
    const paid = paidUnitsOf(lines[index]!);
    const resources = target === 'UNIT' && !isSingle ? paid : 1;
    const { first, count } = coveredOf(before, resources, skip, step);
    before += resources;
    if (count === 0) continue;
    covered.push(
      target === 'UNIT' ? { index, first, step, count } : { index, first: 1, step: 1, count: paid },
    );
  }
  return covered;
};
