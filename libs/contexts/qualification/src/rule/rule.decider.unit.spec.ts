import type { RuleAssignmentSnapshot, ValidationRuleSnapshot } from '@scrip/contracts/qualification';
import { isRefused } from '@scrip/kernel';
import type { RuleCommand } from './rule.commands';
import { decideRule, evolveRule, type RuleState } from './rule.decider';

const rule: ValidationRuleSnapshot = {
  id: 'val_1',
  name: 'Large orders',
  rules: { logic: '' },
  error: null,
  applicable_to: { excluded: [], included: [], included_all: false },
  bundle_rules: null,
  type: 'expression',
  context_type: 'global',
  created_at: '2026-03-31T10:00:00.000Z',
  updated_at: null,
};
const { id: _, created_at: __, updated_at: ___, ...definition } = rule;

const assignment: RuleAssignmentSnapshot = {
  id: 'asgm_1',
  rule_id: 'val_1',
  related_object_type: 'campaign',
  related_object_id: 'camp_1',
  created_at: '2026-03-31T11:00:00.000Z',
};

const create: RuleCommand = { type: 'CreateRule', rule };
const assign: RuleCommand = { type: 'AssignRule', assignment, existing: null, force: false };
const remove: RuleCommand = { type: 'DeleteRule', id: 'val_1', assigned: [] };
const unassign: RuleCommand = {
  type: 'UnassignRule',
  id: 'val_1',
  assignmentId: 'asgm_1',
  existing: assignment,
};
const now = '2026-04-01T10:00:00.000Z';

const given = (...commands: RuleCommand[]): RuleState | undefined =>
  commands.reduce<RuleState | undefined>((state, command) => {
    const events = decideRule(command, state);
    if (isRefused(events)) throw new Error(events.details);
    return events.reduce<RuleState | undefined>(evolveRule, state);
  }, undefined);

const when = (command: RuleCommand, state: RuleState | undefined): string | string[] => {
  const decided = decideRule(command, state);
  return isRefused(decided) ? `${decided.refused}: ${decided.details}` : decided.map(({ type }) => type);
};

describe('a validation rule', () => {
  it('is created once under its id', () => {
    expect(when(create, undefined)).toEqual(['ValidationRuleCreated']);
    expect(when(create, given(create))).toEqual([]);
  });

  it('changes where something is different, and keeps when it was created', () => {
    const renamed: RuleCommand = {
      type: 'UpdateRule',
      id: 'val_1',
      definition: { ...definition, name: 'Small orders' },
      now,
    };
    expect(when({ type: 'UpdateRule', id: 'val_1', definition, now }, given(create))).toEqual([]);
    expect(given(create, renamed)?.rule).toEqual({ ...rule, name: 'Small orders', updated_at: now });
  });

  it('counts what obeys it', () => {
    expect(given(create, assign)?.assignments).toBe(1);
    expect(given(create, assign, unassign)?.assignments).toBe(0);
  });

  it('is assigned to an object once, unless the older assignment gives way', () => {
    const state = given(create, assign);
    const second = { ...assignment, id: 'asgm_2' };
    const again: RuleCommand = { type: 'AssignRule', assignment: second, existing: assignment, force: false };
    expect(when({ ...assign, existing: assignment }, state)).toEqual([]);
    expect(when(again, state)).toBe(
      'duplicate_found: Duplicated validation_rules_assignment exists with id asgm_1',
    );
    expect(when({ ...again, force: true }, state)).toEqual([
      'ValidationRuleUnassigned',
      'ValidationRuleAssigned',
    ]);
  });

  it('is deleted when nothing obeys it', () => {
    expect(when({ ...remove, assigned: [{ id: 'camp_1', type: 'campaign' }] }, given(create, assign))).toBe(
      'resource_in_use: Resource validation_rules with id val_1 is in use by objects with ids [camp_1]',
    );
    expect(when(remove, given(create, assign, unassign))).toEqual(['ValidationRuleDeleted']);
  });

  it.each<[string, RuleCommand, string]>([
    ['changed', { type: 'UpdateRule', id: 'val_1', definition, now }, 'validation_rules with id val_1'],
    ['deleted', remove, 'validation_rules with id val_1'],
    ['assigned', assign, 'validation_rules with id val_1'],
    ['taken off', unassign, 'validation_rules with id val_1'],
  ])('that does not exist is not %s', (_name, command, what) => {
    expect(when(command, undefined)).toBe(`not_found: Cannot find ${what}`);
    expect(when(command, given(create, remove))).toBe(`not_found: Cannot find ${what}`);
  });

  it('is not taken off an object that does not obey it', () => {
    expect(when({ ...unassign, existing: null }, given(create))).toBe(
      'not_found: Cannot find validation_rules_assignment with id asgm_1',
    );
  });

  it('goes with an object that it was made for and that never was, and with no other', () => {
    const made: RuleCommand = { ...create, made_for: 'camp_1' };
    const never: RuleCommand = { ...unassign, neverWas: true };
    const goes = ['ValidationRuleUnassigned', 'ValidationRuleDeleted'];
    expect(when(never, given(made, assign))).toEqual(goes);
    expect(when(unassign, given(made, assign))).toEqual(goes.slice(0, 1));
    expect(when(never, given(create, assign))).toEqual(goes.slice(0, 1));
    expect(when(never, given({ ...made, made_for: 'camp_2' }, assign))).toEqual(goes.slice(0, 1));
    const other: RuleCommand = {
      ...assign,
      assignment: { ...assignment, id: 'asgm_2', related_object_id: 'v_1' },
    };
    expect(when(never, given(made, assign, other))).toEqual(goes.slice(0, 1));
  });
});
