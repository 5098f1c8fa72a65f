export { webhookKinds } from './public-events/kinds';
export { sentKinds } from './public-events/sent-kinds';
export { webhooksContext } from './webhooks.module';
