import { unitPriceOf } from '@scrip/order-calculation';
import type { Line, Quantifier } from '../catalogue/rule-entry';
import type { Moment } from '../conditions/conditions';

/** Which lines of an order satisfy a rule about lines, and whether they are enough. */
export interface LineSelection {
  holds(lines: readonly Line[], at: Moment): boolean;
  /** For rules below it. */
  matched(lines: readonly Line[], at: Moment): readonly Line[];
}

type LineTest = (line: Line, at: Moment) => boolean;

const some = (lines: readonly Line[], test: LineTest, at: Moment): boolean => {
  for (const line of lines) if (test(line, at)) return true;
  return false;
};

/** There are lines, and all satisfy `test`. */
const every = (lines: readonly Line[], test: LineTest, at: Moment): boolean => {
  for (const line of lines) if (!test(line, at)) return false;
  return lines.length > 0;
};

/** The lowest or highest unit price in the pool; undefined: no line there has a price. */
const extremePrice = (
  lines: readonly Line[],
  isInPool: LineTest,
  at: Moment,
  sign: 1 | -1,
): number | undefined => {
  let extreme: number | undefined;
  for (const line of lines) {
    if (!isInPool(line, at)) continue;
    const price = unitPriceOf(line);
    if (price !== undefined && (extreme === undefined || sign * price < sign * extreme)) extreme = price;
  }
  return extreme;
};

const extremes = (sign: 1 | -1, isInSets: LineTest, isInPool: LineTest): LineSelection => {
  const testFor = (lines: readonly Line[], at: Moment): LineTest => {
    const price = extremePrice(lines, isInPool, at, sign);
    return (line) =>
      price !== undefined && unitPriceOf(line) === price && isInPool(line, at) && isInSets(line, at);
  };
  return {
    holds: (lines, at) => some(lines, testFor(lines, at), at),
    matched: (lines, at) => {
      const test = testFor(lines, at);
      return lines.filter((line) => test(line, at));
    },
  };
};

/** `isInSets`: what a line must be; `isInPool`: among which lines it is looked for. Source: reference 02 §3.2. */
export const selectLines = (
  quantifier: Quantifier,
  isInSets: LineTest,
  isInPool: LineTest,
): LineSelection => {
  const matches: LineTest = (line, at) => isInPool(line, at) && isInSets(line, at);
  const matched = (lines: readonly Line[], at: Moment): readonly Line[] =>
    lines.filter((line) => matches(line, at));
  switch (quantifier) {
    case 'any':
      return { holds: (lines, at) => some(lines, matches, at), matched };
    case 'every':
      return { holds: (lines, at) => every(lines, matches, at), matched };
    case 'none':
      return { holds: (lines, at) => !some(lines, matches, at), matched };
    case 'cheapest':
      return extremes(1, isInSets, isInPool);
    case 'most_expensive':
      return extremes(-1, isInSets, isInPool);
  }
};

/** How rules about a line hold for the lines that their parent matched: for some of them below `any`, else for all. */
export const amongMatched = (
  quantifier: Quantifier,
): ((lines: readonly Line[], test: LineTest, at: Moment) => boolean) => (quantifier === 'any' ? some : every);
