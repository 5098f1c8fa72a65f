import { didYouMean, shortened } from '@scrip/kernel/pure';
import { catalogue, lineRuleNames, ruleNames } from '../catalogue/catalogue';
import type { Line, Quantifier, RuleEntry } from '../catalogue/rule-entry';
import { type ConditionProblem, type ConditionsDefinition, isProblem } from '../conditions/conditions';
import type { RuleContext } from '../evaluation/rule-context';
import { modesOf } from '../evaluation/rule-mode';
import { type Logic, keysNamed, parseLogic } from '../logic/logic';
import { type OwnTest, compileOwnTest } from './own-test';
import { type Fields, fieldsOf } from './fields';
import type { MetadataTypes } from './metadata-types';
import { byNumber, isRuleKey } from './rule-key';

/** Whether rules hold. `mode`: the bit of a mode; `matched`: lines that the rule above found. */
export type RuleTest = (context: RuleContext, mode: number, matched: readonly Line[]) => boolean;

/** One rule that logic names, ready to be evaluated. */
export interface CompiledLeaf {
  readonly key: string;
  /** Keys from the top, joined by dots. */
  readonly path: string;
  readonly entry: RuleEntry;
  /** Metadata key; null for rules that look at none. */
  readonly property: string | null;
  readonly conditions: ConditionsDefinition;
  readonly message: string | null;
  /** Bits of the modes that evaluate it; in the others it counts as true. */
  readonly modes: number;
  readonly own: OwnTest;
  readonly group: CompiledGroup | null;
  readonly holds: RuleTest;
}

/** Rules next to each other and how they combine; those that logic does not name are gone. */
export interface CompiledGroup {
  /** Keys ascending. */
  readonly leaves: readonly CompiledLeaf[];
  readonly logic: Logic | null;
  readonly holds: RuleTest;
}

/** Most rules of an object, nested ones counted. Source: reference 02 §11. */
export const rulesMax = 100;
/** Rules below rules below rules …; those at the top are level 1. Source: reference 02 §11. */
export const levelsMax = 5;

/** Where a group stands. */
interface Place {
  readonly level: number;
  readonly pathPrefix: string;
  /** The rule about lines above it. */
  readonly lines: {
    readonly name: string;
    readonly quantifier: Quantifier;
    readonly rules: readonly RuleEntry[];
  } | null;
  /** Rules that may still be defined. */
  readonly budget: { left: number };
  readonly metadataTypes: MetadataTypes;
}

/** Longest part of a definition that a problem repeats, in UTF-16 units. */
const longestTold = 100;

const entryFor = (name: string, { lines }: Place): RuleEntry | ConditionProblem => {
  const entry = catalogue.get(name) ?? lines?.rules.find((rule) => rule.name === name);
  if (entry) return entry;
  if (!lineRuleNames.has(name)) {
    const told = `Unknown rule name '${shortened(name, longestTold)}'`;
    const meant = didYouMean(name, ruleNames);
    return { problem: meant === null ? told : `${told}. ${meant}` };
  }
  return {
    problem: lines
      ? `Rule '${name}' is not allowed below rule '${lines.name}'`
      : `Rule '${name}' is only allowed below a rule about order items`,
  };
};

const messageOf = (error: unknown, subject: string): string | null | ConditionProblem => {
  if (error == null) return null;
  const message = fieldsOf(error)?.message;
  if (fieldsOf(error) === null || (message != null && typeof message !== 'string')) {
    return { problem: `Error message of ${subject} must be a string` };
  }
  return message || null;
};

