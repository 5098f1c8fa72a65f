import type { ValidationRuleEvent } from '@scrip/contracts/qualification';
import type { AggregateDefinition } from '@scrip/event-store';
import { namesOfRule } from '../naming/names-of-rule';
import { evolveRule, type RuleState } from './rule.decider';

/** Stream `rule`; table `validation_rules`. */
export const ruleAggregate: AggregateDefinition<RuleState, ValidationRuleEvent> = {
  aggregate: 'rule',
  table: 'validation_rules',
  evolve: evolveRule,
  columns: {
    name: { type: 'text', of: ({ rule }) => rule.name },
    names: { type: 'text[]', of: ({ rule, deleted }) => (deleted ? [] : namesOfRule(rule)) },
    deleted: { type: 'boolean', of: ({ deleted }) => deleted },
    created_at: { type: 'timestamptz', of: ({ rule }) => rule.created_at },
    updated_at: { type: 'timestamptz', of: ({ rule }) => rule.updated_at },
  },
};
