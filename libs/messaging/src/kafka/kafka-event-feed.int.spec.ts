import { Logger } from '@nestjs/common';
import { startKafka, waitUntil } from '@scrip/testing';
import type { ConsumesOptions } from '../consumes.decorator';
import {
  type Handle,
  type InstanceOptions,
  type Note,
  type RunningInstance,
  startInstance,
  writeNotes,
} from '../testing/adapter-harness.fixture';
import { brokerDoor } from '../testing/broker-door.fixture';
import {
  type KafkaHarness,
  kafkaHarness,
  plainKafka,
  readTopic,
  useBroker,
} from '../testing/kafka-harness.fixture';
import type { KafkaTransportOptions } from './kafka-event-transport';
import { deadLetterTopic } from './dead-letter-topic';
import { partitionOfKey } from './partitioning';
import { KafkaRelay } from './relay/kafka-relay';

Logger.overrideLogger(false);
useBroker();

let harness: KafkaHarness;
let running: RunningInstance[];
let ends: (() => Promise<void>)[];

const begin = async (options: Parameters<typeof kafkaHarness>[0] = { partitions: 6 }): Promise<void> => {
  harness = await kafkaHarness(options);
  running = [];
  ends = [];
};
afterEach(async () => {
  await Promise.all(running.map((instance) => instance.stop()));
  for (const end of ends) await end();
  await harness.close();
});

const write: Handle = (batch) => batch.commit((manager) => writeNotes(manager, batch));

const reset: ConsumesOptions['reset'] = async (manager) => {
  await manager.query(`DELETE FROM noted`);
};

const start = async (
  { handle = write, ...options }: Partial<ConsumesOptions> & { handle?: Handle } = {},
  more: Partial<InstanceOptions & KafkaTransportOptions> = {},
): Promise<RunningInstance> => {
  const consumer = { topics: harness.topics[0], options: { group: 'stats.notes', ...options }, handle };
  const instance = await startInstance(harness, [consumer], more);
  running.push(instance);
  return instance;
};

const streams = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];

const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** The same numbers in each of twelve streams, which lie in all partitions. */
const notes = (from: number, to: number): Note[] =>
  numbers(from, to).flatMap((number) => streams.map((stream) => ({ stream, number })));

const noted = async (): Promise<Map<string, number[]>> => {
  const rows = await harness.database.query<{ stream: string; numbers: number[] }[]>(
    `SELECT stream, array_agg(number ORDER BY place) AS numbers FROM noted GROUP BY 1 ORDER BY 1`,
  );
  return new Map(rows.map((row) => [row.stream, row.numbers]));
};

const effects = async (): Promise<number> => {
  const [row] = await harness.database.query<{ count: number }[]>(`SELECT count(*)::int AS count FROM noted`);
  return row?.count ?? 0;
};

const untilEffects = (count: number, timeoutMs = 20_000): Promise<unknown> =>
  waitUntil(async () => (await effects()) >= count, { what: `${count} effects`, timeoutMs });

/** In every stream, in order, each once. */
const expectAll = async (from: number, to: number): Promise<void> => {
  expect(await noted()).toEqual(new Map(streams.map((stream) => [stream, numbers(from, to)])));
};

const partitionsRun = async ({ transport }: RunningInstance): Promise<number> =>
  (await transport.consumerStatus()).filter((one) => one.running).length;

const untilRuns = (instance: RunningInstance, partitions: number): Promise<unknown> =>
  waitUntil(async () => (await partitionsRun(instance)) === partitions, {
    what: `${partitions} partitions`,
    timeoutMs: 20_000,
  });

