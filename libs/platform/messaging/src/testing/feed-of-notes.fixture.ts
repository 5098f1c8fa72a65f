import { Logger } from '@nestjs/common';
import { waitUntil } from '@scrip/testing';
import type { ConsumesOptions } from '../consumer/consumes.decorator';
import type { KafkaTransportOptions } from '../kafka/kafka-event-transport';
import {
  type Handle,
  type InstanceOptions,
  type Note,
  type RunningInstance,
  startInstance,
  writeNotes,
} from './adapter-harness.fixture';
import { type KafkaHarness, kafkaHarness, plainKafka, useBroker } from './kafka-harness.fixture';

/** The bus of the test that runs. */
export let harness: KafkaHarness;
/** Instances that end with the test. */
export let running: RunningInstance[];
/** What else ends with it, in this order. */
export let ends: (() => Promise<void>)[];

/** Makes a bus of its own for a test. */
export const begin = async (
  options: Parameters<typeof kafkaHarness>[0] = { partitions: 6 },
): Promise<void> => {
  harness = await kafkaHarness(options);
  running = [];
  ends = [];
};

/** For the top of a spec: starts the broker of this test run, unless it runs, and ends what each test began. */
export const useFeed = (): void => {
  Logger.overrideLogger(false);
  useBroker();
  afterEach(async () => {
    await Promise.all(running.map((instance) => instance.stop()));
    for (const end of ends) await end();
    await harness.close();
  });
};

/** The effect that the suites look for. */
export const write: Handle = (batch) => batch.commit((manager) => writeNotes(manager, batch));

/** Sets the consumers' database back to its beginning, as an old backup does. */
export const restoreEmpty = async (): Promise<void> => {
  await harness.database.transaction(async (manager) => {
    await manager.query(`UPDATE consumer_positions SET position = '0-0-0', recorded_at = NULL`);
    await manager.query('DELETE FROM noted');
  });
};

/** A process with one consumer of the first topic. */
export const start = async (
  { handle = write, ...options }: Partial<ConsumesOptions> & { handle?: Handle } = {},
  more: Partial<InstanceOptions & KafkaTransportOptions> = {},
): Promise<RunningInstance> => {
  const consumer = { topics: harness.topics[0], options: { group: 'stats.notes', ...options }, handle };
  const instance = await startInstance(harness, [consumer], more);
  running.push(instance);
  return instance;
};

/** Lie in all of six partitions. */
export const streams = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];

export const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** The same numbers in each of twelve streams, which lie in all partitions. */
export const notes = (from: number, to: number): Note[] =>
  numbers(from, to).flatMap((number) => streams.map((stream) => ({ stream, number })));

/** Numbers by stream, in the order in which they were written. */
export const noted = async (): Promise<Map<string, number[]>> => {
  const rows = await harness.database.query<{ stream: string; numbers: number[] }[]>(
    `SELECT stream, array_agg(number ORDER BY place) AS numbers FROM noted GROUP BY 1 ORDER BY 1`,
  );
  return new Map(rows.map((row) => [row.stream, row.numbers]));
};

/** How many were written. */
export const effects = async (): Promise<number> => {
  const [row] = await harness.database.query<{ count: number }[]>(`SELECT count(*)::int AS count FROM noted`);
  return row?.count ?? 0;
};

export const untilEffects = (count: number): Promise<unknown> =>
  waitUntil(async () => (await effects()) >= count, { what: `${count} effects` });

/** In every stream, in order, each once. */
export const expectAll = async (from: number, to: number): Promise<void> => {
  expect(await noted()).toEqual(new Map(streams.map((stream) => [stream, numbers(from, to)])));
};

/** How many partitions an instance consumes. */
export const partitionsRun = async ({ transport }: RunningInstance): Promise<number> =>
  (await transport.consumerStatus()).filter((one) => one.running).length;

export const untilRuns = (instance: RunningInstance, partitions: number): Promise<unknown> =>
  waitUntil(async () => (await partitionsRun(instance)) === partitions, {
    what: `${partitions} partitions`,
  });

/** Asks the broker as only other programs do. */
export const admin = async <T>(
  work: (of: ReturnType<ReturnType<typeof plainKafka>['admin']>) => Promise<T>,
): Promise<T> => {
  const connected = plainKafka().admin();
  await connected.connect();
  try {
    return await work(connected);
  } finally {
    await connected.disconnect();
  }
};

/** What retention does after a while. */
export const expireAll = (topic: string): Promise<void> =>
  admin(async (of) => {
    const ranges = await of.fetchTopicOffsets(topic);
    const partitions = ranges.map(({ partition, high }) => ({ partition, offset: high }));
    await of.deleteTopicRecords({ topic, partitions });
  });
