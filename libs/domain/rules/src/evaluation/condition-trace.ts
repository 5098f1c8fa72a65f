import type { Line } from '../catalogue/rule-entry';
import type { CompiledLeaf } from '../compile/compile-group';
import type { CompiledRule } from '../compile/compile-rule';
import type { RuleContext } from './rule-context';
import { type RuleMode, bundleModes, modeBits } from './rule-mode';
import { type Violation, bundlesFound } from './violations';

/** What became of one rule that logic names, whether or not it decided. Where several operators are set, `operator` is
 *  the one that failed, else the first. OMITTED: the mode leaves it out, and what is below it. Source: reference 02 §4. */
export interface ConditionTrace extends Violation {
  readonly verdict: 'HOLDS' | 'FAILS' | 'OMITTED';
  /** Whether it is a limit or budget, whose `actual` counts what is judged. */
  readonly isCounted: boolean;
}

const noLines: readonly Line[] = [];

const unread = { operator: null, expected: [], actual: null };

const traceLeaf = (
  ruleId: string,
  leaf: CompiledLeaf,
  at: { readonly context: RuleContext; readonly mode: number },
  matched: readonly Line[],
): ConditionTrace[] => {
  const { path, entry, property, own, group, modes } = leaf;
  const { context, mode } = at;
  const about = {
    ruleId,
    path,
    name: entry.name,
    property,
    group: entry.group,
    isCounted: entry.isCounted === true,
  };
  if ((modes & mode) === 0) return [{ ...about, ...unread, verdict: 'OMITTED' }];
  const verdict = leaf.holds(context, mode, matched) ? 'HOLDS' : 'FAILS';
  const found = group && (own.find ? own.find(context) : matched);
  return [
    { ...about, ...own.failure(context, matched), verdict },
    ...(group?.leaves ?? []).flatMap((below) => traceLeaf(ruleId, below, at, found ?? noLines)),
  ];
};

const traceBundle = (
  { id, bundle }: CompiledRule,
  { context, mode }: { readonly context: RuleContext; readonly mode: number },
): ConditionTrace[] => {
  if (!bundle) return [];
  const quantity = bundlesFound(bundle, context);
  const verdict = quantity > 0 ? 'HOLDS' : 'FAILS';
  return [
    {
      ruleId: id,
      path: 'bundle_rules',
      name: 'bundle_rules',
      property: null,
      group: 'order',
      isCounted: false,
      verdict: (bundleModes & mode) === 0 ? 'OMITTED' : verdict,
      operator: null,
      expected: bundle.components,
      actual: quantity,
    },
  ];
};

/** Explains every rule that logic names, holding ones too: rule objects in the order given, keys ascending, those below
 *  a rule after it, bundles last. Evaluates each anew, so it costs more than a verdict. Source: reference 02 §4.3. */
export const traceRules = (
  rules: readonly CompiledRule[],
  context: RuleContext,
  mode: RuleMode,
): ConditionTrace[] => {
  const at = { context, mode: modeBits[mode] };
  return rules.flatMap((rule) => [
    ...rule.root.leaves.flatMap((leaf) => traceLeaf(rule.id, leaf, at, noLines)),
    ...traceBundle(rule, at),
  ]);
};
