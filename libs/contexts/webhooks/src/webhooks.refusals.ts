import type { RefusalTableOf } from '@scrip/edge';
import type { Refusal } from '@scrip/kernel';

/** What webhooks refuse with. */
export type WebhooksRefusalKey =
  | 'not_found'
  | 'duplicate_found'
  | 'invalid_payload'
  | 'invalid_query_params'
  | 'sendout_in_delivery'
  | 'webhook_inactive'
  | 'payload_expired';

/** A refusal of webhooks. */
export type WebhooksRefusal = Refusal<WebhooksRefusalKey>;

/** Status and message of each. Source: reference 06 §5. */
export const webhooksRefusals = {
  sendout_in_delivery: { status: 409, message: 'Sendout is being delivered' },
  webhook_inactive: { status: 409, message: 'Webhook is not active' },
  payload_expired: { status: 409, message: 'Payload is no longer stored' },
} satisfies RefusalTableOf<WebhooksRefusalKey>;
