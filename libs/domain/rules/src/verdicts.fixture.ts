import type { CompiledRule } from './compile/compile-rule';
import { evaluateRules, rulesHold } from './evaluation/evaluate-rules';
import type { RuleContext } from './evaluation/rule-context';
import type { RuleMode } from './evaluation/rule-mode';
import type { RuleWording } from './evaluation/violation-refusal';
import { contextOf, oneRule, someone } from './rules.fixture';

export const wording: RuleWording = { label: 'Discount Coupon' };

/** What becomes of rules in a context in which nothing else exists. */
export const verdictOf = (
  rules: CompiledRule | readonly CompiledRule[],
  context: Partial<RuleContext>,
  mode: RuleMode = 'FULL',
  told: RuleWording = wording,
) => evaluateRules(Array.isArray(rules) ? rules : [rules as CompiledRule], contextOf(context), mode, told);

/** Whether one rule holds in such a context. */
export const holds = (
  name: string,
  conditions: Readonly<Record<string, readonly unknown[]>>,
  context: Partial<RuleContext>,
  property?: string,
): boolean =>
  rulesHold(
    [oneRule(name, conditions, property === undefined ? {} : { property })],
    contextOf(context),
    'FULL',
  );

export const vip = { ...someone, segments: ['seg_1'] };
export const stranger = { ...someone, segments: ['seg_2'] };

/** A rule that is true or false whatever the context. */
export const fixed = (isTrue: boolean, rest: Record<string, unknown> = {}) => ({
  name: 'redemption.metadata',
  property: 'none',
  conditions: isTrue ? { $is_not: ['x'] } : { $is: ['x'] },
  ...rest,
});
