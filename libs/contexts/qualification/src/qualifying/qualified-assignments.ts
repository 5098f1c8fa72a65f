import type { AssignmentsOfObject } from '@scrip/contracts/qualification';
import type { Qualified } from '@scrip/order-preview';
import { renderAssignment } from '@scrip/wire/qualification';
import type { QualifiedAssignmentsResponse } from './qualification.wire';

/** Assignments by the object that obeys the rules. */
export type AssignmentsByObject = ReadonlyMap<string, AssignmentsOfObject>;

export const listsByObject = (lists: readonly AssignmentsOfObject[]): AssignmentsByObject =>
  new Map(lists.map((list) => [list.object_id, list]));

/** The assignments of an object and of its campaign, with what became of their rules; of a rule that was assigned after the
 *  evaluation nothing is known, so that it is left out. Source: reference 02 §4.5. */
export const assignmentsOf = (
  assignments: AssignmentsByObject,
  objects: readonly string[],
  rules: Qualified['rules'],
): QualifiedAssignmentsResponse => {
  const outcomes = new Map(rules.map((outcome) => [outcome.id, outcome]));
  const data = objects
    .flatMap((object) => assignments.get(object)?.assignments ?? [])
    .flatMap((assignment) => {
      const outcome = outcomes.get(assignment.rule_id);
      if (!outcome || outcome.status === 'INVALID') return [];
      const { status, omitted } = outcome;
      return [
        {
          ...renderAssignment(assignment),
          validation_status: status,
          ...(omitted.length > 0 ? { validation_omitted_rules: [...omitted] } : {}),
        },
      ];
    });
  return { object: 'list', data_ref: 'data', data, total: data.length };
};
