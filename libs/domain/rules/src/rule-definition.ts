import type { ConditionsDefinition } from './conditions/conditions';

/** A text for a customer who may not use an incentive. */
export interface RuleErrorDefinition {
  readonly message?: string;
}

/** One condition of a validation rule, as sent, stored and echoed. Source: reference 02 §1. */
export interface RuleDefinition {
  readonly name: string;
  /** Metadata key, dotted for nested metadata. */
  readonly property?: string | null;
  readonly conditions?: ConditionsDefinition | null;
  readonly rules?: RulesDefinition | null;
  readonly error?: RuleErrorDefinition | null;
}

/** Rule definitions by number, and how they combine; no logic joins all by AND. Source: reference 02 §1.1. */
export interface RulesDefinition {
  readonly logic?: string | null;
  readonly [key: `${number}`]: RuleDefinition;
}

/** A validation rule object as sent and stored, without what the API adds (id, times, counts).
 *  Source: reference 02 §1. */
export interface ValidationRuleDefinition {
  readonly name: string;
  readonly rules?: RulesDefinition | null;
  readonly error?: RuleErrorDefinition | null;
  readonly applicable_to?: {
    readonly included?: readonly Readonly<Record<string, unknown>>[] | null;
    readonly excluded?: readonly Readonly<Record<string, unknown>>[] | null;
    readonly included_all?: boolean | null;
  } | null;
  /** Null removes it. */
  readonly bundle_rules?: {
    readonly limit?: number | null;
    readonly scaling?: 'MULTIPLY' | 'ONCE';
    readonly logic?: string | null;
    readonly [key: `${number}`]: RuleDefinition;
  } | null;
  /** The editor that made it; without effect on evaluation. */
  readonly type?: string;
  /** For editors, too. */
  readonly context_type?: string;
}
