import { type EventData, EventStore, eventStoreMigrations, stateTableColumns } from '@scrip/event-store';
import { internalContext } from '@scrip/kernel';
import { dropDatabase, preparedDatabase, projectOf } from '@scrip/testing';
import { randomUUID } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { DataSource } from 'typeorm';
import { messagingMigrations } from '../migrations';
import { topicOf } from '../feed/topic-name';
import { type Note, createNoted } from './adapter-harness.fixture';

const project = projectOf();

interface Noted extends EventData {
  data: { stream: string } & ({ number: number } | { no: number });
}

/** Bookkeeping of the doubles: whether `broken` events can be read. */
export interface Decoding {
  works: boolean;
}

/** The steps of the topics' events to version 2: that of `NoteBroken` fails until decoding works; `NoteNumbered` said
 *  `no` for `number` in version 1. */
export const upcastersOf = (decoding: Decoding) => ({
  NoteNumbered: [
    ({ no, ...data }: Record<string, unknown>): Record<string, unknown> => ({ ...data, number: no }),
  ],
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
  evolve: (_state: object | undefined, { data }: Noted): object => ({ ...data }),
  columns: {},
  ...(decoding ? { upcasters: upcastersOf(decoding) } : {}),
});

type Schema = 'shop' | 'stats';

/** A producer and a consumer, a schema each in a database of their own. */
export interface ShopAndStats {
  topics: readonly [string, string];
  store: EventStore;
  /** The producer's connections, in its schema. */
  shop: DataSource;
  /** The consumer's, in the schema `stats`. */
  stats: DataSource;
  /** More connections to a schema, as another process has them. */
  source(schema: Schema): Promise<DataSource>;
  /** Appends notes in order within each stream. */
  append(notes: readonly Note[], topic: string): Promise<void>;
  /** Appends an event as an older release does, in version 1. */
  appendOld(note: Note, topic: string): Promise<void>;
  /** The producer's log as an older release reads it: without upcasters. */
  olderStore: EventStore;
  /** Appends an event that the producer's code cannot bring to its newest version. */
  appendUndecodable(stream: string, topic: string): Promise<void>;
  /** Another process of the producer. */
  foreignAppend(): Promise<(notes: readonly Note[], topic: string) => Promise<void>>;
  close(): Promise<void>;
}

const connect = (url: string, schema: Schema | 'public'): Promise<DataSource> =>
  new DataSource({
    type: 'postgres',
    url,
    schema,
    applicationName: `process-${randomUUID()}`,
    migrations: schema === 'shop' ? [...eventStoreMigrations, ...messagingMigrations] : messagingMigrations,
    extra: { max: 5, options: `-c search_path=${schema}` },
  }).initialize();

const prepare = async (url: string): Promise<void> => {
  const admin = await connect(url, 'public');
  await admin.query('CREATE SCHEMA shop; CREATE SCHEMA stats');
  const [shop, stats] = [await connect(url, 'shop'), await connect(url, 'stats')];
  await shop.runMigrations();
  await stats.runMigrations();
  for (const table of ['notes', 'parcels']) await shop.query(`CREATE TABLE ${table} (${stateTableColumns})`);
  await stats.query(createNoted);
  for (const connection of [admin, shop, stats]) await connection.destroy();
};

/** `service` is the producer's name in topics. */
export const shopAndStats = async (service: string, decoding: Decoding): Promise<ShopAndStats> => {
  const url = await preparedDatabase('messaging', prepare);
  const connections: DataSource[] = [];
  const source = async (schema: Schema): Promise<DataSource> => {
    const dataSource = await connect(url, schema);
    connections.push(dataSource);
    return dataSource;
  };
  const shop = await source('shop');
  const stats = await source('stats');

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
      const old = type === 'NoteNumbered' && !reads;
      const event: Noted = { type, data: old ? { stream, no: number } : { stream, number } };
      const decide = () => ({ events: [event], answer: null });
      await aggregates.get(topic)?.execute({ context: internalContext(project), streamId: stream, decide });
    };
  };
  const append = appendTo(store, decoding);
  // An older release, whose events have version 1.
  const olderStore = new EventStore(service, shop);
  const appendOld = appendTo(olderStore, null);
  return {
    topics: [topicFor('note'), topicFor('parcel')],
    store,
    shop,
    stats,
    source,
    append: async (notes, topic) => {
      await Promise.all(notes.map((note) => append(topic, note, 'NoteWritten')));
    },
    appendOld: (note, topic) => appendOld(topic, note, 'NoteNumbered'),
    olderStore,
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
  options: object;
  _clients: readonly EventEmitter[];
  connect: (done?: (error: Error) => void) => Promise<never> | undefined;
}

/** Cuts every connection of a process and lets it open no other, as kill -9 does. */
export const killPool = async (own: DataSource, admin: DataSource): Promise<void> => {
  const pool = (own.driver as unknown as { master: PoolOfProcess }).master;
  pool.connect = (done) => {
    const gone = new Error('client was closed');
    return done ? void done(gone) : Promise.reject(gone);
  };
  // For connections beside the pool.
  pool.options = { host: '127.0.0.1', port: 1 };
  // A process that is killed hears nothing of its connections; this one lives on.
  for (const client of pool._clients) client.on('error', () => undefined);
  await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [
    own.options.type === 'postgres' ? own.options.applicationName : '',
  ]);
};
