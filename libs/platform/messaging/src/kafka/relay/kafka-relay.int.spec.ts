import { Logger } from '@nestjs/common';
import { waitUntil } from '@scrip/testing';
import { randomBytes } from 'node:crypto';
import {
  createTopic,
  plainKafka,
  readTopic,
  testKafka,
  uniqueService,
  useBroker,
} from '../../testing/kafka-harness.fixture';
import { type ShopAndStats, shopAndStats } from '../../testing/shop-and-stats.fixture';
import { brokerDoor } from '../../testing/broker-door.fixture';
import { EventPublisher, outgoing } from './event-publisher';
import { KafkaRelay, type KafkaRelayOptions } from './kafka-relay';

Logger.overrideLogger(false);
useBroker();

let shop: ShopAndStats;
let topic: string;
let relays: KafkaRelay[];
let ends: (() => Promise<void>)[];

const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

beforeEach(async () => {
  shop = await shopAndStats(uniqueService(), { works: true });
  [topic] = shop.topics;
  relays = [];
  ends = [];
});
afterEach(async () => {
  await Promise.all(relays.map((relay) => relay.stop()));
  await Promise.all(ends.map((end) => end()));
  const admin = plainKafka().admin();
  await admin.connect();
  const own = (await admin.listTopics()).filter((name) => name.includes(shop.store.service));
  if (own.length > 0) await admin.deleteTopics({ topics: own });
  await admin.disconnect();
  await shop.close();
});

/** A relay as another process of the service has it. */
const start = async (options: Partial<KafkaRelayOptions> = {}): Promise<KafkaRelay> => {
  const relay = new KafkaRelay({
    store: shop.store,
    database: await shop.source('shop'),
    kafka: testKafka(3),
    ...options,
  });
  relays.push(relay);
  await relay.start();
  return relay;
};

const append = (stream: string, from: number, to: number): Promise<void> =>
  shop.append(
    numbers(from, to).map((number) => ({ stream, number })),
    topic,
  );

const untilLeading = (relay: KafkaRelay): Promise<unknown> =>
  waitUntil(async () => (await relay.status()).leading, { what: 'the relay to lead' });

const untilPublished = (relay: KafkaRelay): Promise<unknown> =>
  waitUntil(async () => (await relay.status()).lagEvents === 0, {
    what: 'everything to be published',
  });

const storedPosition = async (): Promise<string | undefined> => {
  const [row] = await shop.shop.query<{ position: string }[]>(`SELECT position FROM relay_positions`);
  return row?.position;
};

interface Arrived {
  stream: string;
  number: number;
}

/** How many different notes there are: what is published twice counts once. */
const different = (arrived: readonly Arrived[]): number =>
  new Set(arrived.map(({ stream, number }) => `${stream} ${number}`)).size;

/** What is in the topic once `isAll` says so, in the order of each partition. */
const publishedUntil = async (
  isAll: (arrived: readonly Arrived[]) => boolean,
  what: string,
): Promise<Arrived[]> => {
  const arrived: Arrived[] = [];
  ends.push(
    await readTopic(topic, ({ value }) => arrived.push((JSON.parse(value) as { data: Arrived }).data)),
  );
  await waitUntil(() => isAll(arrived), { what });
  return arrived;
};

/** The same, with so many different notes. */
const published = (count: number): Promise<Arrived[]> =>
  publishedUntil((arrived) => different(arrived) >= count, `${count} different notes`);

/** A stream's numbers as a consumer that drops what came before sees them. */
const firstOccurrences = (arrived: readonly Arrived[], stream: string): number[] => {
  const seen: number[] = [];
  for (const { stream: of, number } of arrived)
    if (of === stream && number > (seen.at(-1) ?? 0)) seen.push(number);
  return seen;
};

const lockHolders = (): Promise<{ pid: number }[]> =>
  shop.shop.query(`
    SELECT pid FROM pg_locks JOIN pg_database d ON d.oid = database
    WHERE locktype = 'advisory' AND granted AND datname = current_database()`);

