import { FrozenEvents } from '@scrip/testing';
import { join } from 'node:path';
import { ruleAggregate } from './rule.aggregate';

const frozen = new FrozenEvents(join(__dirname, 'fixtures'), ruleAggregate);

test('events of each version of each type are frozen', () => {
  expect(
    frozen.problems([
      'ValidationRuleCreated',
      'ValidationRuleUpdated',
      'ValidationRuleDeleted',
      'ValidationRuleAssigned',
      'ValidationRuleUnassigned',
    ]),
  ).toEqual([]);
});

test('stored events of a rule are read as they were meant', () => {
  expect(frozen.folded('ValidationRuleCreated', 'ValidationRuleAssigned', 'ValidationRuleUpdated')).toEqual({
    rule: {
      id: 'val_1',
      name: 'Small orders',
      rules: { '1': { name: 'order.amount', conditions: { $more_than: [5000] }, rules: {} }, logic: '1' },
      error: null,
      applicable_to: { excluded: [], included: [], included_all: false },
      bundle_rules: null,
      type: 'expression',
      context_type: 'global',
      created_at: '2026-03-31T10:00:00.000Z',
      updated_at: '2026-04-01T10:00:00.000Z',
    },
    assignments: 1,
    deleted: false,
  });
  expect(
    frozen.folded(
      'ValidationRuleCreated',
      'ValidationRuleAssigned',
      'ValidationRuleUnassigned',
      'ValidationRuleDeleted',
    ),
  ).toMatchObject({ assignments: 0, deleted: true });
});
