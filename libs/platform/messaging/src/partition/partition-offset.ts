import { Logger } from '@nestjs/common';
import { comparePositions, logStart } from '@scrip/event-store';
import type { DataSource, EntityManager } from 'typeorm';
import { type Delivery, isUndecodable, keyOf } from '../feed/delivery';
import { StaleBatch } from '../feed/event-batch';
import { errorText } from '../parking/parked-keys';
import {
  type PartitionOfGroup,
  type PositionRow,
  type Offset,
  movePosition,
  readPosition,
} from './partition-position';

/** How long a position that moved without an effect may stay in memory: after a crash those entries come again, and
 *  have no effect again. */
const passedFlushMs = 2_000;

const atLogStart: Offset = { position: logStart, recordedAt: null };

/** One worker's position row: what was read of it, what moved behind it in memory, and which keys are parked. */
export class PartitionOffset {
  private readonly log = new Logger(PartitionOffset.name);
  private row: PositionRow = { ...atLogStart, parkings: 0, parkedKeys: new Set() };
  /** At or behind the row: what came after it had no effect, so nothing had to be written yet. */
  private passed: Offset = atLogStart;
  /** The row may have been moved by a transaction whose end is unknown, or by another process. */
  private unsure = true;
  private timesRewound = 0;
  private flushing: NodeJS.Timeout | undefined;

  constructor(
    private readonly of: PartitionOfGroup,
    private readonly database: DataSource,
  ) {}

  /** Everything up to here is dealt with, as far as this process knows. */
  get reached(): Offset {
    return this.passed;
  }

  /** As it was read last; rises with each change of what is parked. */
  get parkings(): number {
    return this.row.parkings;
  }

  get rewinds(): number {
    return this.timesRewound;
  }

  /** The row is read again before the next batch. */
  doubt(): void {
    this.unsure = true;
  }

  async settle(): Promise<void> {
    if (this.unsure) await this.reread();
  }

  async reread(): Promise<void> {
    const before = this.row;
    this.row = await readPosition(this.database, this.of);
    this.unsure = false;
    if (this.row.position !== before.position) this.passed = this.row;
    if (comparePositions(this.row.position, before.position) < 0) this.timesRewound += 1;
  }

  /** Runs `work` in the transaction that moves the row. Throws `StaleBatch` when the row was moved meanwhile. */
  async transact(
    to: Offset,
    change: { parked: boolean },
    work: (manager: EntityManager) => Promise<void>,
  ): Promise<void> {
    const read = this.row;
    await this.database.transaction(async (manager) => {
      await movePosition(manager, this.of, read, to, change);
      await work(manager);
    });
    this.row = { ...read, ...to };
    this.passed = to;
  }

  /** Goes on without writing; the row follows with the next effect, or with `flush`, which is asked for soon. */
  passTo(to: Offset, flushSoon: () => void): void {
    this.passed = to;
    this.flushing ??= setTimeout(() => {
      this.flushing = undefined;
      flushSoon();
    }, passedFlushMs).unref();
  }

  async flush(): Promise<void> {
    if (this.passed.position === this.row.position) return;
    try {
      await movePosition(this.database.manager, this.of, this.row, this.passed, { parked: false });
      this.row = { ...this.row, ...this.passed };
    } catch (error) {
      this.unsure = true;
      if (error instanceof StaleBatch) return;
      this.log.warn(`${this.of.group} could not note its place in ${this.of.topic}: ${errorText(error)}`);
    }
  }

  /** Plans no more flushes by itself. */
  stop(): void {
    clearTimeout(this.flushing);
  }

  /** A key was parked in the transaction that moved the row. */
  addParked(key: string): void {
    const { parkings, parkedKeys } = this.row;
    this.row = { ...this.row, parkings: parkings + 1, parkedKeys: new Set(parkedKeys).add(key) };
  }

  isParked(entry: Delivery): boolean {
    const { parkedKeys } = this.row;
    // Mostly none is, and each entry is asked about.
    return parkedKeys.size > 0 && parkedKeys.has(keyOf(entry));
  }

  /** Drops what is at or below the position, and what comes again out of order: a relay may publish twice. */
  unapplied(entries: readonly Delivery[]): Delivery[] {
    let reached = this.passed.position;
    return entries.filter((entry) => {
      if (entry.position === null) return !this.isParked(entry);
      if (comparePositions(entry.position, reached) <= 0) return false;
      reached = entry.position;
      return true;
    });
  }

  /** The place behind the given entries. */
  behind(entries: readonly Delivery[]): Offset {
    const dated = entries.findLast((entry) => !isUndecodable(entry));
    return {
      position: entries.findLast(({ position }) => position !== null)?.position ?? this.passed.position,
      recordedAt: dated && !isUndecodable(dated) ? dated.recordedAt : this.passed.recordedAt,
    };
  }
}
