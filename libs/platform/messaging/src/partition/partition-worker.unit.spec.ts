import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { Consumer } from '../consumer/consumer';
import type { Delivery } from '../feed/delivery';
import { noMessagingMetrics } from '../messaging-metrics';
import { PartitionWorker } from './partition-worker';

Logger.overrideLogger(false);

const consumer: Consumer = {
  group: 'stats.notes',
  topic: 'scrip.shop.note.v1',
  context: 'stats',
  from: 'beginning',
  handle: async () => undefined,
};
const settings = {
  retries: { triesMs: [100, 1_000, 5_000], parkedMs: [60_000] },
  metrics: noMessagingMetrics,
};
const undecodable: Delivery = {
  undecodable: true,
  key: 'k',
  position: '1-700-1',
  raw: '',
  error: 'SyntaxError',
};

describe('a worker whose database takes nothing', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('waits between its tries to set an undecodable entry aside', async () => {
    let tries = 0;
    const database = {
      query: async (sql: string) =>
        sql.startsWith('SELECT position') ? [{ position: '0-0-0', recorded_at: null, parkings: '0' }] : [1],
      transaction: async () => {
        tries += 1;
        await new Promise((resolve) => setTimeout(resolve, 1));
        throw new Error('it does not fit');
      },
    } as unknown as DataSource;
    const worker = new PartitionWorker(consumer, 0, database, settings, () =>
      Promise.reject(new Error('no')),
    );
    const applied = worker.apply([undecodable]);
    await jest.advanceTimersByTimeAsync(20_000);
    expect(tries).toBe(4);
    await worker.stop();
    await applied;
  });
});
