import { type EventData, EventStore, eventStoreMigration, stateTableColumns } from '@scrip/event-store';
import { type ProjectContext, internalContext } from '@scrip/kernel';
import { createDatabase, dropDatabase } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { messagingMigrations } from '../messaging.migrations';
import { topicOf } from '../topic-name';
import { type Note, createNoted } from './adapter-harness.fixture';

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

/** The steps of the topics' events to version 2: that of `NoteBroken` fails until decoding works. */
export const upcastersOf = (decoding: Decoding) => ({
  NoteBroken: [
    (data: Record<string, unknown>): Record<string, unknown> => {
      if (!decoding.works) throw new TypeError('broken note');
      return data;
    },
  ],
});

const definitionOf = (aggregate: string, decoding: Decoding | null) => ({
  aggregate,
  table: `${aggregate}s`,
  evolve: (_state: object | undefined, { data }: Noted): object => ({ number: data.number }),
  columns: {},
  ...(decoding ? { upcasters: upcastersOf(decoding) } : {}),
});

/** A producer and a consumer, a schema each in a database of their own. */
export interface ShopAndStats {
  topics: readonly [string, string];
  store: EventStore;
  /** The producer's connections, in its schema. */
  shop: DataSource;
  /** The consumer's, in the schema `stats`. */
  stats: DataSource;
  /** More connections to a schema, as another process has them. */
  source(schema: 'shop' | 'stats'): Promise<DataSource>;
  /** Appends notes in order within each stream. */
  append(notes: readonly Note[], topic: string): Promise<void>;
  /** Appends an event that the producer's code cannot bring to its newest version. */
  appendUndecodable(stream: string, topic: string): Promise<void>;
  /** Another process of the producer. */
  foreignAppend(): Promise<(notes: readonly Note[], topic: string) => Promise<void>>;
  close(): Promise<void>;
}

/** `service` is the producer's name in topics. */
export const shopAndStats = async (service: string, decoding: Decoding): Promise<ShopAndStats> => {
  const url = await createDatabase('messaging');
  const connections: DataSource[] = [];
  const source = async (schema: 'shop' | 'stats' | 'public'): Promise<DataSource> => {
    const dataSource = new DataSource({
      type: 'postgres',
      url,
      schema,
      migrations: schema === 'shop' ? [eventStoreMigration, ...messagingMigrations] : messagingMigrations,
      extra: { max: 5, options: `-c search_path=${schema}` },
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

  const topicFor = (aggregate: string): string => topicOf({ service, aggregate, major: 1 });
  const store = new EventStore(service, shop);
  await store.start();
  const appendTo = (owner: EventStore, reads: Decoding | null) => {
    const aggregates = new Map(
      ['note', 'parcel'].map((aggregate) => [
        topicFor(aggregate),
        owner.aggregate<object, Noted>(definitionOf(aggregate, reads)),
      ]),
    );
    return async (topic: string, { stream, number }: Note, type: string): Promise<void> => {
      const event: Noted = { type, data: { stream, number } };
      const decide = () => ({ events: [event], answer: null });
      await aggregates.get(topic)?.execute({ context: internalContext(project), streamId: stream, decide });
    };
  };
  const append = appendTo(store, decoding);
  // An older release, whose events have version 1.
  const appendOld = appendTo(new EventStore(service, shop), null);
  return {
    topics: [topicFor('note'), topicFor('parcel')],
    store,
    shop,
    stats,
    source,
    append: async (notes, topic) => {
      await Promise.all(notes.map((note) => append(topic, note, 'NoteWritten')));
    },
    appendUndecodable: (stream, topic) => appendOld(topic, { stream, number: 1 }, 'NoteBroken'),
    foreignAppend: async () => {
      const appendThere = appendTo(new EventStore(service, await source('shop')), decoding);
      return async (notes, topic) => {
        for (const note of notes) await appendThere(topic, note, 'NoteWritten');
      };
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

/** Cuts every connection of a pool and lets it open no other, as kill -9 does. */
export const killPool = async (own: DataSource, admin: DataSource): Promise<void> => {
  const pool = (own.driver as unknown as { master: PoolOfProcess }).master;
  pool.connect = (done) => {
    const gone = new Error('client was closed');
    return done ? void done(gone) : Promise.reject(gone);
  };
  const pids = pool._clients.map(({ processID }) => processID);
  await admin.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid', [pids]);
};
