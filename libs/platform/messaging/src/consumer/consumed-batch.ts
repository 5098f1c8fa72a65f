import type { StoredEvent } from '@scrip/event-store';
import type { EntityManager } from 'typeorm';
import type { Consumer } from './consumer';
import type { EventBatch } from '../feed/event-batch';
import { beginEventSpans } from './event-spans';

/** One transaction in which `work` runs and the position moves. */
export type Transact = (work: (manager: EntityManager) => Promise<void>) => Promise<void>;

/** A batch on its way through a handler. */
export class ConsumedBatch implements EventBatch {
  readonly topic: string;
  readonly group: string;
  private commitment: Promise<void> | undefined;
  private ended = false;

  constructor(
    consumer: Pick<Consumer, 'topic' | 'group'>,
    readonly events: readonly StoredEvent[],
    readonly replayed: boolean,
    private readonly transact: Transact,
    /** Ends a batch that has no effect; by default a commit of nothing. */
    private readonly pass: (() => Promise<void>) | null = null,
  ) {
    this.topic = consumer.topic;
    this.group = consumer.group;
  }

  commit(work: (manager: EntityManager) => Promise<void>): Promise<void> {
    if (this.commitment) return Promise.reject(new Error(`a batch of ${this.group} was committed twice`));
    if (this.ended)
      return Promise.reject(new Error(`a batch of ${this.group} was committed after its handler ended`));
    this.commitment = this.transact(work);
    return this.commitment;
  }

  /** Runs the handler and, when it committed nothing, lets the batch pass. Rejects when either failed, and only after a commit under
   *  way has ended, so that a retry never overlaps it. */
  async through(handle: Consumer['handle']): Promise<void> {
    const end = beginEventSpans(this.events, {
      name: `consume ${this.topic}`,
      kind: 'CONSUMER',
      attributes: { 'scrip.group': this.group },
    });
    try {
      await this.handled(handle);
      end();
    } catch (error) {
      end(error);
      throw error;
    }
  }

  private async handled(handle: Consumer['handle']): Promise<void> {
    try {
      await handle(this);
    } catch (error) {
      this.ended = true;
      // The handler's error is the cause; the commit's own, if it failed too, is the same or follows from it.
      await this.commitment?.catch(() => undefined);
      throw error;
    }
    const passed = (): Promise<void> => this.pass?.() ?? this.commit(async () => undefined);
    await (this.commitment ?? passed());
    this.ended = true;
  }
}
