export { webhookKinds } from './public-events/kinds';
export { type SentKind, sentKinds } from './public-events/sent-kinds';
export { webhooksContext } from './webhooks.module';
