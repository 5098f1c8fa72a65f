import type { Moment, Test, ValueKind } from './operator';
import { prepareOperator } from './operators';

export type { Moment, ValueKind } from './operator';
export { operatorNames } from './operators';

/** Conditions as sent: arrays of operands by operator, `{"$is": ["a"]}`. */
export type ConditionsDefinition = Readonly<Record<string, unknown>>;

/** Why conditions cannot be stored, as a sentence for the details of `invalid_validation_rules`. */
export interface ConditionProblem {
  readonly problem: string;
}

/** An operator that a value does not satisfy, with its operands as sent. */
export interface FailedOperator {
  readonly operator: string;
  readonly expected: readonly unknown[];
}

/** Conditions ready to be evaluated often. Nothing here throws, whatever the value. */
export interface CompiledConditions {
  /** Whether `value` satisfies all operators. Undefined and null are absent values. */
  hold(value: unknown, at: Moment): boolean;
  /** The first operator, in the order sent, that `value` does not satisfy; null when all hold. */
  failed(value: unknown, at: Moment): FailedOperator | null;
}

interface Prepared extends FailedOperator {
  readonly test: Test;
}

const isDefinition = (definition: unknown): definition is ConditionsDefinition =>
  typeof definition === 'object' && definition !== null && !Array.isArray(definition);

/** Whether the answer of `compileConditions` or `checkConditions` is a problem. */
export const isProblem = (answer: object | null): answer is ConditionProblem =>
  answer !== null && 'problem' in answer;

const prepareAll = (definition: unknown, kind: ValueKind, rule: string): Prepared[] | ConditionProblem => {
  if (!isDefinition(definition)) return { problem: `Conditions of rule '${rule}' must be an object` };
  const prepared: Prepared[] = [];
  for (const operator of Object.keys(definition)) {
    const expected = definition[operator];
    const test = prepareOperator(operator, expected, kind, rule);
    if (isProblem(test)) return test;
    prepared.push({ operator, expected: expected as readonly unknown[], test });
  }
  return prepared;
};

/** What is wrong with `conditions` of a rule about values of `kind`, or null. `rule` names it in the sentence.
 *  Entries of rules about lines (`products`) are only checked to be objects. Source: reference 02 §1.2. */
export const checkConditions = (
  definition: ConditionsDefinition | undefined = {},
  kind: ValueKind,
  rule: string,
): ConditionProblem | null => {
  const prepared = prepareAll(definition, kind, rule);
  return isProblem(prepared) ? prepared : null;
};

/** Checks `conditions` and reads their operands, once. All operators must hold, and none means that all values do;
 *  `rule` names the rule in problems. Rules about lines are matched elsewhere: see `checkConditions`.
 *  Source: reference 02 §2. */
export const compileConditions = (
  definition: ConditionsDefinition | undefined = {},
  kind: Exclude<ValueKind, 'products'>,
  rule: string,
): CompiledConditions | ConditionProblem => {
  const prepared = prepareAll(definition, kind, rule);
  if (isProblem(prepared)) return prepared;
  const firstFailed = (value: unknown, at: Moment): Prepared | null => {
    for (const operator of prepared) if (!operator.test(value, at)) return operator;
    return null;
  };
  return {
    hold: (value, at) => firstFailed(value, at) === null,
    failed: (value, at) => {
      const failed = firstFailed(value, at);
      return failed && { operator: failed.operator, expected: failed.expected };
    },
  };
};
