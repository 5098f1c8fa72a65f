import { isDeepStrictEqual } from 'node:util';
import type {
  RuleAssignmentSnapshot,
  ValidationRuleEvent,
  ValidationRuleSnapshot,
} from '@scrip/contracts/qualification';
import { isRefused, notFound, type Refusal, refuse } from '@scrip/kernel';
import type { AssignRule, RuleCommand, UpdateRule } from './rule.commands';

/** A rule as its stream tells it. `assignments`: how many objects obey it; the assignments are rows beside it. */
export interface RuleState {
  rule: ValidationRuleSnapshot;
  assignments: number;
  deleted: boolean;
}

/** What rules refuse with. */
export type RuleRefusal = Refusal<
  'not_found' | 'duplicate_found' | 'resource_in_use' | 'invalid_payload' | 'invalid_validation_rules'
>;

/** What callers and errors call a rule, and an assignment. */
export const ruleType = 'validation_rules';
export const assignmentType = 'validation_rules_assignment';

/** Refuses an id that no rule of the project has. */
export const ruleNotFound = (id: string): Refusal<'not_found'> => notFound(ruleType, id);

/** Refuses an id that no assignment of the rule has. */
export const assignmentNotFound = (id: string): Refusal<'not_found'> => notFound(assignmentType, id);

const inUse = (id: string, assigned: readonly string[]): Refusal<'resource_in_use'> =>
  refuse(
    'resource_in_use',
    `Resource ${ruleType} with id ${id} is in use by objects with ids [${assigned.join(',')}]`,
    {
      resourceId: id,
      resourceType: ruleType,
      related_object_ids: assigned,
    },
  );

const duplicateAssignment = ({ id }: RuleAssignmentSnapshot): Refusal<'duplicate_found'> =>
  refuse('duplicate_found', `Duplicated ${assignmentType} exists with id ${id}`, {
    resourceId: id,
    resourceType: assignmentType,
  });

const unassigned = (assignment: RuleAssignmentSnapshot): ValidationRuleEvent => ({
  type: 'ValidationRuleUnassigned',
  data: { assignment },
});

const update = ({ rule }: RuleState, { definition, now }: UpdateRule): ValidationRuleEvent[] => {
  const { id, created_at, updated_at } = rule;
  if (isDeepStrictEqual({ ...definition, id, created_at, updated_at }, rule)) return [];
  return [
    { type: 'ValidationRuleUpdated', data: { rule: { ...definition, id, created_at, updated_at: now } } },
  ];
};

const assign = ({ assignment, existing, force }: AssignRule): ValidationRuleEvent[] | RuleRefusal => {
  if (existing?.id === assignment.id) return [];
  if (existing && !force) return duplicateAssignment(existing);
  return [
    ...(existing ? [unassigned(existing)] : []),
    { type: 'ValidationRuleAssigned', data: { assignment } },
  ];
};

/** What follows from a command; an empty list where it changes nothing. Deletion is final. Refuses `not_found` (rule,
 *  assignment), `resource_in_use` for the deletion of a rule that something obeys, and `duplicate_found` for a second
 *  assignment to one object. Source: reference 02 §5. */
export const decideRule = (
  command: RuleCommand,
  state: RuleState | undefined,
): ValidationRuleEvent[] | RuleRefusal => {
  if (command.type === 'CreateRule')
    return state ? [] : [{ type: 'ValidationRuleCreated', data: { rule: command.rule } }];
  const live = state?.deleted ? undefined : state;
  switch (command.type) {
    case 'UpdateRule':
      return live ? update(live, command) : ruleNotFound(command.id);
    case 'DeleteRule':
      if (!live) return ruleNotFound(command.id);
      return live.assignments > 0
        ? inUse(command.id, command.assigned)
        : [{ type: 'ValidationRuleDeleted', data: { rule_id: command.id } }];
    case 'AssignRule':
      return live ? assign(command) : ruleNotFound(command.assignment.rule_id);
    case 'UnassignRule':
      if (!live) return ruleNotFound(command.id);
      return command.existing ? [unassigned(command.existing)] : assignmentNotFound(command.assignmentId);
    default:
      return command satisfies never;
  }
};

/** What follows from several commands about one rule, each about another assignment; the first refusal refuses all. */
export const decideRules = (
  commands: readonly RuleCommand[],
  state: RuleState | undefined,
): ValidationRuleEvent[] | RuleRefusal => {
  const events: ValidationRuleEvent[] = [];
  for (const command of commands) {
    const decided = decideRule(command, state);
    if (isRefused(decided)) return decided;
    events.push(...decided);
  }
  return events;
};

/** Folds the stream `rule`. Total: returns undefined for events before the first one, never throws or decides. */
export const evolveRule = (
  state: RuleState | undefined,
  event: ValidationRuleEvent,
): RuleState | undefined => {
  switch (event.type) {
    case 'ValidationRuleCreated':
      return { rule: event.data.rule, assignments: 0, deleted: false };
    case 'ValidationRuleUpdated':
      return state && { ...state, rule: event.data.rule };
    case 'ValidationRuleAssigned':
      return state && { ...state, assignments: state.assignments + 1 };
    case 'ValidationRuleUnassigned':
      return state && { ...state, assignments: state.assignments - 1 };
    case 'ValidationRuleDeleted':
      return state && { ...state, deleted: true };
    default:
      return event satisfies never;
  }
};
