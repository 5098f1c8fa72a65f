import { EventStore, type LogPosition, type StoredEvent } from '@scrip/event-store';
import type { DataSource } from 'typeorm';
import { isTransient } from '../../transient-error';

/** The log as a relay reads it: an event that no upcaster can read is published as it was stored, so that it is
 *  parked where it is consumed, and holds nobody up. */
export class RelayLog {
  private readonly stored: EventStore;

  constructor(
    private readonly store: EventStore,
    database: DataSource,
  ) {
    // The same tables without upcasters.
    this.stored = new EventStore(store.service, database);
  }

  /** The next events after a position. Throws what the database throws. */
  async read(after: LogPosition, limit: number): Promise<StoredEvent[]> {
    try {
      return await this.store.readLog({ after, limit });
    } catch (error) {
      if (isTransient(error)) throw error;
      return this.readOneByOne(after, limit);
    }
  }

  private async readOneByOne(after: LogPosition, limit: number): Promise<StoredEvent[]> {
    const events: StoredEvent[] = [];
    let before = after;
    for (const event of await this.stored.readLog({ after, limit })) {
      events.push(await this.newestVersion(before, event));
      before = event.position;
    }
    return events;
  }

  private async newestVersion(before: LogPosition, event: StoredEvent): Promise<StoredEvent> {
    try {
      const [newest] = await this.store.readLog({ after: before, limit: 1 });
      return newest ?? event;
    } catch (error) {
      if (isTransient(error)) throw error;
      return event;
    }
  }
}
