import { beginningOf, didYouMean } from '@scrip/kernel/pure';
import { calendar } from './calendar';
import { comparison } from './comparison';
import { collections, equality } from './equality';
import { lists } from './list';
import type { Operator, Test, ValueKind } from './operator';
import { textual } from './text';
import { timeframes } from './timeframe';

const operators: ReadonlyMap<string, Operator> = new Map(
  [equality, comparison, textual, lists, calendar, timeframes, collections]
    .flat()
    .map((operator) => [operator.name, operator]),
);

/** All operators by name, aliases included. Source: reference 02 §2. */
export const operatorNames: readonly string[] = [...operators.keys()];

const longestTold = 100;

const isUsable = (operator: Operator, kind: ValueKind): boolean =>
  typeof operator.prepare([], kind) !== 'string';

const notKnown = (name: string, kind: ValueKind): string => {
  const usable = [...operators.values()]
    .filter((operator) => isUsable(operator, kind))
    .map((operator) => operator.name);
  const meant = didYouMean(
    name.replace('$', ''),
    usable.map((one) => one.slice(1)),
    (one) => `$${one}`,
  );
  return `is not known. ${meant ?? `Operators should be equal to one of the allowed values [ ${usable.join(', ')} ]`}`;
};

/** The test of one operator for values of `kind`, or what is wrong with it: a sentence that names the operator and
 *  `rule`. Also tells whether the operands of rules about lines (`products`) can be taken, whose test is not for
 *  use: lines are matched elsewhere. Source: reference 02 §1.2, §2. */
export const prepareOperator = (
  name: string,
  operands: unknown,
  kind: ValueKind,
  rule: string,
): Test | { problem: string } => {
  const refused = (reason: string) => ({
    problem: `Operator '${beginningOf(name, longestTold)}' of rule '${rule}' ${reason}`,
  });
  const operator = operators.get(name);
  if (!operator) return refused(notKnown(name, kind));
  if (!Array.isArray(operands)) return refused('must have an array of operands');
  if (operands.length > operator.operandsMax) {
    return refused(`must not have more than ${operator.operandsMax} operands`);
  }
  const prepared = operator.prepare(operands, kind);
  return typeof prepared === 'string' ? refused(prepared) : prepared;
};
