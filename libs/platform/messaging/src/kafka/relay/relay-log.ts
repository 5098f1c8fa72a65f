import { EventStore, type LogPage, type LogPosition, type StoredEvent } from '@scrip/event-store';
import type { DataSource } from 'typeorm';
import { isTransient } from '../../partition/transient-error';
import { pageBytesMax } from '../../postgres/log-source';

/** The log as a relay reads it: an event that no upcaster can read is published as it was stored, so that it is
 *  parked where it is consumed, and delays no other event. */
export class RelayLog {
  constructor(
    private readonly store: EventStore,
    private readonly database: DataSource,
  ) {}

  /** The next events after a position, and whether there may be more: at most `limit`, and about `pageBytesMax` of them.
   *  Throws what the database throws. */
  async read(after: LogPosition, limit: number): Promise<LogPage> {
    try {
      return await this.store.readPage({ after, limit, maxBytes: pageBytesMax });
    } catch (error) {
      if (isTransient(error)) throw error;
      return this.readOneByOne(after, limit);
    }
  }

  private async readOneByOne(after: LogPosition, limit: number): Promise<LogPage> {
    const events: StoredEvent[] = [];
    let before = after;
    // The same tables without upcasters.
    const stored = new EventStore(this.store.service, this.database);
    const page = await stored.readPage({ after, limit, maxBytes: pageBytesMax });
    for (const event of page.events) {
      events.push(await this.newestVersion(before, event));
      before = event.position;
    }
    return { events, more: page.more };
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
