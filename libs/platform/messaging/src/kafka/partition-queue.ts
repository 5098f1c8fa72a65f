import type { Delivery } from '../feed/delivery';
import { isUndecodable } from '../feed/delivery';
import type { MemoryBudget } from './memory-budget';

/** A delivery, and what it is in its partition. */
export interface QueuedDelivery {
  delivery: Delivery;
  offset: bigint;
  bytes: number;
}

/** Above these a partition fetches no more, below the lower ones it fetches again. A partition that waits for a fetch
 *  under way for others needs something to do meanwhile. */
const marks = { entriesHigh: 4_000, bytesHigh: 2_000_000, entriesLow: 2_000, bytesLow: 1_000_000 };

/** Fetched entries of one partition that wait for its worker. */
export class PartitionQueue {
  private waiting: QueuedDelivery[] = [];
  private taken: readonly QueuedDelivery[] = [];
  private bytes = 0;

  constructor(private readonly budget: MemoryBudget) {}

  /** Whether no more should be fetched. */
  get isFull(): boolean {
    if (this.waiting.length > 0 && this.budget.exceeded) return true;
    return this.waiting.length >= marks.entriesHigh || this.bytes >= marks.bytesHigh;
  }

  /** Whether more should be fetched after it was full. */
  get isLow(): boolean {
    if (this.waiting.length > 0 && this.budget.exceeded) return false;
    return this.waiting.length < marks.entriesLow && this.bytes < marks.bytesLow;
  }

  get isEmpty(): boolean {
    return this.size === 0;
  }

  /** Entries that wait to be taken. */
  get size(): number {
    return this.waiting.length;
  }

  /** The offset of the first entry that is not dealt with; undefined when all are. */
  get oldestOffset(): bigint | undefined {
    return (this.taken[0] ?? this.waiting[0])?.offset;
  }

  /** When the oldest dated entry that waits was appended. ISO. */
  get oldestRecordedAt(): string | null {
    for (const { delivery } of this.taken) if (!isUndecodable(delivery)) return delivery.recordedAt;
    for (const { delivery } of this.waiting) if (!isUndecodable(delivery)) return delivery.recordedAt;
    return null;
  }

  push(entries: readonly QueuedDelivery[]): void {
    for (const entry of entries) this.waiting.push(entry);
    this.count(entries, 1);
  }

  /** Takes the next entries; they count as waiting until `done`. */
  take(limit: number): Delivery[] {
    this.taken = this.waiting.splice(0, limit);
    return this.taken.map(({ delivery }) => delivery);
  }

  done(): void {
    this.count(this.taken, -1);
    this.taken = [];
  }

  clear(): void {
    this.count(this.waiting, -1);
    this.waiting = [];
  }

  private count(entries: readonly QueuedDelivery[], sign: 1 | -1): void {
    const bytes = sign * entries.reduce((sum, entry) => sum + entry.bytes, 0);
    this.bytes += bytes;
    this.budget.add(bytes);
  }
}
