export { webhooksContext } from './webhooks.module';
