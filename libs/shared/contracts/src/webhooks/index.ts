export type {
  EndpointEvent,
  WebhookCreated,
  WebhookDeleted,
  WebhookDisabled,
  WebhookSnapshot,
  WebhookUpdated,
} from './endpoint.events';
export { type WebhooksPort, webhooksPort } from './webhooks.port';
