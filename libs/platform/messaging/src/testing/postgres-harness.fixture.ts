import type { EventStore } from '@scrip/event-store';
import type { DataSource } from 'typeorm';
import { eventStoreLogs } from '../postgres/event-store-logs';
import type { LogSource } from '../postgres/log-source';
import { PostgresEventTransport } from '../postgres/postgres-event-transport';
import type { AdapterHarness, Note, TransportInstance } from './adapter-harness.fixture';
import { type Decoding, killPool, shopAndStats, upcastersOf } from './shop-and-stats.fixture';

const twice = (logs: LogSource): LogSource => ({
  ...logs,
  async read(service, page) {
    const { entries, more } = await logs.read(service, { ...page, limit: Math.floor(page.limit / 2) });
    return { entries: [...entries, ...entries], more };
  },
});

export interface PostgresHarness extends AdapterHarness {
  store: EventStore;
  /** The producer's connections. */
  producer: DataSource;
  /** Publishes as another process would: no wake reaches this one. */
  foreignStore(): Promise<(notes: readonly Note[]) => Promise<void>>;
}

/** The bus of the embedded shape, between a producer and a consumer. */
export const postgresHarness = async (decoding: Decoding = { works: false }): Promise<PostgresHarness> => {
  const { store, shop, stats, topics, source, ...both } = await shopAndStats('shop', decoding);
  const [notes] = topics;
  let doubled = false;
  return {
    topics,
    database: stats,
    store,
    producer: shop,
    foreignStore: async () => {
      const append = await both.foreignAppend();
      return (all) => append(all, notes);
    },
    publish: (all, topic = notes) => both.append(all, topic),
    publishOld: (note) => both.appendOld(note, notes),
    publishUndecodable: (stream) => both.appendUndecodable(stream, notes),
    deliverTwice: () => void (doubled = true),
    connect: async ({ retries, mirror, stopTimeoutMs }): Promise<TransportInstance> => {
      const own = await source('stats');
      const logs = eventStoreLogs([{ store, database: shop }]);
      const transport = new PostgresEventTransport({
        logs: doubled ? twice(logs) : logs,
        databaseOf: () => own,
        upcastersOf: () => upcastersOf(decoding),
        retries,
        ...(mirror ? { mirror } : {}),
        ...(stopTimeoutMs === undefined ? {} : { stopTimeoutMs }),
        lockRetryMs: 20,
        rewindPollMs: 50,
      });
      const release = async (): Promise<void> => {
        if (own.isInitialized) await own.destroy();
      };
      const kill = async (): Promise<void> => {
        await killPool(own, stats);
        // Whatever still runs in this process finds no connection; it is ended so that the test can end.
        void transport.close();
      };
      return { transport, database: own, kill, release };
    },
    close: () => both.close(),
  };
};
