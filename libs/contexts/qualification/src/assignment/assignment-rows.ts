import type {
  RuleAssignmentSnapshot,
  ValidationRuleEvent,
  WantedAssignment,
} from '@scrip/contracts/qualification';
import { type RowChange, runQuery } from '@scrip/event-store';
import type { EntityManager } from 'typeorm';
import { assignmentColumns } from './assignment-list.query';

type AssignmentRow = Omit<RuleAssignmentSnapshot, 'created_at'> & { created_at: Date };

/** The assignment that a row holds. */
export const assignmentOf = ({ created_at, ...row }: AssignmentRow): RuleAssignmentSnapshot => ({
  ...row,
  created_at: created_at.toISOString(),
});

type RuledObjectKey = Pick<RuleAssignmentSnapshot, 'related_object_id' | 'related_object_type'>;

const keyOfObject = ({ related_object_type: type, related_object_id: id }: RuledObjectKey): string =>
  `${type}\n${id}`;

/** Assignments of one rule, by their ids or by what it is assigned to. */
export interface AssignmentsOfRule {
  ids?: readonly string[];
  objects?: readonly RuledObjectKey[];
}

/** Assignments as they are found: by id, and by the object. */
export interface FoundAssignments {
  byId: ReadonlyMap<string, RuleAssignmentSnapshot>;
  ofObject: (object: RuledObjectKey) => RuleAssignmentSnapshot | null;
}

/** The assignments of a rule that are so named, in one statement. */
export const assignmentsOfRule = async (
  read: EntityManager,
  { projectId, ruleId }: { projectId: string; ruleId: string },
  { ids = [], objects = [] }: AssignmentsOfRule,
): Promise<FoundAssignments> => {
  const rows = await runQuery<AssignmentRow>(
    read,
    `SELECT ${assignmentColumns} FROM rule_assignments a
     WHERE a.project_id = $1 AND a.rule_id = $2 AND (a.id = ANY($3) OR a.related_object_id = ANY($4))`,
    [projectId, ruleId, ids, objects.map(({ related_object_id }) => related_object_id)],
  );
  const found = rows.map(assignmentOf);
  const byObject = new Map(found.map((assignment) => [keyOfObject(assignment), assignment]));
  return {
    byId: new Map(found.map((assignment) => [assignment.id, assignment])),
    ofObject: (object) => byObject.get(keyOfObject(object)) ?? null,
  };
};

const keyOf = (projectId: string, { id }: RuleAssignmentSnapshot) => ({ project_id: projectId, id });

/** The rows of assignments that follow from decisions about one rule. An assignment that gives way to another of the same object
 *  is one row: in one statement it could be inserted before it is deleted. A new row waits to be confirmed. */
export const assignmentRows = (
  projectId: string,
  events: readonly ValidationRuleEvent[],
  wanted: readonly Pick<WantedAssignment, 'id' | 'campaign_id'>[],
): RowChange[] => {
  const ofType = (type: 'ValidationRuleAssigned' | 'ValidationRuleUnassigned') =>
    events.flatMap((event) => (event.type === type ? [event.data.assignment] : []));
  const ended = new Map(ofType('ValidationRuleUnassigned').map((one) => [keyOfObject(one), one]));
  const campaigns = new Map(wanted.map(({ id, campaign_id }) => [id, campaign_id]));
  const begun = ofType('ValidationRuleAssigned').map((assignment): RowChange => {
    const before = ended.get(keyOfObject(assignment));
    ended.delete(keyOfObject(assignment));
    const { id, created_at } = assignment;
    if (before) return { update: 'rule_assignments', key: keyOf(projectId, before), set: { id, created_at } };
    const campaign_id = campaigns.get(id) ?? null;
    return { insert: 'rule_assignments', values: { project_id: projectId, ...assignment, campaign_id } };
  });
  return [
    ...begun,
    ...[...ended.values()].map((assignment): RowChange => ({
      delete: 'rule_assignments',
      key: keyOf(projectId, assignment),
    })),
  ];
};
