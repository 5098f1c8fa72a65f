import { Controller, type INestApplication, type Type } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import type { DataSource, EntityManager } from 'typeorm';
import { Consumes, type ConsumesOptions } from '../consumer/consumes.decorator';
import type { Mirror } from '../parking/dead-letter';
import type { EventBatch } from '../feed/event-batch';
import type { EventTransport } from '../consumer/event-transport';
import type { RetrySchedule } from '../partition/retry-schedule';

/** An event to publish: the stream it belongs to and a number that the suite recognises it by. */
export interface Note {
  stream: string;
  number: number;
}

export interface InstanceOptions {
  retries: RetrySchedule;
  mirror?: Mirror;
  stopTimeoutMs?: number;
}

/** One process of a service, as far as its event bus goes: connections and a transport of its own. */
export interface TransportInstance {
  transport: EventTransport;
  /** The DataSource that handlers of the context `stats` commit on. */
  database: DataSource;
  /** What kill -9 does to the world around: all connections end at once, nothing is said. Nothing opens again. */
  kill(): Promise<void>;
  /** Ends connections after the transport was closed. */
  release(): Promise<void>;
}

/** What an adapter brings to be tested. A harness is a fresh, empty bus: two topics of one producer, and the schema of
 *  the context `stats` with the messaging tables and this suite's `noted`. */
export interface AdapterHarness {
  /** Two topics that `publish` can write to. */
  readonly topics: readonly [string, string];
  /** Looks into the schema of `stats`, beside all instances. */
  readonly database: DataSource;
  /** Appends the notes as events of `{stream, number}`, in order within each stream; resolves when they are stored. */
  publish(notes: readonly Note[], topic?: string): Promise<void>;
  /** Appends an event in schema version 1, where readers have version 2. */
  publishOld(note: Note): Promise<void>;
  /** Appends one entry under the stream's key that no code can decode. */
  publishUndecodable(stream: string): Promise<void>;
  /** From now on everything published arrives at least twice, also out of order (1 2 3 1 2 3), as after a relay that
   *  lost its place. */
  deliverTwice(): void;
  connect(options: InstanceOptions): Promise<TransportInstance>;
  close(): Promise<void>;
}

/** The table that the suite's handlers write: one row per effect, so that a doubled one shows. */
export const createNoted = `
  CREATE TABLE noted (
    place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    reader text NOT NULL, stream text NOT NULL, number integer NOT NULL
  )`;

/** Writes a batch's effects in one statement. */
export const writeNotes = async (manager: EntityManager, batch: EventBatch): Promise<void> => {
  const notes = batch.events.map(({ data }) => data as Note);
  await manager.query(
    `INSERT INTO noted (reader, stream, number)
     SELECT $1, stream, number FROM unnest($2::text[], $3::int[]) WITH ORDINALITY AS n (stream, number, place)
     ORDER BY place`,
    [batch.group, notes.map(({ stream }) => stream), notes.map(({ number }) => number)],
  );
};

/** What a test's handler does with a batch; `write` is the effect that the suite looks for. */
export type Handle = (batch: EventBatch) => Promise<void>;

export interface TestConsumer {
  topics: string | readonly string[];
  options: ConsumesOptions;
  handle: Handle;
}

const controllerOf = ({ topics, options, handle }: TestConsumer): Type<unknown> => {
  class Reader {
    consume(batch: EventBatch): Promise<void> {
      return handle(batch);
    }
  }
  const method = Object.getOwnPropertyDescriptor(Reader.prototype, 'consume');
  if (!method) throw new Error('unreachable: the class has the method');
  Consumes(topics, options)(Reader.prototype, 'consume', method);
  Payload()(Reader.prototype, 'consume', 0);
  Controller()(Reader);
  return Reader;
};

/** A running application with the given consumers. */
export interface RunningInstance {
  transport: EventTransport;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/** Starts a Nest application whose consumers the harness feeds. */
export const startInstance = async (
  harness: AdapterHarness,
  consumers: readonly TestConsumer[],
  options: Partial<InstanceOptions> = {},
): Promise<RunningInstance> => {
  const retries: RetrySchedule = { triesMs: [10, 20, 30], parkedMs: [3_600_000] };
  const instance = await harness.connect({ retries, ...options });
  const module = await Test.createTestingModule({ controllers: consumers.map(controllerOf) }).compile();
  const app: INestApplication = module.createNestApplication(new FastifyAdapter(), { logger: false });
  app.connectMicroservice({ strategy: instance.transport });
  await app.startAllMicroservices();
  let ended: Promise<void> | undefined;
  return {
    transport: instance.transport,
    stop: () => (ended ??= app.close().then(() => instance.release())),
    kill: async () => {
      ended = instance.kill();
      await ended;
    },
  };
};
