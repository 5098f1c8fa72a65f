import type { MigrationClass } from '@scrip/event-store';
import { AddTraceToSendouts1795200000000 } from './add-trace-to-sendouts.migration';
import { CreateWebhooks1763700000000 } from './create-webhooks.migration';
import { PublicEventsNameCustomers1800000000600 } from './public-events-name-customers.migration';

/** The schema of the context `webhooks`. */
export const webhooksMigrations: MigrationClass[] = [
  CreateWebhooks1763700000000,
  AddTraceToSendouts1795200000000,
  PublicEventsNameCustomers1800000000600,
];
