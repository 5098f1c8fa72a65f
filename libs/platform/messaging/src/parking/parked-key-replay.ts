import type { StoredEvent } from '@scrip/event-store';
import type { DataSource } from 'typeorm';
import { ConsumedBatch } from '../consumer/consumed-batch';
import type { Consumer } from '../consumer/consumer';
import type { Decode } from '../feed/delivery';
import { StaleBatch } from '../feed/event-batch';
import {
  type ParkedEvent,
  type ParkedKey,
  errorText,
  parkedEvents,
  recordFailure,
  removeApplied,
} from './parked-keys';
import { type PartitionOfGroup, lockPosition } from '../partition/partition-position';
import { inNewestVersion } from '../feed/newest-version';
import { holdMs, nextAttempt } from '../partition/retry-schedule';
import type { WorkerSettings } from '../partition/worker-settings';
import { isTransient } from '../partition/transient-error';

/** What trying a parked key again came to. */
export interface ReplayedKey {
  key: string;
  /** Events that took effect now. */
  applied: number;
  /** Failures in a row that count: faults don't. */
  attempts: number;
  /** Why the rest still waits; absent when nothing does. */
  error?: string;
}

/** What is read, and handed to the handler, at once. */
const pageMax = { events: 500, bytes: 2_000_000 };

/** Gives waiting events of parked keys to the handler again. Each leaves `parked_events` in the transaction of its
 *  effect, so two replays at once apply nothing twice. */
export class ParkedKeyReplay {
  constructor(
    private readonly consumer: Consumer,
    private readonly of: PartitionOfGroup,
    private readonly database: DataSource,
    private readonly decode: Decode,
    private readonly settings: Pick<WorkerSettings, 'retries' | 'upcastersOf'>,
  ) {}

  /** Applies as many of the key's events as succeed, in order, and notes the failure of the first that does not. A fault
   *  doesn't count as an attempt: the key is due again soon. Throws only when the failure cannot be noted. */
  async replay({ key, attempts, state }: ParkedKey): Promise<ReplayedKey> {
    let applied = 0;
    const count = (events: number): void => void (applied += events);
    try {
      for (;;) {
        const page = await parkedEvents(this.database, this.of, key, pageMax);
        if (page.length === 0) return { key, applied, attempts };
        await this.applyPage(key, page, count);
      }
    } catch (error) {
      if (error instanceof StaleBatch) return { key, applied, attempts };
      const text = errorText(error);
      const counted = attempts + (isTransient(error) ? 0 : 1);
      const next = isTransient(error)
        ? { state, delayMs: holdMs(this.settings.retries) }
        : nextAttempt(this.settings.retries, counted);
      await recordFailure(this.database, this.of, { key, error: text, attempts: counted, next });
      return { key, applied, attempts: counted, error: text };
    }
  }

  private async applyPage(
    key: string,
    page: readonly ParkedEvent[],
    count: (events: number) => void,
  ): Promise<void> {
    try {
      await this.apply(key, page);
      return count(page.length);
    } catch (error) {
      if (page.length === 1 || error instanceof StaleBatch) throw error;
      // One of them fails: those before it still take effect.
    }
    for (const event of page) {
      await this.apply(key, [event]);
      count(1);
    }
  }

  private async apply(key: string, page: readonly ParkedEvent[]): Promise<void> {
    const events = await Promise.all(page.map((event) => this.eventOf(event)));
    const ids = page.map(({ id }) => id);
    const batch = new ConsumedBatch(this.consumer, events, true, (work) =>
      this.database.transaction(async (manager) => {
        await lockPosition(manager, this.of);
        await removeApplied(manager, this.of, key, ids);
        await work(manager);
      }),
    );
    await batch.through((given) => this.consumer.handle(given));
  }

  private async eventOf({ decoded, content }: ParkedEvent): Promise<StoredEvent> {
    const event = decoded ? (JSON.parse(content) as StoredEvent) : await this.decode(content);
    return inNewestVersion(event, this.of.topic, this.settings.upcastersOf);
  }
}
