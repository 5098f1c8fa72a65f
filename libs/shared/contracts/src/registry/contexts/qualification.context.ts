import type { RegisteredContext } from '../registered-context';
import { client, server } from '../route-row';
import { topic } from '../topic';

export const qualification = {
  name: 'qualification',
  owns: 'validations, redemptions, rollbacks, and the verdict on every redemption',
  topics: { redemption: topic('qualification', 'redemption') },
  routes: [
    server('POST /v1/validations', 'validations', { permission: 'validate' }),
    server('POST /v1/redemptions', 'redemptions', { permission: 'redeem' }),
    server('GET /v1/redemptions', 'redemptions'),
    server('GET /v1/redemptions/{redemptionId}', 'redemptions'),
    server('POST /v1/redemptions/{redemptionId}/rollback', 'redemptions'),
    server('POST /v1/redemptions/{parentRedemptionId}/rollbacks', 'redemptions'),

    client('POST /client/v1/validations', 'client_validations', { permission: 'validate' }),
    client('POST /client/v1/redemptions', 'client_redemptions', {
      permission: 'redeem',
      clientSwitch: 'client_redeem_enabled',
    }),
  ],
} as const satisfies RegisteredContext;
