import { Logger } from '@nestjs/common';
import { getEventListeners } from 'node:events';
import { GroupConsumer } from './group-consumer';
import type { KafkaClient } from './kafka-client';
import type { Reading } from './partition-reader';

Logger.overrideLogger(false);

const times = { sessionTimeoutMs: 10_000, heartbeatMs: 1_000, fetchWaitMs: 250 };

describe('a group without brokers', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('tries again and again, and leaves nothing behind of a try', async () => {
    let tries = 0;
    const consumer = () => ({
      events: { CRASH: 'crash', GROUP_JOIN: 'join' },
      on: () => undefined,
      connect: async () => {
        tries += 1;
        throw new Error('ECONNREFUSED');
      },
      disconnect: async () => undefined,
    });
    const client = { kafka: { consumer }, nameOf: (name: string) => name } as unknown as KafkaClient;
    const group = new GroupConsumer('stats.notes', [], client, times, {} as Reading);
    group.start();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(tries).toBeGreaterThan(10);
    const { signal } = (group as unknown as { stopping: AbortController }).stopping;
    // The pause before the next try.
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await group.close();
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});
