import {
  type AggregateDefinition,
  PreparingClient,
  eventStoreMigrations,
  stateTableColumns,
} from '@scrip/event-store';
import { type KafkaSettings, messagingMigrations } from '@scrip/messaging';
import { DataSource } from 'typeorm';

/** What the measurement of Kafka sends: `at` is when a trickling event was appended, 0 for the others. */
export interface Noted {
  type: 'NoteWritten';
  data: { text: string; at: number };
}

/** The producer's aggregate. */
export const noteDefinition: AggregateDefinition<{ text: string }, Noted> = {
  aggregate: 'note',
  table: 'notes',
  evolve: (_note, { data }) => ({ text: data.text }),
  columns: {},
};

/** The schemas of the producer and of the consumer. */
export type BenchSchema = 'bench_shop' | 'bench_reader';

/** Connections to a schema. */
export const connected = (url: string, schema: BenchSchema): Promise<DataSource> =>
  new DataSource({
    type: 'postgres',
    url,
    schema,
    poolSize: 10,
    migrations: [...eventStoreMigrations, ...messagingMigrations],
    extra: { Client: PreparingClient, options: `-c search_path=${schema}` },
  }).initialize();

/** Makes a schema with the tables of both ends. */
export const migrated = async (url: string, schema: BenchSchema): Promise<DataSource> => {
  const dataSource = await connected(url, schema);
  await dataSource.query(`CREATE SCHEMA ${schema}`);
  await dataSource.runMigrations();
  await dataSource.query(`
    CREATE TABLE notes (${stateTableColumns});
    CREATE TABLE projected (project_id text, stream_id text, version bigint)`);
  return dataSource;
};

/** Six partitions, as the services have them by default. */
export const kafkaOf = (brokers: string, service: string): KafkaSettings => ({
  brokers: brokers.split(','),
  clientId: service,
  partitions: 6,
  replicationFactor: 1,
  retentionMs: 3_600_000,
  messageBytesMax: 1_048_576,
});
