import { client, management, oauth, open, type RouteRow, servedBy, server } from './route-row';

const webhooks = '/management/v1/projects/{projectId}';

/** Every public route. A feature adds its lines; a test and the start of the application hold the table complete. */
export const publicRoutes: readonly RouteRow[] = [
  ...servedBy('auth', [
    oauth('POST /v1/oauth/token'),
    oauth('POST /v1/oauth/introspect'),
    oauth('POST /v1/oauth/token/revoke'),
  ]),

  ...servedBy('campaigns', [
    server('POST /v1/campaigns', 'campaigns'),
    server('GET /v1/campaigns', 'campaigns'),
    server('GET /v1/campaigns/{campaignId}', 'campaigns'),
    server('POST /v1/campaigns/{campaignId}/vouchers', 'campaigns'),
    server('POST /v1/campaigns/{campaignId}/vouchers/{code}', 'campaigns'),
    server('GET /v1/vouchers', 'vouchers'),
    server('GET /v1/vouchers/{code}', 'vouchers'),
    open('GET /v1/assets/qr/{id}'),
    open('GET /v1/assets/barcode/{id}'),
  ]),

  ...servedBy('operations', [
    server('GET /v1/async-actions', 'async-actions'),
    server('GET /v1/async-actions/{asyncActionId}', 'async-actions'),
  ]),

  ...servedBy('qualification', [
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
  ]),

  ...servedBy('webhooks', [
    management(`POST ${webhooks}/webhooks`),
    management(`GET ${webhooks}/webhooks`),
    management(`GET ${webhooks}/webhooks/{webhookId}`),
    management(`PUT ${webhooks}/webhooks/{webhookId}`),
    management(`DELETE ${webhooks}/webhooks/{webhookId}`),
    management(`GET ${webhooks}/webhook-sendouts`),
    management(`GET ${webhooks}/webhook-sendouts/{sendoutId}`),
    management(`POST ${webhooks}/webhook-sendouts/{sendoutId}/retry`),
    management(`POST ${webhooks}/webhook-token/rotate`, { secret: true }),
  ]),

  open('GET /healthz'),
  open('GET /readyz'),
  open('GET /metrics'),
  open('GET /openapi.json'),
  open('GET /docs'),
  open('GET /docs/{asset}'),
];
