import type { MigrationClass } from '@scrip/event-store';

/** The schema of the context `gallery`. */
export const galleryMigrations: MigrationClass[] = [];
