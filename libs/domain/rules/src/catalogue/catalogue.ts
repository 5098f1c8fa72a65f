import { counterRules } from './counter-rules';
import { customerRules } from './customer-rules';
import { legacyRules } from './legacy-rules';
import { orderRules } from './order-rules';
import { orderStructureRules } from './order-structure-rules';
import { redemptionRules } from './redemption-rules';
import type { RuleEntry } from './rule-entry';

/** All rules that may stand at the top of an object. Source: reference 02 §3. */
export const catalogue: ReadonlyMap<string, RuleEntry> = new Map(
  [customerRules, orderRules, orderStructureRules, redemptionRules, counterRules, legacyRules]
    .flat()
    .map((entry) => [entry.name, entry]),
);

/** The names of rules that may stand below rules about lines only. */
export const lineRuleNames: ReadonlySet<string> = new Set(
  [...catalogue.values()].flatMap(({ lineRules = [] }) => lineRules.map(({ name }) => name)),
);

/** The names of all rules, those below rules about lines included. Source: reference 02 §3. */
export const ruleNames: readonly string[] = [...catalogue.keys(), ...lineRuleNames];
