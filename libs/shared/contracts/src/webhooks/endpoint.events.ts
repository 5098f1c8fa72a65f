/** Webhook endpoints of projects: one stream per endpoint. Source: reference 06 §9.2. */
export type EndpointEvent = WebhookCreated | WebhookUpdated | WebhookDeleted | WebhookDisabled;

/** A project's webhook endpoint; header values are secrets and stay out of events. Source: reference 06 §6.1. */
export interface WebhookSnapshot {
  /** `wh_…` */
  id: string;
  target_url: string;
  /** Kinds that are sent, or `*`. */
  events: string[];
  active: boolean;
  created_at: string;
}

/** An endpoint was added. */
export interface WebhookCreated {
  type: 'WebhookCreated';
  data: { webhook: WebhookSnapshot };
}

/** An endpoint was changed or switched. */
export interface WebhookUpdated {
  type: 'WebhookUpdated';
  data: {
    webhook: WebhookSnapshot;
    /** From when newly subscribed kinds are sent, by the database's clock. */
    updated_at: string;
  };
}

/** An endpoint was removed; nothing is sent to it any more. */
export interface WebhookDeleted {
  type: 'WebhookDeleted';
  data: {
    /** `wh_…` */
    webhook_id: string;
  };
}

/** An endpoint was switched off because its deliveries fail. */
export interface WebhookDisabled {
  type: 'WebhookDisabled';
  data: {
    /** `wh_…` */
    webhook_id: string;
    /** `retries_exhausted`: the schedule ended without a success. `gone`: the target answered 410. */
    cause: 'retries_exhausted' | 'gone';
  };
}
