import { type Refusal, shortened } from '@scrip/kernel/pure';
import type { Violation } from '@scrip/rules';
import { violationsOf } from '../evaluation/rule-checks';

/** A failed rule without anything that tells of a person. `expected`, `actual`: only where they cannot. */
export interface BecauseRule {
  readonly rule: string;
  readonly path: string;
  readonly name: string;
  readonly operator?: string;
  readonly expected?: readonly unknown[];
  readonly actual?: number;
}

/** Why a redeemable did not apply, to be kept with it: at most `becauseMaxBytes` as JSON. `more`: failed rules that did
 *  not fit. */
export interface Because {
  readonly status: 'INAPPLICABLE' | 'SKIPPED';
  readonly key: string;
  readonly rules?: readonly BecauseRule[];
  readonly more?: number;
}

/** Most bytes of a `Because` as JSON. */
export const becauseMaxBytes = 2_048;

const rulesMax = 30;
const operandsMax = 5;
const textMax = 100;

/** Metadata holds whatever a project keeps of its customers, also in the operands that it is compared with. */
const tellsOfPersons = ({ name, property }: Violation): boolean =>
  property !== null || name.includes('metadata') || name === 'redemption.user.login';

const idOf = (operand: unknown): unknown => {
  if (typeof operand === 'string') return shortened(operand, textMax);
  if (typeof operand !== 'object' || operand === null) return operand;
  const { id, source_id } = operand as { readonly id?: unknown; readonly source_id?: unknown };
  const name = id ?? source_id;
  return typeof name === 'string' ? shortened(name, textMax) : null;
};

const becauseRule = (violation: Violation): BecauseRule => {
  const { ruleId, path, name, operator, expected, actual } = violation;
  const about = { rule: shortened(ruleId, textMax), path, name, ...(operator === null ? {} : { operator }) };
  if (tellsOfPersons(violation)) return about;
  return {
    ...about,
    expected: expected.slice(0, operandsMax).map(idOf),
    // Ids of segments and items tell who a customer is and what is bought; sums and counts do not.
    ...(typeof actual === 'number' ? { actual } : {}),
  };
};

const bytesOf = (because: Because): number => new TextEncoder().encode(JSON.stringify(because)).length;

const withRules = (
  because: Pick<Because, 'status' | 'key'>,
  rules: readonly BecauseRule[],
  kept: number,
): Because => {
  const more = rules.length - kept;
  return { ...because, rules: rules.slice(0, kept), ...(more > 0 ? { more } : {}) };
};

/** Says in few bytes why a redeemable did not apply, without personal data: no metadata, no login, no codes, no texts of
 *  rules. Source: reference 02 §4.4. */
export const becauseOf = (refusal: Refusal<string>): Because => {
  const because = { status: 'INAPPLICABLE', key: refusal.refused } as const;
  const rules = violationsOf(refusal).map(becauseRule);
  if (rules.length === 0) return because;
  for (let kept = Math.min(rules.length, rulesMax); kept > 0; kept -= 1) {
    const whole = withRules(because, rules, kept);
    if (bytesOf(whole) <= becauseMaxBytes) return whole;
  }
  return { ...because, more: rules.length };
};