describe('a relay', () => {
  it('publishes in log order as CloudEvents, keyed by stream, and notes how far it is', async () => {
    const relay = await start();
    await append('a', 1, 30);
    await untilPublished(relay);
    const messages: { key: string; headers: Record<string, string>; value: string }[] = [];
    ends.push(await readTopic(topic, (message) => messages.push(message)));
    await waitUntil(() => messages.length === 30, { what: 'the messages' });
    const envelopes = messages.map(({ value }) => JSON.parse(value) as { data: Arrived });
    expect(envelopes.map(({ data }) => data.number)).toEqual(numbers(1, 30));
    const [event] = await shop.store.readLog({ after: null, limit: 1 });
    expect(messages[0]).toMatchObject({
      key: 'proj_1|a',
      headers: { 'content-type': 'application/cloudevents+json' },
    });
    expect(envelopes[0]).toMatchObject({
      specversion: '1.0',
      id: event?.id,
      source: `/scrip/${shop.store.service}`,
      type: `scrip.${shop.store.service}.NoteWritten`,
      subject: 'a',
      time: event?.recordedAt,
      sequence: '1',
      logposition: event?.position,
      partitionkey: 'proj_1|a',
      projectid: 'proj_1',
    });
    await waitUntil(async () => (await storedPosition()) === (await shop.store.head()), {
      what: 'the position to be stored',
    });
  });

  it('makes its topics as they are configured', async () => {
    const relay = await start({
      kafka: { ...testKafka(5), messageBytesMax: 2_000_000, retentionMs: 123_456 },
    });
    await append('a', 1, 1);
    await untilPublished(relay);
    const admin = plainKafka().admin();
    await admin.connect();
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: 2, name: topic }],
    });
    await admin.disconnect();
    const config = Object.fromEntries(
      (resources[0]?.configEntries ?? []).map(({ configName, configValue }) => [configName, configValue]),
    );
    expect(topics[0]?.partitions).toHaveLength(5);
    expect(config).toMatchObject({
      'retention.ms': '123456',
      'max.message.bytes': '2000000',
      'cleanup.policy': 'delete',
      'message.timestamp.type': 'CreateTime',
    });
  });

  it('goes on after a restart where it stopped, and publishes nothing twice', async () => {
    const first = await start();
    await append('a', 1, 20);
    await untilPublished(first);
    await first.stop();
    await append('a', 21, 40);
    const second = await start();
    await untilPublished(second);
    await append('a', 41, 41);
    await untilPublished(second);
    expect((await published(41)).map(({ number }) => number)).toEqual(numbers(1, 41));
  });

  it('has one leader, and another one when it goes', async () => {
    const first = await start();
    await untilLeading(first);
    const second = await start();
    await append('a', 1, 5);
    await untilPublished(first);
    expect([(await first.status()).leading, (await second.status()).leading]).toEqual([true, false]);
    expect(await lockHolders()).toHaveLength(1);
    await first.stop();
    await untilLeading(second);
    await append('a', 6, 6);
    await untilPublished(second);
    expect(firstOccurrences(await published(6), 'a')).toEqual(numbers(1, 6));
  });

  it('stops publishing when the connection that holds its lock is killed, and the order is kept', async () => {
    const first = await start();
    await untilLeading(first);
    await append('a', 1, 50);
    const second = await start();
    for (let round = 0; round < 4; round += 1) {
      const appending = append('a', 51 + round * 100, 150 + round * 100);
      const [holder] = await lockHolders();
      await shop.shop.query('SELECT pg_terminate_backend($1)', [holder?.pid]);
      await appending;
      await waitUntil(
        async () => {
          const next = await lockHolders();
          return next.length === 1 && next[0]?.pid !== holder?.pid;
        },
        { what: 'another leader' },
      );
    }
    await untilPublished(second);
    expect(firstOccurrences(await published(450), 'a')).toEqual(numbers(1, 450));
  });

  it('cuts off what it is sending the moment that connection is gone', async () => {
    const broker = await brokerDoor();
    ends.push(() => broker.remove());
    const first = await start();
    await append('a', 1, 3);
    await untilPublished(first);
    await start();
    broker.stall();
    const send = jest.spyOn(EventPublisher.prototype, 'send');
    ends.push(async () => send.mockRestore());
    await append('a', 4, 5);
    await waitUntil(() => send.mock.calls.length > 0, { what: 'something to be sent' });
    const [holder] = await lockHolders();
    await shop.shop.query('SELECT pg_terminate_backend($1)', [holder?.pid]);
    // A request that gets no answer lasts 15 s.
    await waitUntil(async () => !(await first.status()).leading, {
      what: 'the end of the lead',
      timeoutMs: 10_000,
    });
    await broker.remove(); // or stopping would wait for it
  });

  it('leads no longer when somebody else has moved its position', async () => {
    const relay = await start();
    await append('a', 1, 5);
    await untilPublished(relay);
    await waitUntil(async () => (await storedPosition()) === (await shop.store.head()), {
      what: 'the position to be stored',
    });
    await shop.shop.query(`UPDATE relay_positions SET position = '0-0-0'`);
    await append('a', 6, 6);
    // It takes the lead again, reads the other one's position, and publishes what that lacks.
    // Whether it publishes the sixth before it learns of that or not.
    const last = (arrived: readonly Arrived[]) => arrived.slice(-6).map(({ number }) => number);
    const arrived = await publishedUntil(
      (some) => some.length >= 11 && String(last(some)) === String(numbers(1, 6)),
      'all six once more',
    );
    expect(firstOccurrences(arrived, 'a')).toEqual(numbers(1, 6));
  });

  it('keeps every stream in order and loses nothing when leaders overlap', async () => {
    const relay = await start();
    await untilLeading(relay);
    const streams = ['a', 'b', 'c', 'd'];
    // One that has not heard yet that it leads no longer: it publishes on from where it was.
    const stale = new EventPublisher(testKafka(3));
    ends.push(() => stale.close());
    const overlapping = (async () => {
      let after: string | null = null;
      for (let sent = 0; sent < 300 * streams.length;) {
        // Other suites write on the same server and hold readers back: an empty page is no end.
        const page = await waitUntil(
          async () => {
            const read = await shop.store.readLog({ after, limit: 37 });
            return read.length > 0 && read;
          },
          { what: 'more to publish', intervalMs: 1 },
        );
        await stale.send(page.map(outgoing));
        after = page.at(-1)?.position ?? after;
        sent += page.length;
      }
    })();
    for (let from = 1; from <= 300; from += 20) {
      await Promise.all(streams.map((stream) => append(stream, from, from + 19)));
    }
    await overlapping;
    await untilPublished(relay);
    const all = 300 * streams.length;
    const arrived = await publishedUntil(
      (some) => some.length >= 2 * all && different(some) >= all,
      `${2 * all} messages`,
    );
    for (const stream of streams) expect(firstOccurrences(arrived, stream)).toEqual(numbers(1, 300));
  });

  it('waits while the broker is away, refuses no append, and keeps the order after', async () => {
    const broker = await brokerDoor();
    ends.push(() => broker.remove());
    const relay = await start();
    await append('a', 1, 10);
    await untilPublished(relay);
    for (const from of [11, 201]) {
      const appending = append('a', from, from + 99);
      await broker.close();
      await appending;
      await append('a', from + 100, from + 189);
      const { lagEvents, lagSeconds } = await relay.status();
      expect([lagEvents >= 90, lagSeconds > 0]).toEqual([true, true]);
      await broker.open();
      await untilPublished(relay);
    }
    const arrived = await published(390);
    expect(firstOccurrences(arrived, 'a')).toEqual([...numbers(1, 200), ...numbers(201, 390)]);
  });

  it('stops in time while the broker is away, also when it never was there', async () => {
    const broker = await brokerDoor();
    ends.push(() => broker.remove());
    await broker.close();
    const relay = await start();
    await append('a', 1, 1);
    await untilLeading(relay);
    const from = Date.now();
    await relay.stop();
    expect(Date.now() - from).toBeLessThan(30_000);
    expect(await lockHolders()).toEqual([]);
  });

  it('notes an event that the broker refuses for its size, and publishes its neighbours', async () => {
    const refusals: string[] = [];
    // A topic that takes less than is configured: what fits one request may hold what the topic refuses.
    const configEntries = [{ name: 'max.message.bytes', value: '1500' }];
    await createTopic({ topic, numPartitions: 3, configEntries });
    const metrics = {
      published: () => undefined,
      refused: (of: { topic: string }) => void refusals.push(of.topic),
    };
    const streams = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const stream of streams) await append(stream, 1, 5);
    // Random, so that it is as large when it is compressed.
    await shop.append([{ stream: randomBytes(1_700).toString('base64'), number: 1 }], topic);
    for (const stream of streams) await append(stream, 6, 10);
    const relay = await start({ metrics });
    await untilPublished(relay);
    const arrived = await published(10 * streams.length);
    for (const stream of streams) expect(firstOccurrences(arrived, stream)).toEqual(numbers(1, 10));
    const unpublished = await shop.shop.query<{ topic: string; error: string; event_id: string }[]>(
      `SELECT topic, error, event_id FROM unpublished_events`,
    );
    const [large] = (await shop.store.readLog({ after: null, limit: 1_000 })).filter(
      ({ streamId }) => streamId.length > 1_000,
    );
    expect(unpublished).toEqual([
      { topic, event_id: large?.id, error: expect.stringMatching(/larger than the max message size/) },
    ]);
    expect([refusals, (await relay.status()).refused]).toEqual([[topic], 1]);
  });

  it('publishes as it is stored what no upcaster can read', async () => {
    const own = await shopAndStats(uniqueService(), { works: false });
    const [notes] = own.topics;
    const relay = new KafkaRelay({ store: own.store, database: own.shop, kafka: testKafka() });
    await own.append([{ stream: 'a', number: 1 }], notes);
    await own.appendUndecodable('broken', notes);
    await own.append([{ stream: 'a', number: 2 }], notes);
    await relay.start();
    const subjects: string[] = [];
    const end = await readTopicOnce(notes, (subject) => subjects.push(subject));
    await waitUntil(() => subjects.length === 3, { what: 'three messages' });
    await end();
    await relay.stop();
    await own.close();
    expect(subjects).toEqual(['a', 'broken', 'a']);
  });

  it('publishes the events of a restored database, whose positions begin a new epoch, at once', async () => {
    const relay = await start();
    await append('a', 1, 10);
    await untilPublished(relay);
    const epoch = await shop.store.raiseEpoch();
    await append('a', 11, 12);
    await untilPublished(relay);
    const positions: string[] = [];
    ends.push(
      await readTopic(topic, ({ value }) =>
        positions.push((JSON.parse(value) as { logposition: string }).logposition),
      ),
    );
    await waitUntil(() => positions.length === 12, { what: 'all messages' });
    expect(positions.slice(-2).every((position) => position.startsWith(`${epoch}-`))).toBe(true);
  });
});

const readTopicOnce = async (name: string, each: (subject: string) => void): Promise<() => Promise<void>> => {
  await waitUntil(
    async () => {
      const admin = plainKafka().admin();
      await admin.connect();
      const topics = await admin.listTopics();
      await admin.disconnect();
      return topics.includes(name);
    },
    { what: 'the topic', intervalMs: 200 },
  );
  return readTopic(name, ({ value }) => each((JSON.parse(value) as { subject: string }).subject));
};
