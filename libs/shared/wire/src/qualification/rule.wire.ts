import type { ValidationRuleSnapshot } from '@scrip/contracts/qualification';

/** What callers see of a rule: definitions as they were sent. Source: reference 02 §1. */
export const renderRule = ({
  rule: { error, bundle_rules, updated_at, ...rule },
  assignments,
}: {
  rule: ValidationRuleSnapshot;
  assignments: number;
}) => ({
  ...rule,
  ...(error && { error }),
  bundle_rules: bundle_rules ?? {},
  ...(updated_at !== null && { updated_at }),
  ...(assignments > 0 && { assignments_count: assignments }),
  object: 'validation_rules' as const,
});

/** A rule as callers see it. */
export type ValidationRuleResponse = ReturnType<typeof renderRule>;