const compileLeaf = (key: string, sent: unknown, place: Place): CompiledLeaf | ConditionProblem => {
  const path = place.pathPrefix + key;
  const definition = fieldsOf(sent);
  if (!definition) return { problem: `Rule '${path}' must be an object` };
  const { name, property = null } = definition;
  if (typeof name !== 'string') return { problem: `Rule '${path}' must have a 'name'` };
  const entry = entryFor(name, place);
  if ('problem' in entry) return entry;
  const { measure } = entry;
  if ('metadata' in measure && (property === null || property === '')) {
    return { problem: `Rule '${name}' must have a 'property'` };
  }
  if (property !== null && typeof property !== 'string') {
    return { problem: `Property of rule '${name}' must be a string` };
  }
  const conditions = (definition.conditions ?? {}) as ConditionsDefinition;
  const own = compileOwnTest({
    name,
    measure,
    property,
    conditions,
    metadataTypes: place.metadataTypes,
    above: place.lines?.quantifier ?? 'any',
  });
  if ('problem' in own) return own;
  const message = messageOf(definition.error, `rule '${name}'`);
  if (typeof message === 'object' && message !== null) return message;
  const group = compileGroup(definition.rules, {
    level: place.level + 1,
    pathPrefix: `${path}.rules.`,
    lines:
      'quantifier' in measure
        ? { name, quantifier: measure.quantifier, rules: entry.lineRules ?? [] }
        : place.lines,
    budget: place.budget,
    metadataTypes: place.metadataTypes,
  });
  if ('problem' in group) return group;
  const modes = modesOf(entry);
  const below = group.logic === null ? null : group;
  return {
    key,
    path,
    entry,
    property,
    conditions,
    message,
    modes,
    own,
    group: below,
    holds: (context, mode, matched) =>
      (modes & mode) === 0 ||
      (own.holds(context, matched) &&
        (below === null || below.holds(context, mode, own.find ? own.find(context) : matched))),
  };
};

const testOf = (logic: Logic | null, leaves: ReadonlyMap<string, CompiledLeaf>): RuleTest => {
  if (logic === null) return () => true;
  if (typeof logic === 'string') return leaves.get(logic)!.holds;
  const tests = logic.parts.map((part) => testOf(part, leaves));
  const decisive = logic.join === 'or';
  return (context, mode, matched) => {
    for (const test of tests) if (test(context, mode, matched) === decisive) return decisive;
    return !decisive;
  };
};

const definitionsIn = (rules: Fields): [string, unknown][] | ConditionProblem => {
  const keys = Object.keys(rules).filter((key) => key !== 'logic');
  const wrong = keys.find((key) => !isRuleKey(key));
  if (wrong !== undefined)
    return { problem: `Rule key '${shortened(wrong, longestTold)}' must be a number from 1` };
  return keys.sort(byNumber).map((key) => [key, rules[key]]);
};

/** Checks and compiles a map of rules with its logic. Absent or null: nothing restricts. */
export const compileGroup = (sent: unknown, place: Place): CompiledGroup | ConditionProblem => {
  const rules = sent == null ? {} : fieldsOf(sent);
  if (!rules) return { problem: 'Rules must be an object' };
  const definitions = definitionsIn(rules);
  if (isProblem(definitions)) return definitions;
  if (definitions.length > 0 && place.level > levelsMax) {
    return { problem: `Rules must not be nested deeper than ${levelsMax} levels` };
  }
  place.budget.left -= definitions.length;
  if (place.budget.left < 0) return { problem: `There must not be more than ${rulesMax} rules` };
  const compiled = new Map<string, CompiledLeaf>();
  for (const [key, definition] of definitions) {
    const leaf = compileLeaf(key, definition, place);
    if ('problem' in leaf) return leaf;
    compiled.set(key, leaf);
  }
  const { logic: text = '' } = rules;
  if (text !== null && typeof text !== 'string') return { problem: 'Logic must be a string' };
  const keys = [...compiled.keys()];
  const logic = parseLogic(text ?? '', keys);
  if (typeof logic === 'object' && logic !== null && 'problem' in logic) return logic;
  return {
    leaves: keysNamed(logic, keys).map((key) => compiled.get(key)!),
    logic,
    holds: testOf(logic, compiled),
  };
};

/** The rules of an object. */
export const compileRules = (sent: unknown, metadataTypes: MetadataTypes): CompiledGroup | ConditionProblem =>
  compileGroup(sent, { level: 1, pathPrefix: '', lines: null, budget: { left: rulesMax }, metadataTypes });
