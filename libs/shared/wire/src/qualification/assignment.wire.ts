import type { AssignmentsOfObject, RuleAssignmentSnapshot } from '@scrip/contracts/qualification';

/** What callers see of an assignment. Source: reference 02 §5. */
export const renderAssignment = ({
  id,
  rule_id,
  related_object_type,
  related_object_id,
  created_at,
}: RuleAssignmentSnapshot) => ({
  id,
  rule_id,
  related_object_type,
  related_object_id,
  created_at,
  object: 'validation_rules_assignment' as const,
});

/** An assignment as callers see it. */
export type RuleAssignmentResponse = ReturnType<typeof renderAssignment>;

/** The rules that hold for an object, as it shows them: its own, then those it inherits. Source: reference 02 §5. */
export const renderAssignments = (lists: readonly Pick<AssignmentsOfObject, 'assignments' | 'total'>[]) => ({
  object: 'list' as const,
  data_ref: 'data' as const,
  data: lists.flatMap(({ assignments }) => assignments.map(renderAssignment)),
  total: lists.reduce((sum, { total }) => sum + total, 0),
});

/** The list of rules, left empty: of what no rule holds for, and where an event is told that does not carry them. */
export const noAssignments = () => renderAssignments([]);

/** What `renderAssignments` makes. */
export type RuleAssignmentsResponse = ReturnType<typeof renderAssignments>;
