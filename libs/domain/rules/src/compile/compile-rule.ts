import { type Refusal, refuse } from '@scrip/kernel/pure';
import type { ItemScope } from '@scrip/order-calculation';
import type { BundleRules } from '../scope/bundle-rules';
import { type RuleMode, modeBits, ruleModes } from '../evaluation/rule-mode';
import type { ConditionProblem } from '../conditions/conditions';
import type { ValidationRuleDefinition } from '../rule-definition';
import { type CompiledGroup, compileRules } from './compile-group';
import { fieldsOf } from './fields';
import type { MetadataTypes } from './metadata-types';
import { readBundle } from './read-bundle';
import { readScope } from './read-scope';
import { countersIn, needsResultIn, omittedKeysIn } from './rule-traits';

/** A validation rule object that was checked, ready to be evaluated often. Constant. Source: reference 02 §1. */
export interface CompiledRule {
  readonly id: string;
  /** As sent. */
  readonly definition: ValidationRuleDefinition;
  /** Whether a rule that logic names looks at the order after the effect: its verdict is a post-check. */
  readonly needsResult: boolean;
  /** Names of the limits and budgets that logic names, each once: what `counted` is asked for. */
  readonly counters: readonly string[];
  readonly root: CompiledGroup;
  readonly bundle: BundleRules | null;
  readonly scope: ItemScope | null;
  /** The text for violations without their own. */
  readonly message: string | null;
  /** By mode, the top-level keys of what it leaves out, ascending. */
  readonly omittedKeys: Readonly<Record<RuleMode, readonly string[]>>;
}

/** Why a rule object cannot be used. */
export type DefinitionRefusalKey = 'invalid_payload' | 'invalid_validation_rules';

const invalidDefinition = ({ problem }: ConditionProblem) => refuse('invalid_validation_rules', problem);

const omittedByMode = (root: CompiledGroup): CompiledRule['omittedKeys'] =>
  Object.fromEntries(ruleModes.map((mode) => [mode, omittedKeysIn(root, modeBits[mode])])) as Record<
    RuleMode,
    string[]
  >;

const noTypes: MetadataTypes = () => undefined;

/** Checks a rule object as sent or stored and prepares it for evaluation; `id` is the one that refusals name.
 *  `metadataTypes`: of the project's metadata schemas, which come in here and nowhere else: the compiled rule keeps the
 *  kinds of its values, so it is compiled again after a schema changed. Values without a type compare as text.
 *  Refuses `invalid_validation_rules` with the first problem in `details`, `invalid_payload` where the name is missing.
 *  Source: reference 02 §1, §11. */
export const compileRule = (
  definition: unknown,
  id: string,
  metadataTypes: MetadataTypes = noTypes,
): CompiledRule | Refusal<DefinitionRefusalKey> => {
  const fields = fieldsOf(definition);
  if (fields?.name == null) return refuse('invalid_payload', "Payload must have required property 'name'");
  if (typeof fields.name !== 'string') return refuse('invalid_payload', 'Property .name must be string');
  const root = compileRules(fields.rules, metadataTypes);
  if ('problem' in root) return invalidDefinition(root);
  const error = fields.error == null ? {} : fieldsOf(fields.error);
  const message = error?.message ?? null;
  if (!error || (message !== null && typeof message !== 'string')) {
    return invalidDefinition({ problem: 'Error message must be a string' });
  }
  const bundle = readBundle(fields.bundle_rules);
  if (bundle && 'problem' in bundle) return invalidDefinition(bundle);
  const scope = readScope(fields.applicable_to);
  if (scope && 'problem' in scope) return invalidDefinition(scope);
  return {
    id,
    definition: definition as ValidationRuleDefinition,
    needsResult: needsResultIn(root),
    counters: countersIn(root),
    root,
    bundle,
    scope,
    message: message || null,
    omittedKeys: omittedByMode(root),
  };
};