const admin = async <T>(
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
const expireAll = (topic: string): Promise<void> =>
  admin(async (of) => {
    const ranges = await of.fetchTopicOffsets(topic);
    const partitions = ranges.map(({ partition, high }) => ({ partition, offset: high }));
    await of.deleteTopicRecords({ topic, partitions });
  });

describe('a group over several processes', () => {
  beforeEach(() => begin());

  it('shares the partitions when one joins and when one leaves, without loss or repeat', async () => {
    const first = await start();
    await untilRuns(first, 6);
    const publishing = (async () => {
      for (let from = 1; from <= 100; from += 10) await harness.publish(notes(from, from + 9));
    })();
    const second = await start();
    await untilRuns(second, 3);
    await untilRuns(first, 3);
    await harness.publish(notes(101, 120));
    await publishing;
    await first.stop();
    await untilRuns(second, 6);
    await harness.publish(notes(121, 130));
    await untilEffects(130 * streams.length);
    for (const [stream, seen] of await noted())
      expect([stream, new Set(seen).size]).toEqual([stream, seen.length]);
    expect(await effects()).toBe(130 * streams.length);
  });

  it('takes the partitions over of one that is killed in a transaction', async () => {
    let killed = false;
    let reached: () => void = () => undefined;
    const inTransaction = new Promise<void>((resolve) => (reached = resolve));
    const doomed = await start({
      handle: (batch) =>
        batch.commit(async (manager) => {
          await writeNotes(manager, batch);
          if (!batch.events.some(({ data }) => (data as Note).number > 20)) return;
          reached();
          await waitUntil(() => killed, { what: 'the kill' });
        }),
    });
    await untilRuns(doomed, 6);
    const other = await start();
    await untilRuns(other, 3);
    await harness.publish(notes(1, 20));
    await untilEffects(20 * streams.length);
    await harness.publish(notes(21, 60));
    await inTransaction;
    await doomed.kill();
    killed = true;
    await untilRuns(other, 6);
    await harness.publish(notes(61, 70));
    await untilEffects(70 * streams.length);
    await expectAll(1, 70);
  });
});

describe('what the broker holds', () => {
  beforeEach(() => begin());

  it('has no effect twice when the group is set back to the beginning and every message comes three times', async () => {
    const first = await start();
    await harness.publish(notes(1, 20));
    await untilEffects(20 * streams.length);
    await first.stop();
    await harness.publishAgain();
    await harness.publishAgain();
    await admin((of) =>
      of.resetOffsets({ groupId: 'stats.notes', topic: harness.topics[0], earliest: true }),
    );
    await start();
    await harness.publish(notes(21, 22));
    await untilEffects(22 * streams.length);
    await expectAll(1, 22);
  });

  it('may be read again from the beginning by a group that runs, without effect', async () => {
    await start();
    await harness.publish(notes(1, 10));
    await untilEffects(10 * streams.length);
    await harness.publishAgain();
    await harness.publish(notes(11, 11));
    await untilEffects(11 * streams.length);
    await expectAll(1, 11);
  });

  it('is found again after a stop by the time of the last event, not from the beginning', async () => {
    const [topic] = harness.topics;
    await harness.relay.stop();
    await harness.publish(notes(1, 10));
    await harness.shop.query(`UPDATE events SET recorded_at = recorded_at - interval '1 hour'`);
    const relay = new KafkaRelay({ store: harness.store, database: harness.shop, kafka: harness.settings });
    ends.push(() => relay.stop());
    await relay.start();
    const first = await start();
    await harness.publish(notes(11, 11));
    await untilEffects(11 * streams.length);
    await first.stop();
    let decoded = 0;
    await start({}, { upcastersOf: (of) => void (decoded += of === topic ? 1 : 0) });
    await harness.publish(notes(12, 12));
    await untilEffects(12 * streams.length);
    await expectAll(1, 12);
    expect(decoded).toBeLessThanOrEqual(2 * streams.length);
  });

  it('may be lost: a topic that was made anew is read from its new beginning', async () => {
    const first = await start();
    await harness.publish(notes(1, 10));
    await untilEffects(10 * streams.length);
    await first.stop();
    const [topic] = harness.topics;
    await admin(async (of) => {
      await of.deleteTopics({ topics: [topic] });
      await waitUntil(async () => !(await of.listTopics()).includes(topic), { what: 'the topic to be gone' });
    });
    await start();
    await harness.publish(notes(11, 12));
    await untilEffects(12 * streams.length);
    await expectAll(1, 12);
  });

  it('begins a new epoch when the producer was restored: its events are seen at once', async () => {
    await start();
    await harness.publish(notes(1, 5));
    await untilEffects(5 * streams.length);
    await harness.store.raiseEpoch();
    await harness.publish(notes(6, 7));
    await untilEffects(7 * streams.length);
    await expectAll(1, 7);
  });
});

describe('a consumer whose database', () => {
  beforeEach(() => begin());

  it('was restored to an older state applies again what it lost, and nothing else', async () => {
    await start();
    await harness.publish(notes(1, 5));
    await untilEffects(5 * streams.length);
    await harness.database.query(`CREATE TABLE saved AS SELECT * FROM consumer_positions`);
    await harness.publish(notes(6, 10));
    await untilEffects(10 * streams.length);
    await harness.database.query(`
      DELETE FROM noted WHERE number > 5;
      UPDATE consumer_positions p SET position = s.position, recorded_at = s.recorded_at
      FROM saved s WHERE (p.consumer_group, p.topic, p.partition) = (s.consumer_group, s.topic, s.partition)`);
    await harness.publish(notes(11, 12));
    await untilEffects(12 * streams.length);
    await expectAll(1, 12);
  });

  it('is away for longer than a session lasts keeps its membership, and loses nothing', async () => {
    let away = true;
    let tries = 0;
    const handle: Handle = async (batch) => {
      tries += 1;
      if (away) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      await write(batch);
    };
    const joins: unknown[] = [];
    const instance = await start({ handle }, { retries: { triesMs: [20, 50, 100], parkedMs: [500] } });
    await untilRuns(instance, 6);
    await harness.publish(notes(1, 50));
    const from = Date.now();
    await waitUntil(
      async () => {
        joins.push(await partitionsRun(instance));
        return Date.now() - from > 7_000;
      },
      { what: 'a session to pass', intervalMs: 250 },
    );
    away = false;
    await untilEffects(50 * streams.length);
    await waitUntil(
      async () => (await instance.transport.consumerStatus()).every(({ parkedKeys }) => parkedKeys === 0),
      { what: 'no key to be parked', timeoutMs: 20_000 },
    );
    expect(tries).toBeGreaterThan(10);
    expect(new Set(joins)).toEqual(new Set([6]));
    for (const [stream, seen] of await noted()) expect([stream, seen]).toEqual([stream, numbers(1, 50)]);
  });
});

describe('a broker that goes away', () => {
  beforeEach(() => begin());

  it('is waited for: before the start, and while running', async () => {
    const broker = await brokerDoor();
    ends.push(() => broker.remove());
    await broker.close();
    const instance = await start({}, { startPatienceMs: 100 });
    await harness.publish(notes(1, 5));
    expect(await effects()).toBe(0);
    await broker.open();
    await untilEffects(5 * streams.length);
    await broker.close();
    await harness.publish(notes(6, 20));
    await broker.open();
    await untilEffects(20 * streams.length);
    await untilRuns(instance, 6);
    await harness.publish(notes(21, 22));
    await untilEffects(22 * streams.length);
    await expectAll(1, 22);
  });

  it('may be killed and come back', async () => {
    const broker = await startKafka();
    ends.push(() => broker.stop());
    const kafka = { ...harness.settings, brokers: [broker.brokers] };
    const relay = new KafkaRelay({ store: harness.store, database: harness.shop, kafka });
    await harness.relay.stop();
    await relay.start();
    ends.unshift(() => relay.stop());
    await start({}, { kafka });
    await harness.publish(notes(1, 10));
    await untilEffects(10 * streams.length);
    await broker.kill();
    await harness.publish(notes(11, 30));
    await broker.start();
    await harness.publish(notes(31, 32));
    await untilEffects(32 * streams.length, 40_000);
    await expectAll(1, 32);
  }, 120_000);

  it('keeps nobody from stopping', async () => {
    const broker = await brokerDoor();
    ends.push(() => broker.remove());
    const instance = await start({}, { stopTimeoutMs: 3_000 });
    await untilRuns(instance, 6);
    await broker.close();
    const from = Date.now();
    await instance.stop();
    expect(Date.now() - from).toBeLessThan(10_000);
  });
});

describe('a group that starts now', () => {
  beforeEach(() => begin());

  it('gets what comes after its first start, also when it stopped before it saw anything', async () => {
    await harness.publish(notes(1, 3));
    await harness.allPublished();
    const first = await start({ from: 'now' });
    await first.stop();
    await harness.publish(notes(4, 5));
    await harness.allPublished();
    await start({ from: 'now' });
    await untilEffects(2 * streams.length);
    await harness.publish(notes(6, 6));
    await untilEffects(3 * streams.length);
    await expectAll(4, 6);
  });

  it('drops what was there before, also when it comes again', async () => {
    await harness.publish(notes(1, 3));
    await harness.allPublished();
    await start({ from: 'now' });
    await harness.publishAgain();
    await harness.publish(notes(4, 4));
    await untilEffects(streams.length);
    await expectAll(4, 4);
  });
});

describe('a rebuild', () => {
  beforeEach(() => begin());

  it('reads from the owner what the topic no longer holds, each process its partitions', async () => {
    const [topic] = harness.topics;
    const pages: number[] = [];
    const readOwnersLog: KafkaTransportOptions['readOwnersLog'] = async (_topic, { after, limit }) => {
      const page = await harness.store.readLog({ after, limit, aggregates: ['note'] });
      pages.push(page.length);
      return page;
    };
    const first = await start({ reset }, { readOwnersLog });
    const second = await start({ reset }, { readOwnersLog });
    await harness.publish(notes(1, 60));
    await untilEffects(60 * streams.length);
    await untilRuns(first, 3);
    await untilRuns(second, 3);
    await expireAll(topic);
    pages.length = 0;
    await first.transport.rebuild('stats.notes');
    await harness.publish(notes(61, 62));
    await untilEffects(62 * streams.length);
    await expectAll(1, 62);
    // A partition without any stream has nothing to read again; the others take two pages each.
    const used = new Set(streams.map((stream) => partitionOfKey(`proj_1|${stream}`, 6)));
    expect(pages.length).toBeGreaterThanOrEqual(2 * used.size);
  });

  it('reads the topic from its beginning where nobody can be asked', async () => {
    const instance = await start({ reset });
    await harness.publish(notes(1, 10));
    await untilEffects(10 * streams.length);
    await instance.transport.rebuild('stats.notes');
    await harness.publish(notes(11, 11));
    await untilEffects(11 * streams.length);
    await expectAll(1, 11);
  });
});

describe('a group that was away for longer than the topic keeps events', () => {
  it('gets them from their owner', async () => {
    await begin();
    const [topic] = harness.topics;
    const readOwnersLog: KafkaTransportOptions['readOwnersLog'] = (_topic, { after, limit }) =>
      harness.store.readLog({ after, limit, aggregates: ['note'] });
    const first = await start();
    await harness.publish(notes(1, 5));
    await untilEffects(5 * streams.length);
    await first.stop();
    await harness.publish(notes(6, 20));
    await harness.allPublished();
    await expireAll(topic);
    await start({}, { readOwnersLog });
    await harness.publish(notes(21, 21));
    await untilEffects(21 * streams.length);
    await expectAll(1, 21);
  });
});

describe('what fails', () => {
  it('is in the dead-letter topic as it arrived, with what happened', async () => {
    await begin({ partitions: 2 });
    const [topic] = harness.topics;
    await start({
      handle: async (batch) => {
        if (batch.events.some(({ streamId }) => streamId === 'poison')) throw new TypeError('no such note');
        await write(batch);
      },
    });
    await harness.publish([{ stream: 'poison', number: 1 }]);
    await harness.publishUndecodable('broken');
    const name = deadLetterTopic({ topic, group: 'stats.notes' });
    expect(name).toBe(`${topic}.dlq.stats.notes`);
    await waitUntil(() => admin(async (of) => (await of.listTopics()).includes(name)), {
      what: 'the dead-letter topic',
      intervalMs: 200,
    });
    const letters: { key: string; value: string; headers: Record<string, string> }[] = [];
    ends.push(await readTopic(name, (letter) => letters.push(letter)));
    await waitUntil(() => letters.length === 2, { what: 'two dead letters' });
    const byKey = new Map(letters.map((letter) => [letter.key, letter]));
    expect(byKey.get('proj_1|poison')).toMatchObject({
      value: JSON.stringify({ number: 1, stream: 'poison' }),
      headers: {
        ce_subject: 'poison',
        'content-type': 'application/json',
        'dlq-error': 'TypeError: no such note',
        'dlq-attempts': '4',
      },
    });
    expect(byKey.get('proj_1|broken')).toMatchObject({
      headers: { ce_subject: 'broken', 'dlq-error': 'TypeError: broken note', 'dlq-attempts': '1' },
    });
    const { resources } = await admin((of) =>
      of.describeConfigs({ includeSynonyms: false, resources: [{ type: 2, name }] }),
    );
    const retention = resources[0]?.configEntries.find(({ configName }) => configName === 'retention.ms');
    expect(retention?.configValue).toBe(String(30 * 24 * 3_600_000));
  });

  it('is applied once the code can read it', async () => {
    const decoding = { works: false };
    await begin({ partitions: 2, decoding });
    const instance = await start();
    await harness.publishUndecodable('broken');
    const parked = async (): Promise<number> =>
      (await instance.transport.consumerStatus()).reduce((sum, { parkedKeys }) => sum + parkedKeys, 0);
    await waitUntil(async () => (await parked()) === 1, { what: 'the key to be parked' });
    decoding.works = true;
    await instance.transport.replayParked({ group: 'stats.notes' });
    expect(await noted()).toEqual(new Map([['broken', [1]]]));
    expect(await parked()).toBe(0);
  });

  it('is parked under its own name when not even its key can be trusted, and neighbours go on', async () => {
    await begin({ partitions: 1 });
    const [topic] = harness.topics;
    const instance = await start();
    await untilRuns(instance, 1);
    const producer = plainKafka().producer();
    await producer.connect();
    await producer.send({
      topic,
      messages: [{ key: 'proj_1|a', value: 'no event', headers: { ce_id: 'x' } }],
    });
    await producer.disconnect();
    await harness.publish(notes(1, 2));
    await untilEffects(2 * streams.length);
    expect(await harness.database.query(`SELECT key, state, error FROM parked_keys`)).toEqual([
      { key: 'partition 0, offset 0', state: 'PARKED', error: expect.stringMatching(/^SyntaxError/) },
    ]);
    await expectAll(1, 2);
  });
});

describe('lag', () => {
  it('is told while nothing is fetched, and nothing waits in memory without bound', async () => {
    await begin({ partitions: 1 });
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const instance = await start(
      {
        handle: async (batch) => {
          await opened;
          await write(batch);
        },
      },
      { memoryBytesMax: 1_000 },
    );
    await untilRuns(instance, 1);
    await harness.publish(notes(1, 100));
    await harness.allPublished();
    const lag = async () => (await instance.transport.consumerStatus())[0];
    await waitUntil(async () => (await lag())?.lagEvents === 1_200, { what: 'the lag' });
    await harness.publish(notes(101, 110));
    await harness.allPublished();
    await waitUntil(async () => (await lag())?.lagEvents === 1_320, { what: 'the lag to grow' });
    expect((await lag())?.lagSeconds).toBeGreaterThan(0);
    open();
    await untilEffects(1_320);
    await waitUntil(async () => (await lag())?.lagEvents === 0, { what: 'no lag' });
    expect(await lag()).toMatchObject({ lagEvents: 0, lagSeconds: 0 });
    await expectAll(1, 110);
  });
});
