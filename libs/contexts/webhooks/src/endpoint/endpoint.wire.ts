import type { WebhookSnapshot } from '@scrip/contracts/webhooks';

/** A webhook endpoint as management shows it; its headers are secrets and never shown. Source: reference 06 §6.1. */
export const renderWebhook = ({ id, created_at, target_url, events, active }: WebhookSnapshot) => ({
  id,
  object: 'webhook' as const,
  created_at,
  target_url,
  events,
  active,
});

/** What `renderWebhook` makes. */
export type WebhookResponse = ReturnType<typeof renderWebhook>;
