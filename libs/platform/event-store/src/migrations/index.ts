import type { MigrationInterface } from 'typeorm';
import { CreateEventStore1700000000000 } from './create-event-store.migration';
import { EventsKeepJsonText1700000000010 } from './events-keep-json-text.migration';

/** A class that TypeORM can run as a migration. */
export type MigrationClass = new () => MigrationInterface;

/** The event store's own migrations; they run first in each context's schema. */
export const eventStoreMigrations: MigrationClass[] = [
  CreateEventStore1700000000000,
  EventsKeepJsonText1700000000010,
];
