import type { BundleRules } from './bundle-rules';
import type { CompiledRule } from '../compile/compile-rule';
import { type RuleWording, violationRefusal } from '../evaluation/violation-refusal';
import { violatedBundle } from '../evaluation/violations';

/** What the effective rules require to be in the order together, undefined where they require nothing. Several
 *  bundles become one: all components, each unit for one of them, as often as the smallest limit allows, and not scaling
 *  the discount where one of them does not. It carries the refusal of an order without a whole bundle.
 *  Source: spec 01 §9, spec 02 §1.4. */
export const bundlesOf = (rules: readonly CompiledRule[], wording: RuleWording): BundleRules | undefined => {
  const requiring = rules.filter(({ bundle }) => bundle !== null);
  if (requiring.length === 0) return undefined;
  const bundles = requiring.map(({ bundle }) => bundle!);
  return {
    components: bundles.flatMap(({ components }) => components),
    limit: Math.min(...bundles.map(({ limit }) => limit)),
    scaling: bundles.some(({ scaling }) => scaling === 'ONCE') ? 'ONCE' : 'MULTIPLY',
    refusal: violationRefusal(requiring.map(violatedBundle), wording),
  };
};
