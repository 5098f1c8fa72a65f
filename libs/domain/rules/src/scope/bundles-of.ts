import type { BundleRules } from './bundle-rules';
import type { CompiledRule } from '../compile/compile-rule';
import { type RuleWording, violationRefusal } from '../evaluation/violation-refusal';
import { violatedBundle } from '../evaluation/violations';

/** What the effective rules require to be in the order together, undefined where they require nothing. The
 *  bundles of several rules are each met by itself; the discount does not scale where one of them says so. It carries the refusal of an order without a whole bundle.
 *  Source: reference 01 §9, reference 02 §1.4. */
export const bundlesOf = (rules: readonly CompiledRule[], wording: RuleWording): BundleRules | undefined => {
  const requiring = rules.filter(({ bundle }) => bundle !== null);
  if (requiring.length === 0) return undefined;
  const bundles = requiring.map(({ bundle }) => bundle!);
  const [first, ...further] = bundles.map(({ components, limit }) => ({ components, limit }));
  return {
    ...first!,
    ...(further.length === 0 ? {} : { further }),
    scaling: bundles.some(({ scaling }) => scaling === 'ONCE') ? 'ONCE' : 'MULTIPLY',
    refusal: violationRefusal(requiring.map(violatedBundle), wording),
  };
};
