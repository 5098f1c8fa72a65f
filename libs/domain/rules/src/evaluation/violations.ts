import { matchBundle } from '@scrip/order-calculation';
import type { Line, RuleEntry, RuleGroup } from '../catalogue/rule-entry';
import type { CompiledGroup, CompiledLeaf } from '../compile/compile-group';
import type { CompiledRule } from '../compile/compile-rule';
import type { FailedCondition } from '../compile/own-test';
import type { BundleRules } from '../scope/bundle-rules';
import type { RuleContext } from './rule-context';
import { bundleModes } from './rule-mode';

/** A condition that does not hold, as the API can show it. Source: reference 02 §4.4. */
export interface Violation extends FailedCondition {
  /** Id of the rule object. */
  readonly ruleId: string;
  /** Keys from the top joined by dots, `bundle_rules` for the bundle. */
  readonly path: string;
  /** The rule's name, `bundle_rules` for the bundle. */
  readonly name: string;
  /** Metadata key; null for rules that look at none. */
  readonly property: string | null;
  readonly group: RuleGroup;
}

/** A rule at the top of an object that is false, with what made it so. */
export interface ViolatedRule {
  readonly ruleId: string;
  readonly group: RuleGroup;
  /** Its own text or that of a sub-rule, else the object's. */
  readonly message: string | null;
  /** Whether it is false because there is no customer. */
  readonly lacksCustomer: boolean;
  readonly violations: readonly Violation[];
}

const noLines: readonly Line[] = [];
const emptyOrder = { lines: noLines };

/** How often a bundle is in the order. */
export const bundlesFound = (bundle: BundleRules, { order }: RuleContext): number =>
  matchBundle(order?.before ?? emptyOrder, bundle).quantity;

/** Whether the bundle of a rule is in the order, where it has one and the mode asks. */
const isBundleMet = ({ bundle }: CompiledRule, context: RuleContext, mode: number): boolean =>
  bundle === null || (bundleModes & mode) === 0 || bundlesFound(bundle, context) > 0;

/** Whether a rule object holds. */
export const ruleHolds = (rule: CompiledRule, context: RuleContext, mode: number): boolean =>
  rule.root.holds(context, mode, noLines) && isBundleMet(rule, context, mode);

const needsCustomer = ({ group, perCustomer }: RuleEntry): boolean =>
  group === 'customer' || perCustomer === true;

/** What is wrong with one top-level rule. */
class LeafFailure {
  readonly violations: Violation[] = [];
  /** The text of the first violated sub-rule that has one, or that a rule between has. */
  subRuleMessage: string | null = null;
  lacksCustomer = false;

  constructor(
    private readonly ruleId: string,
    private readonly context: RuleContext,
    private readonly mode: number,
  ) {}

  /** `inherited`: the text of the nearest rule above that has one, below the top. */
  explain(leaf: CompiledLeaf, matched: readonly Line[], inherited: string | null): void {
    const { own, group } = leaf;
    if (own.holds(this.context, matched) && group) {
      this.explainGroup(group, own.find ? own.find(this.context) : matched, inherited);
      return;
    }
    const { path, entry, property } = leaf;
    this.subRuleMessage ??= inherited;
    this.lacksCustomer ||= this.context.customer === null && needsCustomer(entry);
    this.violations.push({
      ruleId: this.ruleId,
      path,
      name: entry.name,
      property,
      group: entry.group,
      ...own.failure(this.context, matched),
    });
  }

  private explainGroup({ leaves }: CompiledGroup, matched: readonly Line[], inherited: string | null): void {
    for (const leaf of leaves) {
      if (!leaf.holds(this.context, this.mode, matched))
        this.explain(leaf, matched, leaf.message ?? inherited);
    }
  }
}

const violatedLeaf = (
  rule: CompiledRule,
  leaf: CompiledLeaf,
  context: RuleContext,
  mode: number,
): ViolatedRule => {
  const failure = new LeafFailure(rule.id, context, mode);
  failure.explain(leaf, noLines, null);
  return {
    ruleId: rule.id,
    group: leaf.entry.group,
    message: failure.subRuleMessage ?? leaf.message ?? rule.message,
    lacksCustomer: failure.lacksCustomer,
    violations: failure.violations,
  };
};

/** An unmet bundle counts as a violated rule about the order. */
export const violatedBundle = ({ id, bundle, message }: CompiledRule): ViolatedRule => ({
  ruleId: id,
  group: 'order',
  message,
  lacksCustomer: false,
  violations: [
    {
      ruleId: id,
      path: 'bundle_rules',
      name: 'bundle_rules',
      property: null,
      group: 'order',
      operator: null,
      expected: bundle?.components ?? [],
      actual: 0,
    },
  ],
});

/** The false rules that logic names in a false rule object, keys ascending, then its unmet bundle. */
export const violatedRulesOf = (rule: CompiledRule, context: RuleContext, mode: number): ViolatedRule[] => {
  const violated = rule.root.holds(context, mode, noLines)
    ? []
    : rule.root.leaves
        .filter((leaf) => !leaf.holds(context, mode, noLines))
        .map((leaf) => violatedLeaf(rule, leaf, context, mode));
  return isBundleMet(rule, context, mode) ? violated : [...violated, violatedBundle(rule)];
};
