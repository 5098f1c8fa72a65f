import { waitUntil } from '@scrip/testing';
import { startInstance } from '../testing/adapter-harness.fixture';
import { type KafkaTransportOptions } from './kafka-event-transport';
import { partitionOfKey } from './partitioning';
import { type EventBatch } from '../feed/event-batch';
import { KafkaRelay } from './relay/kafka-relay';
import { rewindRelay } from './relay/rewind-relay';
import {
  admin,
  begin,
  ends,
  expectAll,
  expireAll,
  harness,
  noted,
  notes,
  restoreEmpty,
  running,
  start,
  streams,
  untilEffects,
  untilRuns,
  useFeed,
} from '../testing/feed-of-notes.fixture';

useFeed();

describe('what the broker holds', () => {
  beforeEach(() => begin());

  it('has no effect twice when the group is set back to the beginning and every message comes three times', async () => {
    const first = await start();
    await harness.publish(notes(1, 20));
    await untilEffects(20 * streams.length);
    await first.stop();
    await harness.publishAgain();
    await harness.publishAgain();
    const setBack = () =>
      admin((of) => of.resetOffsets({ groupId: 'stats.notes', topic: harness.topics[0], earliest: true }));
    await waitUntil(() => setBack().then(() => true), { what: 'the broker to know that the group is empty' });
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
    // Not older than the topic keeps, an hour: the broker may look for that at any time.
    await harness.shop.query(`UPDATE events SET recorded_at = recorded_at - interval '30 minutes'`);
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

describe('a group whose database was set back to its beginning', () => {
  beforeEach(() => begin());

  it('reads from the owner what the topic no longer holds, each process its partitions', async () => {
    const [topic] = harness.topics;
    const pages: number[] = [];
    const readOwnersLog: KafkaTransportOptions['readOwnersLog'] = async (_topic, { after, limit }) => {
      const page = await harness.store.readLog({ after, limit, aggregates: ['note'] });
      pages.push(page.length);
      return page;
    };
    const first = await start({}, { readOwnersLog });
    const second = await start({}, { readOwnersLog });
    await harness.publish(notes(1, 60));
    await untilEffects(60 * streams.length);
    await untilRuns(first, 3);
    await untilRuns(second, 3);
    await expireAll(topic);
    pages.length = 0;
    await restoreEmpty();
    await harness.publish(notes(61, 62));
    await untilEffects(62 * streams.length);
    await expectAll(1, 62);
    // A partition without any stream has nothing to read again; the others take two pages each.
    const used = new Set(streams.map((stream) => partitionOfKey(`proj_1|${stream}`, 6)));
    expect(pages.length).toBeGreaterThanOrEqual(2 * used.size);
  });

  it('brings what an older release of the owner answers to the newest schema version', async () => {
    const readOwnersLog: KafkaTransportOptions['readOwnersLog'] = (_topic, { after, limit }) =>
      harness.older.readLog({ after, limit, aggregates: ['note'] });
    await start({}, { readOwnersLog });
    await harness.publishOld({ stream: 'a', number: 7 });
    await untilEffects(1);
    await expireAll(harness.topics[0]);
    await restoreEmpty();
    await harness.publish([{ stream: 'b', number: 1 }]);
    await untilEffects(2);
    expect(await noted()).toEqual(
      new Map([
        ['a', [7]],
        ['b', [1]],
      ]),
    );
  });

  it('reads the topic from its beginning where nobody can be asked', async () => {
    await start();
    await harness.publish(notes(1, 10));
    await untilEffects(10 * streams.length);
    await restoreEmpty();
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

describe('a group that lags when its topic is made anew', () => {
  const owner: KafkaTransportOptions['readOwnersLog'] = (_topic, { after, limit }) =>
    harness.store.readLog({ after, limit, aggregates: ['note'] });
  const remove = (topic: string): Promise<void> =>
    admin(async (of) => {
      await of.deleteTopics({ topics: [topic] });
      await waitUntil(async () => !(await of.listTopics()).includes(topic), { what: 'the topic to be gone' });
    });

  it('gets what the new topic lacks from the owner, also where it holds later events already', async () => {
    await begin();
    const [topic] = harness.topics;
    const first = await start();
    await harness.publish(notes(1, 5));
    await untilEffects(5 * streams.length);
    await first.stop();
    await harness.publish(notes(6, 10));
    await harness.allPublished();
    await remove(topic);
    await harness.publish(notes(11, 12));
    await harness.allPublished();
    await start({}, { readOwnersLog: owner });
    await untilEffects(12 * streams.length);
    await expectAll(1, 12);
  });

  it('gets it where the new topic is empty', async () => {
    await begin();
    const [topic] = harness.topics;
    const first = await start();
    await harness.publish(notes(1, 5));
    await untilEffects(5 * streams.length);
    await first.stop();
    await harness.publish(notes(6, 10));
    await harness.allPublished();
    await remove(topic);
    await start({}, { readOwnersLog: owner });
    await untilEffects(10 * streams.length);
    await expectAll(1, 10);
  });

  it('asks the owner for nothing where the topic holds all that comes next', async () => {
    await begin();
    let asked = 0;
    const first = await start();
    await harness.publish(notes(1, 5));
    await untilEffects(5 * streams.length);
    await first.stop();
    await harness.publish(notes(6, 7));
    await harness.allPublished();
    await start({}, { readOwnersLog: async () => ((asked += 1), []) });
    await harness.publish(notes(8, 8));
    await untilEffects(8 * streams.length);
    await expectAll(1, 8);
    // A partition in which no stream lies may have lost everything, for all that its reader knows.
    const used = new Set(streams.map((stream) => partitionOfKey(`proj_1|${stream}`, 6)));
    expect(asked).toBe(6 - used.size);
  });
});

describe('events that the brokers have lost', () => {
  it('are published again by a relay that was set back, and applied by those alone that lack them', async () => {
    await begin();
    const [topic] = harness.topics;
    await start();
    await harness.publish(notes(1, 4));
    const [{ since } = { since: '' }] = await harness.shop.query<{ since: string }[]>(
      `SELECT to_json(date_trunc('milliseconds', clock_timestamp()) + interval '1 ms') #>> '{}' AS since`,
    );
    await waitUntil(() => Date.now() > Date.parse(since) + 1, { what: 'the next instant' });
    await harness.publish(notes(5, 5));
    await untilEffects(5 * streams.length);
    await harness.allPublished();
    await expireAll(topic);
    const moved = await rewindRelay(harness.shop, harness.store.service, since);
    expect(moved).toMatchObject({ from: expect.any(String), to: expect.any(String) });
    const seen: number[] = [];
    const late = {
      topics: topic,
      options: { group: 'stats.late' },
      handle: async (batch: EventBatch) => void seen.push(...batch.events.map(({ version }) => version)),
    };
    running.push(await startInstance(harness, [late]));
    await waitUntil(() => seen.filter((version) => version === 5).length === streams.length, {
      what: 'the lost events',
    });
    expect(seen).not.toContain(1);
    await harness.publish(notes(6, 6));
    await untilEffects(6 * streams.length);
    await expectAll(1, 6);
  });
});
