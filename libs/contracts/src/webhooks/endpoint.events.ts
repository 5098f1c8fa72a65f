/** Stream `endpoint` (service webhooks). Source: spec 06 §9.2. */
export type EndpointEvent = WebhookCreated | WebhookUpdated | WebhookDeleted | WebhookDisabled;

/** A project's webhook endpoint; header values are secrets and stay out of events. Source: spec 06 §6.1. */
export interface WebhookSnapshot {
  id: string;
  target_url: string;
  events: string[];
  active: boolean;
  created_at: string;
}

export interface WebhookCreated {
  type: 'WebhookCreated';
  data: { webhook: WebhookSnapshot };
}

/** `updated_at`: from when newly subscribed kinds are sent, by the database's clock. */
export interface WebhookUpdated {
  type: 'WebhookUpdated';
  data: { webhook: WebhookSnapshot; updated_at: string };
}

export interface WebhookDeleted {
  type: 'WebhookDeleted';
  data: { webhook_id: string };
}

/** The schedule ended without a success, or the target answered 410. */
export interface WebhookDisabled {
  type: 'WebhookDisabled';
  data: { webhook_id: string; cause: 'retries_exhausted' | 'gone' };
}
