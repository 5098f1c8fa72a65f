import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import type { Refusal } from '@scrip/kernel';
import { isObservable, lastValueFrom } from 'rxjs';
import { type Consumer, contextOfGroup } from './consumer';
import { CONSUMES, type ConsumesOptions, EVENT_BUS } from './consumes.decorator';
import type { EventBatch } from '../feed/event-batch';
import type { EventFeed } from '../feed/event-feed';
import type { ConsumerStatus } from '../messaging-metrics';
import { PartitionWorkers, type Replayed, type WorkersOptions } from '../partition/partition-workers';
import { pause } from '../partition/pause';
import type { Rebuilt } from '../rebuild/rebuild';

export interface EventTransportOptions extends WorkersOptions {
  feed: EventFeed;
  /** How long `close` waits for running batches, and then for the adapter; 10 s unless given. */
  stopTimeoutMs?: number;
}

/** Nest's end of the event bus: gathers the `@Consumes` handlers of an application and lets an adapter feed them.
 *  Connect it with `app.connectMicroservice({ strategy })`. Source: architecture §6. */
export class EventTransport extends Server implements CustomTransportStrategy {
  override readonly transportId = EVENT_BUS;
  override readonly propagatesEventHandlerErrors = true;
  private readonly consumers = new Map<string, Consumer>();
  private readonly workers: PartitionWorkers;

  constructor(private readonly options: EventTransportOptions) {
    super();
    this.workers = new PartitionWorkers(() => [...this.consumers.values()], options.feed, options);
  }

  /** Called by Nest for each handler. Throws `Error` when two handlers of one group take the same topic. */
  override addHandler(
    topic: string,
    callback: MessageHandler,
    _isEvent?: boolean,
    extras?: Record<string, unknown>,
  ) {
    const options = extras?.[CONSUMES] as ConsumesOptions | undefined;
    if (!options) return; // A plain Nest message handler: not ours to serve.
    const { group, from = 'beginning', fills } = options;
    const place = `${group} ${topic}`;
    if (this.consumers.has(place)) throw new Error(`${group} consumes ${topic} twice`);
    const handle = async (batch: EventBatch): Promise<void> => {
      const result: unknown = await callback(batch);
      if (isObservable(result)) await lastValueFrom(result, { defaultValue: undefined });
    };
    const context = contextOfGroup(group);
    this.consumers.set(place, { group, topic, context, from, handle, ...(fills ? { fills } : {}) });
  }

  listen(callback: (error?: unknown) => void): void {
    this.options.feed.start([...this.consumers.values()], this.workers).then(() => callback(), callback);
  }

  /** Fetches no more, lets running batches end, gives up what the adapter holds; each for `stopTimeoutMs` at most. */
  async close(): Promise<void> {
    this.options.feed.stopFetching();
    await this.inTime(this.workers.closeAll(), 'a batch');
    await this.inTime(this.options.feed.close(), 'the adapter');
  }

  /** Tries parked keys again now; see `PartitionWorkers.replayParked`. */
  replayParked(which: { group: string; topic?: string; key?: string }): Promise<Replayed[] | Refusal> {
    return this.workers.replayParked(which);
  }

  /** Rebuilds a group's tables from the logs; see `PartitionWorkers.rebuild`. */
  rebuild(group: string): Promise<Rebuilt | Refusal> {
    return this.workers.rebuild(group);
  }

  /** Positions, lag and parked counts, for gauges and operators. */
  consumerStatus(): Promise<ConsumerStatus[]> {
    return this.workers.status();
  }

  /** Nest's events of a transport: there are none. */
  on(): void {}

  /** The adapter. */
  unwrap<T>(): T {
    return this.options.feed as T;
  }

  private async inTime(work: Promise<void>, what: string): Promise<void> {
    const ended = new AbortController();
    const late = pause(this.options.stopTimeoutMs ?? 10_000, ended.signal).then(() => false);
    const inTime = await Promise.race([work.then(() => true), late]);
    ended.abort();
    if (!inTime) this.logger.warn(`${what} did not end in time; what it has open is left to the database`);
  }
}
