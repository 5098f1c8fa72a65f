import type { ValidationRuleCreated, ValidationRuleUpdated } from '@scrip/contracts/qualification';
import { renderRule } from '@scrip/wire/qualification';
import { rendererOf } from '../renderer';

/** Kinds about validation rules: as the event tells them, without a count of assignments. Source: reference 06 §3. */
export const ruleRenderers = [
  rendererOf<ValidationRuleCreated>({
    kind: 'business_validation_rule.created',
    of: 'ValidationRuleCreated',
    render: ({ rule }) => ({
      entityId: rule.id,
      data: { rule: renderRule({ rule, assignments: 0 }), created_at: rule.created_at },
    }),
  }),
  rendererOf<ValidationRuleUpdated>({
    kind: 'business_validation_rule.updated',
    of: 'ValidationRuleUpdated',
    render: ({ rule }) => ({
      entityId: rule.id,
      data: { rule: renderRule({ rule, assignments: 0 }), updated_at: rule.updated_at },
    }),
  }),
];
