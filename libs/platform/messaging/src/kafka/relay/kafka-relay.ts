import { Logger } from '@nestjs/common';
import { type EventStore, type LogPosition, logStart } from '@scrip/event-store';
import type { Span } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import { beginEventSpans } from '../../consumer/event-spans';
import { errorText } from '../../parking/parked-keys';
import { pause } from '../../partition/pause';
import { FailuresInARow } from '../failures-in-a-row';
import type { KafkaSettings } from '../kafka-settings';
import { isRefusedMessage } from '../refused-message';
import { EventPublisher, type OutgoingEvent, outgoing } from './event-publisher';
import { LeaderBell } from './leader-bell';
import { LeaderLock, type Leadership } from './leader-lock';
import { RelayLog } from './relay-log';
import { type RelayMetrics, type RelayStatus, noRelayMetrics } from './relay-metrics';
import { NoLongerLeading, RelayPosition } from './relay-position';
import { WakeUps } from './wake-ups';
import { countUnpublished, lagBehind, noteUnpublished, storedPosition } from './unpublished-events';

export interface KafkaRelayOptions {
  store: EventStore;
  /** The DataSource of the store's schema, migrated with `messagingMigrations`. */
  database: DataSource;
  kafka: KafkaSettings;
  metrics?: RelayMetrics;
}

/** Events of one page, in sets that fit one request; `more`: there may be others behind them. */
interface OutgoingPage {
  batches: OutgoingEvent[][];
  events: number;
  more: boolean;
}

const pageSize = 1_000;
/** What a request holds, as a share of what a topic takes from one partition at once. */
const requestShare = 0.9;
const retryMs = { least: 100, most: 5_000 };
/** Between two looks, while nothing is to be published, whether the position was set back. */
const verifyMs = 1_000;
const stopPatienceMs = 5_000;

/** Publishes a service's log to its topics, in log order: one process of the service at a time, from where the last one
 *  stopped. While the brokers are away it waits; writers do not. An event is published at least once, and what
 *  is published twice has the same position. Source: architecture §6, reference 06 §9.1. */
export class KafkaRelay {
  private readonly log = new Logger(KafkaRelay.name);
  private readonly stopping = new AbortController();
  private readonly lock: LeaderLock;
  private readonly news: WakeUps;
  private readonly relayLog: RelayLog;
  private readonly metrics: RelayMetrics;
  private readonly requestBytesMax: number;
  private publisher: EventPublisher | undefined;
  private leading = false;
  private readonly unsubscribe: () => void;
  /** While this process leads, from when it knows its place. */
  private reached: LogPosition | undefined;
  private lastPublishedAt: string | null = null;
  private running: Promise<void> | undefined;

  constructor(private readonly options: KafkaRelayOptions) {
    const { store, database, kafka, metrics = noRelayMetrics } = options;
    this.lock = new LeaderLock(database, `relay ${store.service}`);
    this.news = new WakeUps(store);
    const bell = new LeaderBell(this.lock);
    this.unsubscribe = store.onCommit(() => {
      if (!this.leading) bell.ring();
    });
    this.relayLog = new RelayLog(store, database);
    this.metrics = metrics;
    this.requestBytesMax = kafka.messageBytesMax * requestShare;
  }

  /** Begins to stand for the lead. Needs neither the brokers nor the database to be there yet. */
  async start(): Promise<void> {
    this.running ??= this.run();
  }

  /** Lets what is being sent arrive, notes it, and gives the lead up; without an answer for 5 s it just ends. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.news.ring();
    const patience = new AbortController();
    await Promise.race([this.running, pause(stopPatienceMs, patience.signal)]);
    patience.abort();
    this.publisher?.cutOff();
    this.news.close();
    this.unsubscribe();
    await Promise.race([this.running, pause(stopPatienceMs, new AbortController().signal)]);
  }

  /** Lag and refusals, of this process or of the one that leads. Throws what the database throws. */
  async status(): Promise<RelayStatus> {
    const { store, database } = this.options;
    const stored = this.reached ?? (await storedPosition(database, store.service));
    const [lag, refused] = await Promise.all([
      lagBehind(database, stored ?? logStart),
      countUnpublished(database),
    ]);
    return {
      service: store.service,
      leading: this.leading,
      lagEvents: lag.events,
      lagSeconds: lag.seconds,
      lastPublishedAt: this.lastPublishedAt,
      refused,
    };
  }

  private async run(): Promise<void> {
    const { store } = this.options;
    while (!this.stopping.signal.aborted) {
      const leadership = await this.lock.acquire(this.stopping.signal);
      if (!leadership) return;
      const stopPublishing = (): void => this.publisher?.cutOff();
      leadership.lost.addEventListener('abort', stopPublishing);
      this.leading = true;
      this.log.log(`relays the events of ${store.service}`);
      await this.lead(leadership);
      this.leading = false;
      this.reached = undefined;
      leadership.lost.removeEventListener('abort', stopPublishing);
      await leadership.giveUp();
      if (!this.stopping.signal.aborted) this.log.warn(`relays the events of ${store.service} no longer`);
    }
  }

