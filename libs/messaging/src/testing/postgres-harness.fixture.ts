import { type EventData, EventStore, eventStoreMigration, stateTableColumns } from '@scrip/event-store';
import { type ProjectContext, internalContext } from '@scrip/kernel';
import { createDatabase, dropDatabase } from '@scrip/testing';
import { DataSource } from 'typeorm';
import type { Delivery } from '../delivery';
import { messagingMigration } from '../messaging.migration';
import { eventStoreLogs } from '../postgres/event-store-logs';
import type { LogSource } from '../postgres/log-source';
import { PostgresEventTransport } from '../postgres/postgres-event-transport';
import {
  type AdapterHarness,
  type Note,
  type TransportInstance,
  createNoted,
} from './adapter-harness.fixture';

const project: ProjectContext = {
  id: 'proj_1',
  name: 'Shop',
  timezone: 'UTC',
  currency: 'EUR',
  caseSensitiveCodes: true,
  apiVersion: '2018-08-01',
  webhookVersion: 'v2024-01-01',
  cluster: 'eu1',
};

interface Noted extends EventData {
  data: Note & { broken?: true };
}

/** Bookkeeping of the doubles: whether `broken` events can be read. */
export interface Decoding {
  works: boolean;
}

/** The step to version 2, which fails until decoding works. */
const stepOf =
  (decoding: Decoding) =>
  (data: Record<string, unknown>): Record<string, unknown> => {
    if (!decoding.works) throw new TypeError('broken note');
    return data;
  };

const definitionOf = (aggregate: string, decoding: Decoding | null) => ({
  aggregate,
  table: `${aggregate}s`,
  evolve: (_state: object | undefined, { data }: Noted): object => ({ number: data.number }),
  columns: {},
  ...(decoding ? { upcasters: { NoteBroken: [stepOf(decoding)] } } : {}),
});

const twice = (logs: LogSource): LogSource => ({
  ...logs,
  async read(service, page): Promise<Delivery[]> {
    const entries = await logs.read(service, { ...page, limit: Math.floor(page.limit / 2) });
    return [...entries, ...entries];
  },
});

export interface PostgresHarness extends AdapterHarness {
  store: EventStore;
  /** The producer's connections. */
  producer: DataSource;
  /** Publishes as another process would: no wake reaches this one. */
  foreignStore(): Promise<(notes: readonly Note[]) => Promise<void>>;
}

/** A producer `shop` and a consumer `stats`, a schema each in a database of their own. */
export const postgresHarness = async (decoding: Decoding = { works: false }): Promise<PostgresHarness> => {
  const url = await createDatabase('messaging');
  const connections: DataSource[] = [];
  const source = async (schema: string, extra: { max?: number } = {}): Promise<DataSource> => {
    const dataSource = new DataSource({
      type: 'postgres',
      url,
      schema,
      migrations: schema === 'shop' ? [eventStoreMigration] : [messagingMigration],
      extra: { max: 5, options: `-c search_path=${schema}`, ...extra },
    });
    connections.push(dataSource);
    return dataSource.initialize();
  };
  const admin = await source('public');
  await admin.query('CREATE SCHEMA shop; CREATE SCHEMA stats');
  const shop = await source('shop');
  const stats = await source('stats');
  await shop.runMigrations();
  await stats.runMigrations();
  for (const table of ['notes', 'parcels']) await shop.query(`CREATE TABLE ${table} (${stateTableColumns})`);
  await stats.query(createNoted);

  const store = new EventStore('shop', shop);
  await store.start();
  const aggregatesOf = (owner: EventStore, reads: Decoding | null) =>
    new Map(
      ['note', 'parcel'].map((aggregate) => [
        `scrip.shop.${aggregate}.v1`,
        owner.aggregate<object, Noted>(definitionOf(aggregate, reads)),
      ]),
    );
  const appendTo = (owner: EventStore, reads: Decoding | null) => {
    const aggregates = aggregatesOf(owner, reads);
    return async (topic: string, { stream, number }: Note, type: string): Promise<void> => {
      const event: Noted = { type, data: { stream, number } };
      const decide = () => ({ events: [event], answer: null });
      await aggregates.get(topic)?.execute({ context: internalContext(project), streamId: stream, decide });
    };
  };
  const append = appendTo(store, decoding);
  // An older release, whose events have version 1.
  const appendOld = appendTo(new EventStore('shop', shop), null);
  let doubled = false;

  return {
    topics: ['scrip.shop.note.v1', 'scrip.shop.parcel.v1'],
    database: stats,
    store,
    producer: shop,
    foreignStore: async () => {
      const appendThere = appendTo(new EventStore('shop', await source('shop')), decoding);
      return async (notes) => {
        for (const note of notes) await appendThere('scrip.shop.note.v1', note, 'NoteWritten');
      };
    },
    publish: async (notes, topic = 'scrip.shop.note.v1') => {
      await Promise.all(notes.map((note) => append(topic, note, 'NoteWritten')));
    },
    publishUndecodable: (stream) => appendOld('scrip.shop.note.v1', { stream, number: 1 }, 'NoteBroken'),
    deliverTwice: () => void (doubled = true),
    connect: async ({ retries, mirror, stopTimeoutMs }): Promise<TransportInstance> => {
      const own = await source('stats');
      const logs = eventStoreLogs([{ store, database: shop }]);
      const transport = new PostgresEventTransport({
        logs: doubled ? twice(logs) : logs,
        databaseOf: () => own,
        retries,
        ...(mirror ? { mirror } : {}),
        ...(stopTimeoutMs === undefined ? {} : { stopTimeoutMs }),
        lockRetryMs: 20,
        rewindPollMs: 50,
      });
      const release = async (): Promise<void> => {
        if (own.isInitialized) await own.destroy();
      };
      return { transport, database: own, kill: () => killed(own, stats, transport), release };
    },
    close: async () => {
      await Promise.all(connections.map((one) => (one.isInitialized ? one.destroy() : undefined)));
      await dropDatabase(url);
    },
  };
};

interface PoolOfProcess {
  _clients: { processID: number }[];
  connect: (done?: (error: Error) => void) => Promise<never> | undefined;
}

/** Cuts every connection of a pool and lets it open no other. */
const killed = async (
  own: DataSource,
  admin: DataSource,
  transport: PostgresEventTransport,
): Promise<void> => {
  const pool = (own.driver as unknown as { master: PoolOfProcess }).master;
  pool.connect = (done) => {
    const gone = new Error('client was closed');
    return done ? void done(gone) : Promise.reject(gone);
  };
  const pids = pool._clients.map(({ processID }) => processID);
  await admin.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid', [pids]);
  // Whatever still runs in this process finds no connection; it is ended so that the test can end.
  void transport.close();
};
