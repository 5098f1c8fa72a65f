import { Logger } from '@nestjs/common';
import { type LogPosition, comparePositions } from '@scrip/event-store';
import type { Delivery } from '../feed/delivery';
import { errorText } from '../parking/parked-keys';
import { pause } from '../partition/pause';
import type { LogSource } from './log-source';

/** Receives what is new in a log: all entries behind `from` up to and with `to`. Answers whether it took them. */
export interface TailListener {
  offer(from: LogPosition, to: LogPosition, entries: readonly Delivery[]): boolean;
}

const pageSize = 500;
/** Reads begin at most this often: commits in between are read, and applied, together. Each read costs every consumer a
 *  transaction, so that this bounds what they take from writers. */
const readIntervalMs = 50;
/** A commit is readable once older transactions have ended; until then the wake is followed up, then the poll does. */
const followUpsMax = 3;
const retryMs = 1_000;

/** Reads the new end of one service's log once for all readers that have caught up with it. */
export class LogTail {
  private readonly log = new Logger(LogTail.name);
  private readonly listeners = new Set<TailListener>();
  private readonly stopping = new AbortController();
  private ringing: (() => void) | undefined;
  private rung = false;
  private running: Promise<void> | undefined;
  private failing = false;

  constructor(
    private readonly service: string,
    private readonly logs: LogSource,
    private reached: LogPosition,
  ) {}

  /** Everything up to here was offered to the listeners. */
  get position(): LogPosition {
    return this.reached;
  }

  /** Whether its last read failed: there may be more than it has offered. */
  get isBlind(): boolean {
    return this.failing;
  }

  start(): void {
    this.running = this.run();
  }

  listen(listener: TailListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** There may be something new. */
  wake(): void {
    this.rung = true;
    this.ringing?.();
  }

  /** The log's last readable event is at `head`. */
  sawHead(head: LogPosition): void {
    if (comparePositions(head, this.reached) > 0) this.wake();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.ringing?.();
    await this.running;
  }

  private async run(): Promise<void> {
    let followUps = 0;
    for (let goOn = false; !this.stopping.signal.aborted;) {
      if (!goOn) await this.ring();
      if (this.stopping.signal.aborted) return;
      const startedAt = performance.now();
      this.rung = false;
      try {
        const { entries, more } = await this.readOn();
        this.failing = false;
        followUps = entries === 0 && followUps < followUpsMax ? followUps + 1 : 0;
        goOn = more || followUps > 0;
        if (more) continue;
        await pause(readIntervalMs - (performance.now() - startedAt), this.stopping.signal);
      } catch (error) {
        this.failing = true;
        this.log.warn(`cannot read the log of ${this.service}: ${errorText(error)}`);
        await pause(retryMs, this.stopping.signal);
        goOn = true;
      }
    }
  }

  /** Offers the next page; returns how many entries it had, and whether there may be more. */
  private async readOn(): Promise<{ entries: number; more: boolean }> {
    const from = this.reached;
    const { entries, more } = await this.logs.read(this.service, { after: from, limit: pageSize });
    const to = entries.at(-1)?.position ?? from;
    this.reached = to;
    if (entries.length === 0) return { entries: 0, more };
    const takers = [...this.listeners].filter((listener) => listener.offer(from, to, entries));
    if (takers.length === 0 && more) await this.skipToHead();
    return { entries: entries.length, more };
  }

  /** All readers are far behind and read for themselves, so the pages in between are not needed. */
  private async skipToHead(): Promise<void> {
    const head = (await this.logs.heads()).get(this.service);
    if (!head || comparePositions(head, this.reached) <= 0) return;
    this.reached = head;
    // Who caught up with the old place meanwhile has to look again.
    for (const listener of this.listeners) listener.offer(head, head, []);
  }

  private ring(): Promise<void> {
    if (this.rung || this.stopping.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      this.ringing = () => {
        this.ringing = undefined;
        resolve();
      };
    });
  }
}
