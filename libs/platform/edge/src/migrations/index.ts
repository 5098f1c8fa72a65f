import type { MigrationClass } from '@scrip/event-store';
import { AnswersNameCustomers1800000002710 } from './answers-name-customers.migration';
import { CreateIdempotencyKeys1700000000200 } from './create-idempotency-keys.migration';

/** Tables of keyed commands, in the schema of each context. */
export const idempotencyMigrations: MigrationClass[] = [
  CreateIdempotencyKeys1700000000200,
  AnswersNameCustomers1800000002710,
];
