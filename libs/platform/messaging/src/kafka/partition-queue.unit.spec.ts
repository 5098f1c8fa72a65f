import type { StoredEvent } from '@scrip/event-store';
import { MemoryBudget } from './memory-budget';
import { PartitionQueue, type QueuedDelivery } from './partition-queue';

const entries = (count: number, bytes: number, from = 0): QueuedDelivery[] =>
  Array.from({ length: count }, (_, index) => ({
    delivery: { recordedAt: `2026-03-31T10:00:0${index % 10}.000Z` } as StoredEvent,
    offset: BigInt(from + index),
    bytes,
  }));

const takeAll = (queue: PartitionQueue): void => {
  while (!queue.isEmpty) {
    queue.take(500);
    queue.done();
  }
};

describe('a queue of fetched entries', () => {
  it('is full at 4,000 entries, and low below 2,000', () => {
    const queue = new PartitionQueue(new MemoryBudget(1e9));
    queue.push(entries(3_999, 100));
    expect(queue.isFull).toBe(false);
    queue.push(entries(1, 100));
    expect(queue.isFull).toBe(true);
    queue.take(2_000);
    queue.done();
    expect([queue.isFull, queue.isLow]).toEqual([false, false]);
    queue.take(1);
    queue.done();
    expect(queue.isLow).toBe(true);
  });

  it('is full at 2 MB, whose bytes count until they are dealt with', () => {
    const queue = new PartitionQueue(new MemoryBudget(1e9));
    queue.push(entries(20, 100_000));
    expect(queue.isFull).toBe(true);
    queue.take(11);
    expect([queue.isFull, queue.isLow]).toEqual([true, false]);
    queue.done();
    expect([queue.isFull, queue.isLow]).toEqual([false, true]);
  });

  it('is full with anything in it when all queues together are too large, and never when it is empty', () => {
    const budget = new MemoryBudget(1_000);
    const [one, other] = [new PartitionQueue(budget), new PartitionQueue(budget)];
    one.push(entries(2, 501));
    expect([one.isFull, one.isLow, other.isFull, other.isLow]).toEqual([true, false, false, true]);
    other.push(entries(1, 1));
    expect(other.isFull).toBe(true);
    takeAll(one);
    expect([other.isFull, other.isLow]).toEqual([false, true]);
  });

  it('tells what waits longest, also while it is being applied', () => {
    const queue = new PartitionQueue(new MemoryBudget(1e9));
    expect([queue.oldestOffset, queue.oldestRecordedAt]).toEqual([undefined, null]);
    queue.push(entries(3, 1, 7));
    queue.take(1);
    expect([queue.oldestOffset, queue.oldestRecordedAt]).toEqual([7n, '2026-03-31T10:00:00.000Z']);
    queue.done();
    expect([queue.oldestOffset, queue.oldestRecordedAt]).toEqual([8n, '2026-03-31T10:00:01.000Z']);
    queue.clear();
    expect(queue.oldestOffset).toBeUndefined();
  });

  it('gives its bytes back when it is cleared', () => {
    const budget = new MemoryBudget(100);
    const queue = new PartitionQueue(budget);
    queue.push(entries(1, 101));
    expect(budget.exceeded).toBe(true);
    queue.clear();
    expect(budget.exceeded).toBe(false);
  });
});
