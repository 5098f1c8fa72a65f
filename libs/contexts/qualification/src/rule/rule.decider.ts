import { isDeepStrictEqual } from 'node:util';
import type {
  RuleAssignmentSnapshot,
  ValidationRuleEvent,
  ValidationRuleSnapshot,
} from '@scrip/contracts/qualification';
import { isRefused, notFound, type Refusal, refuse } from '@scrip/kernel';
import type {
  AssignRule,
  CreateRule,
  DeleteRule,
  RuleCommand,
  UnassignRule,
  UpdateRule,
} from './rule.commands';

/** A rule as its stream tells it. `assignments`: how many objects obey it; the assignments are rows beside it. `made_for`: the
 *  object whose creation made it; absent: none. */
export interface RuleState {
  rule: ValidationRuleSnapshot;
  assignments: number;
  made_for?: string;
  deleted: boolean;
}

/** What rules refuse with. */
export type RuleRefusal = Refusal<
  | 'not_found'
  | 'duplicate_found'
  | 'resource_in_use'
  | 'multiple_requests'
  | 'invalid_payload'
  | 'invalid_validation_rules'
>;

/** What callers and errors call a rule, and an assignment. */
const ruleType = 'validation_rules';
const assignmentType = 'validation_rules_assignment';

/** Refuses an id that no rule of the project has. */
export const ruleNotFound = (id: string): Refusal<'not_found'> => notFound(ruleType, id);

/** Refuses an id that no assignment of the rule has. */
const assignmentNotFound = (id: string): Refusal<'not_found'> => notFound(assignmentType, id);

/** `object` stands for objects of several types. */
const commonTypeOf = (assigned: DeleteRule['assigned']): string => {
  const types = new Set(assigned.map(({ type }) => type));
  return types.size === 1 ? assigned[0]!.type : 'object';
};

const inUse = (id: string, assigned: DeleteRule['assigned']): Refusal<'resource_in_use'> =>
  refuse(
    'resource_in_use',
    `Resource ${ruleType} with id ${id} is in use by objects with ids [${assigned.map((one) => one.id).join(',')}]`,
    {
      resourceId: id,
      resourceType: ruleType,
      related_object_ids: assigned.map((one) => one.id),
      related_object_type: commonTypeOf(assigned),
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

/** A rule that was made for an object that never was goes with its last assignment. */
const unassign = (
  { rule, assignments, made_for }: RuleState,
  { existing, assignmentId, neverWas = false }: UnassignRule,
): ValidationRuleEvent[] | RuleRefusal => {
  if (!existing) return assignmentNotFound(assignmentId);
  const goes = neverWas && assignments === 1 && made_for === existing.related_object_id;
  return [
    unassigned(existing),
    ...(goes ? [{ type: 'ValidationRuleDeleted' as const, data: { rule_id: rule.id } }] : []),
  ];
};

const create = ({ rule, made_for }: CreateRule, state: RuleState | undefined): ValidationRuleEvent[] =>
  state
    ? []
    : [
        {
          type: 'ValidationRuleCreated',
          data: { rule, ...(made_for === undefined ? {} : { made_for }) },
        },
      ];

/** What follows from a command; an empty list where it changes nothing. Deletion is final. Refuses `not_found` (rule,
 *  assignment), `resource_in_use` for the deletion of a rule that something obeys, and `duplicate_found` for a second
 *  assignment to one object. Source: reference 02 §5. */
export const decideRule = (
  command: RuleCommand,
  state: RuleState | undefined,
): ValidationRuleEvent[] | RuleRefusal => {
  if (command.type === 'CreateRule') return create(command, state);
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
      return live ? unassign(live, command) : ruleNotFound(command.id);
    default:
      return command satisfies never;
  }
};

/** What follows from several commands about one rule, one after another; the first refusal refuses all. */
export const decideRules = (
  commands: readonly RuleCommand[],
  state: RuleState | undefined,
): ValidationRuleEvent[] | RuleRefusal => {
  const events: ValidationRuleEvent[] = [];
  let current = state;
  for (const command of commands) {
    const decided = decideRule(command, current);
    if (isRefused(decided)) return decided;
    events.push(...decided);
    current = decided.reduce(evolveRule, current);
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
      return {
        rule: event.data.rule,
        assignments: 0,
        ...(event.data.made_for === undefined ? {} : { made_for: event.data.made_for }),
        deleted: false,
      };
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
