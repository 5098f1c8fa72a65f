import type { RegisteredContext } from '../registered-context';
import { client, server } from '../route-row';
import { topic } from '../topic';

export const qualification = {
  name: 'qualification',
  owns: 'validation rules and their assignments, qualifications, validations, redemptions, rollbacks, and the verdict on every redemption',
  topics: { redemption: topic('qualification', 'redemption'), rule: topic('qualification', 'rule') },
  routes: [
    server('POST /v1/validations', 'validations', { permission: 'validate' }),
    server('POST /v1/explanations', 'validations', { permission: 'validate' }),
    server('POST /v1/qualifications', 'qualifications', { permission: 'validate' }),
    server('POST /v1/campaigns/qualification', 'campaigns', { permission: 'validate' }),
    server('POST /v1/vouchers/qualification', 'vouchers', { permission: 'validate' }),
    server('POST /v1/redemptions', 'redemptions', { permission: 'redeem' }),
    server('GET /v1/redemptions', 'redemptions'),
    server('GET /v1/redemptions/{redemptionId}', 'redemptions'),
    server('POST /v1/redemptions/{redemptionId}/rollback', 'redemptions'),
    server('POST /v1/redemptions/{parentRedemptionId}/rollbacks', 'redemptions'),

    server('POST /v1/validation-rules', 'validation-rules'),
    server('GET /v1/validation-rules', 'validation-rules'),
    server('GET /v1/validation-rules/{validationRuleId}', 'validation-rules'),
    server('PUT /v1/validation-rules/{validationRuleId}', 'validation-rules'),
    server('DELETE /v1/validation-rules/{validationRuleId}', 'validation-rules'),
    server('POST /v1/validation-rules/{validationRuleId}/assignments', 'validation-rules-assignments'),
    server('GET /v1/validation-rules/{validationRuleId}/assignments', 'validation-rules-assignments'),
    server(
      'DELETE /v1/validation-rules/{validationRuleId}/assignments/{assignmentId}',
      'validation-rules-assignments',
    ),
    server('GET /v1/validation-rules-assignments', 'validation-rules-assignments'),

    server('POST /v1/vouchers/{code}/validate', 'vouchers', { permission: 'validate' }),
    server('POST /v1/vouchers/{code}/redemption', 'vouchers', { permission: 'redeem' }),
    server('GET /v1/vouchers/{code}/redemption', 'vouchers'),
    server('GET /v1/vouchers/{code}/redemptions', 'vouchers'),

    server('POST /v1/promotions/validation', 'promotions', { permission: 'validate' }),
    server('POST /v1/promotions/tiers/{promotionTierId}/validation', 'promotions', {
      permission: 'validate',
    }),
    server('POST /v1/promotions/tiers/{promotionTierId}/redemption', 'promotions', { permission: 'redeem' }),

    client('POST /client/v1/validations', 'client_validations', { permission: 'validate' }),
    client('GET /client/v1/validate', 'client_validate', { permission: 'validate' }),
    client('POST /client/v1/redeem', 'client_redeem', {
      permission: 'redeem',
      clientSwitch: 'client_redeem_enabled',
    }),
    client('POST /client/v1/qualifications', 'client_qualifications', { permission: 'validate' }),
    client('POST /client/v1/redemptions', 'client_redemptions', {
      permission: 'redeem',
      clientSwitch: 'client_redeem_enabled',
    }),
  ],
} as const satisfies RegisteredContext;
