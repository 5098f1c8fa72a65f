import type { MigrationClass } from '@scrip/event-store';
import { KafkaTables1700000000110 } from './kafka-tables.migration';
import { MessagingTables1700000000100 } from './messaging-tables.migration';

/** The migrations that every context's schema needs before its consumers and its relay start, in their order. */
export const messagingMigrations: MigrationClass[] = [MessagingTables1700000000100, KafkaTables1700000000110];
