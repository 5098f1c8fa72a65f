import type { Refusal } from '@scrip/kernel/pure';
import type { RuleRefusalKey } from '@scrip/order-calculation';
import type { CompiledRule } from '../compile/compile-rule';
import type { RuleContext } from './rule-context';
import { type RuleMode, modeBits } from './rule-mode';
import { type RuleWording, violationRefusal } from './violation-refusal';
import { type ViolatedRule, type Violation, ruleHolds, violatedRulesOf } from './violations';

/** What became of one rule object. `omitted`: top-level keys of what the mode left out, ascending, as
 *  `validation_omitted_rules` shows them; empty where that is absent. Source: reference 02 §4.5. */
export interface RuleOutcome {
  readonly id: string;
  readonly status: 'VALID' | 'PARTIALLY_VALID' | 'INVALID';
  readonly omitted: readonly string[];
}

/** What became of all rule objects of an incentive. Source: reference 02 §4.3–§4.5. */
export interface RuleVerdict {
  /** Whether all hold. */
  readonly holds: boolean;
  /** In the order given. */
  readonly outcomes: readonly RuleOutcome[];
  /** Every condition that made a rule false, rule objects in the order given, keys ascending. */
  readonly violations: readonly Violation[];
  /** Null when all hold. Its `customMessage`, where there is one, belongs at `error.error.message`. */
  readonly refusal: Refusal<RuleRefusalKey> | null;
}

const nothingViolated: readonly Violation[] = [];

const statusOf = (holds: boolean, omitted: readonly string[]): RuleOutcome['status'] => {
  if (!holds) return 'INVALID';
  return omitted.length > 0 ? 'PARTIALLY_VALID' : 'VALID';
};

/** Whether all rule objects hold: `evaluateRules` without explanations. Source: reference 02 §4.3. */
export const rulesHold = (rules: readonly CompiledRule[], context: RuleContext, mode: RuleMode): boolean => {
  const bit = modeBits[mode];
  for (const rule of rules) if (!ruleHolds(rule, context, bit)) return false;
  return true;
};

/** Evaluates the effective rules of an incentive, in assignment order; none restrict nothing. What `mode` leaves out
 *  counts as true. A refusal has status 400 and is one of `missing_customer`, `customer_rules_violated`,
 *  `order_rules_violated`, `redemption_rules_violated`. Source: reference 02 §4.3–§4.5. */
export const evaluateRules = (
  rules: readonly CompiledRule[],
  context: RuleContext,
  mode: RuleMode,
  wording: RuleWording,
): RuleVerdict => {
  const bit = modeBits[mode];
  const outcomes: RuleOutcome[] = [];
  let violated: ViolatedRule[] | null = null;
  for (const rule of rules) {
    const { id } = rule;
    const omitted = rule.omittedKeys[mode];
    const holds = ruleHolds(rule, context, bit);
    outcomes.push({ id, status: statusOf(holds, omitted), omitted });
    if (!holds) violated = [...(violated ?? []), ...violatedRulesOf(rule, context, bit)];
  }
  if (!violated) return { holds: true, outcomes, violations: nothingViolated, refusal: null };
  return {
    holds: false,
    outcomes,
    violations: violated.flatMap(({ violations }) => violations),
    refusal: violationRefusal(violated, wording),
  };
};
