import type {
  RuleAssignmentSnapshot,
  RuleDefinition,
  ValidationRuleSnapshot,
} from '@scrip/contracts/qualification';
import type { Instant } from '@scrip/contracts/snapshot';

/** What can be asked of a rule. `now`: when it is decided. */
export type RuleCommand = CreateRule | UpdateRule | DeleteRule | AssignRule | UnassignRule;

/** `made_for`: the object whose creation makes it; absent: none. */
export interface CreateRule {
  type: 'CreateRule';
  rule: ValidationRuleSnapshot;
  made_for?: string;
}

/** `definition`: all of it, as it is to stand. */
export interface UpdateRule {
  type: 'UpdateRule';
  id: string;
  definition: RuleDefinition;
  now: Instant;
}

/** `assigned`: some objects that obey the rule. */
export interface DeleteRule {
  type: 'DeleteRule';
  id: string;
  assigned: readonly { id: string; type: string }[];
}

/** `existing`: the assignment of the rule to this object that there is. `force`: it gives way. */
export interface AssignRule {
  type: 'AssignRule';
  assignment: RuleAssignmentSnapshot;
  existing: RuleAssignmentSnapshot | null;
  force: boolean;
}

/** `neverWas`: the object did not come about. */
export interface UnassignRule {
  type: 'UnassignRule';
  id: string;
  assignmentId: string;
  existing: RuleAssignmentSnapshot | null;
  neverWas?: boolean;
}
