import type { Instant, Metadata } from '../snapshot';

/** Validation rules and what they are assigned to: one stream per rule. Source: reference 02 §5, reference 06 §9.2. */
export type ValidationRuleEvent =
  | ValidationRuleCreated
  | ValidationRuleUpdated
  | ValidationRuleDeleted
  | ValidationRuleAssigned
  | ValidationRuleUnassigned;

/** What a rule can be assigned to. */
export type RuledObjectType =
  'voucher' | 'campaign' | 'promotion_tier' | 'earning_rule' | 'reward_assignment' | 'distribution';

/** A validation rule; its definitions stand as they were sent. Source: reference 02 §1. */
export interface ValidationRuleSnapshot {
  /** `val_…` */
  id: string;
  name: string;
  /** Rule definitions by number, and their `logic`. */
  rules: Metadata;
  /** What violations without a text of their own say. */
  error: Metadata | null;
  /** The products that a discount may touch. */
  applicable_to: Metadata;
  bundle_rules: Metadata | null;
  /** The editor that made it; without effect. */
  type: string;
  context_type: string;
  created_at: Instant;
  updated_at: Instant | null;
}

/** What a rule says. */
export type RuleDefinition = Omit<ValidationRuleSnapshot, 'id' | 'created_at' | 'updated_at'>;

/** A rule holds for an object. */
export interface RuleAssignmentSnapshot {
  /** `asgm_…` */
  id: string;
  rule_id: string;
  related_object_type: RuledObjectType;
  related_object_id: string;
  created_at: Instant;
}

/** A rule was created. */
export interface ValidationRuleCreated {
  type: 'ValidationRuleCreated';
  data: {
    rule: ValidationRuleSnapshot;
    /** The object whose creation made it: where that does not come about, the rule goes. Absent: a call of its own. */
    made_for?: string;
  };
}

/** A rule changed: from the next request on it decides as it stands here. */
export interface ValidationRuleUpdated {
  type: 'ValidationRuleUpdated';
  data: { rule: ValidationRuleSnapshot };
}

/** A rule without assignments was deleted. */
export interface ValidationRuleDeleted {
  type: 'ValidationRuleDeleted';
  data: {
    /** `val_…` */
    rule_id: string;
  };
}

/** An object obeys a rule from now on. The object may be created right after it. */
export interface ValidationRuleAssigned {
  type: 'ValidationRuleAssigned';
  data: { assignment: RuleAssignmentSnapshot };
}

/** An object no longer obeys a rule. */
export interface ValidationRuleUnassigned {
  type: 'ValidationRuleUnassigned';
  data: { assignment: RuleAssignmentSnapshot };
}