  /** Publishes until the lead is lost or the relay stops; never rejects. */
  private async lead(leadership: Leadership): Promise<void> {
    const lost = new AbortController();
    leadership.lost.addEventListener('abort', () => lost.abort());
    this.stopping.signal.addEventListener('abort', () => lost.abort(), { signal: lost.signal });
    if (this.stopping.signal.aborted || leadership.lost.aborted) lost.abort();
    let delayMs = retryMs.least;
    let position: RelayPosition | undefined;
    const failures = new FailuresInARow(this.log);
    let hears = false;
    while (!lost.signal.aborted) {
      try {
        if (!hears) await leadership.onTold(() => this.news.ring());
        if (!hears) this.news.ring(); // the leader before may have been told of what is not published yet
        hears = true;
        position ??= await RelayPosition.read(leadership, this.options.store.service);
        await this.publishFrom(position, lost.signal, () => {
          delayMs = retryMs.least;
          failures.over();
        });
      } catch (error) {
        if (lost.signal.aborted) break;
        failures.failed(`cannot relay the events of ${this.options.store.service}`, error);
        if (error instanceof NoLongerLeading) break;
        await pause(delayMs, lost.signal);
        delayMs = Math.min(delayMs * 2, retryMs.most);
      } finally {
        await this.discardPublisher();
      }
    }
    await position?.settled();
  }

  private async publishFrom(
    position: RelayPosition,
    ended: AbortSignal,
    goesWell: () => void,
  ): Promise<void> {
    const failure = new AbortController();
    const failed = (error: unknown): void => failure.abort(error);
    this.reached = position.position;
    let verifiedAt = performance.now();
    let reading = this.reading(position.position);
    while (!ended.aborted) {
      const { batches, events, more } = await reading;
      failure.signal.throwIfAborted();
      const last = batches.at(-1)?.at(-1)?.event.position;
      if (last === undefined) {
        goesWell();
        await this.news.next(ended);
        if (performance.now() - verifiedAt >= verifyMs) {
          await position.verify();
          verifiedAt = performance.now();
        }
        reading = this.reading(position.position);
        continue;
      }
      const ahead = more ? this.reading(last) : undefined;
      for (const batch of batches) {
        if (ended.aborted) return;
        await this.publish(batch, ended);
        const reached = batch.at(-1)?.event.position ?? position.position;
        position.moveTo(reached, failed);
        this.reached = reached;
        goesWell();
      }
      if (!ahead) await this.news.rest(events, ended);
      reading = ahead ?? this.reading(last);
    }
  }

  /** Begins to read. A failure is heard when it is awaited, and not at all where the lead ends before. */
  private reading(after: LogPosition): Promise<OutgoingPage> {
    const reading = this.read(after);
    reading.catch(() => undefined);
    return reading;
  }

  /** The next events, in sets that fit one request. */
  private async read(after: LogPosition): Promise<OutgoingPage> {
    const batches: OutgoingEvent[][] = [];
    let bytes = Number.POSITIVE_INFINITY;
    const page = await this.relayLog.read(after, pageSize);
    for (const event of page.events) {
      const next = outgoing(event);
      if (bytes + next.bytes > this.requestBytesMax) {
        batches.push([]);
        bytes = 0;
      }
      bytes += next.bytes;
      batches.at(-1)?.push(next);
    }
    return { batches, events: page.events.length, more: page.more };
  }

  /** Publishes a set; where the broker refuses it, its halves, until the refused event is alone and is noted. Throws also
   *  where `ended` aborts before all of it was sent. */
  private async publish(batch: readonly OutgoingEvent[], ended: AbortSignal): Promise<void> {
    const [first] = batch;
    if (!first) return;
    const startedAt = performance.now();
    try {
      this.publisher ??= new EventPublisher(this.options.kafka);
      // Throws instead of returning: the caller would note the whole set as sent, although a half of it was not.
      ended.throwIfAborted();
      await this.send(this.publisher, batch);
    } catch (error) {
      await this.discardPublisher();
      if (!isRefusedMessage(error)) throw error;
      if (batch.length === 1) return this.refused(first, error);
      const middle = Math.ceil(batch.length / 2);
      await this.publish(batch.slice(0, middle), ended);
      return this.publish(batch.slice(middle), ended);
    }
    this.lastPublishedAt = new Date().toISOString();
    this.metrics.published({
      service: this.options.store.service,
      events: batch.length,
      durationMs: performance.now() - startedAt,
      delayMs: Math.max(0, Date.now() - Date.parse(first.event.recordedAt)),
    });
  }

  private async send(publisher: EventPublisher, batch: readonly OutgoingEvent[]): Promise<void> {
    const span: Span = { name: `publish ${this.options.store.service}`, kind: 'PRODUCER' };
    const end = beginEventSpans(
      batch.map(({ event }) => event),
      span,
    );
    await publisher.send(batch).then(
      () => end(),
      (error: unknown) => {
        end(error);
        throw error;
      },
    );
  }

  private async refused(refused: OutgoingEvent, error: unknown): Promise<void> {
    await noteUnpublished(this.options.database, refused, error);
    const { event, topic, bytes } = refused;
    this.log.error(`event ${event.id} of ${bytes} bytes is not in ${topic}: ${errorText(error)}`);
    this.metrics.refused({ service: event.service, topic });
  }

  private async discardPublisher(): Promise<void> {
    const { publisher } = this;
    this.publisher = undefined;
    publisher?.cutOff();
  }
}
