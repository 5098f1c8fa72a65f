import { startKafka, waitUntil } from '@scrip/testing';
import { brokerDoor } from '../testing/broker-door.fixture';
import { plainKafka, readTopic } from '../testing/kafka-harness.fixture';
import { deadLetterTopic } from './dead-letter-topic';
import type { KafkaTransportOptions } from './kafka-event-transport';
import { KafkaRelay } from './relay/kafka-relay';
import {
  admin,
  begin,
  effects,
  ends,
  expectAll,
  harness,
  noted,
  notes,
  start,
  streams,
  untilEffects,
  untilRuns,
  useFeed,
  write,
} from '../testing/feed-of-notes.fixture';

useFeed();

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

  it('shows as lag: what waits is counted in the log of the owner', async () => {
    const broker = await brokerDoor();
    ends.push(() => broker.remove());
    const readOwnersLog: KafkaTransportOptions['readOwnersLog'] = (_topic, { after, limit }) =>
      harness.store.readLog({ after, limit, aggregates: ['note'] });
    const instance = await start({}, { readOwnersLog });
    await harness.publish(notes(1, 5));
    await untilEffects(5 * streams.length);
    const lag = async (of = instance): Promise<{ events: number; seconds: number }> => {
      const all = await of.transport.consumerStatus();
      return {
        events: all.reduce((sum, { lagEvents }) => sum + (lagEvents ?? Number.NaN), 0),
        seconds: Math.max(...all.map(({ lagSeconds }) => lagSeconds ?? Number.NaN)),
      };
    };
    await waitUntil(async () => (await lag()).events === 0, { what: 'no lag' });
    await broker.close();
    await harness.publish(notes(6, 10));
    const waiting = 5 * streams.length;
    await waitUntil(async () => (await lag()).events === waiting, { what: 'the lag' });
    expect((await lag()).seconds).toBeGreaterThan(0);
    await instance.stop();
    // A process that never saw the broker knows it too.
    const blind = await start({}, { readOwnersLog, startPatienceMs: 100 });
    expect((await lag(blind)).events).toBe(waiting);
    await broker.open();
    await untilEffects(10 * streams.length);
    await waitUntil(async () => (await lag(blind)).events === 0, { what: 'no lag again' });
  });

  it('may be killed and come back', async () => {
    const broker = await startKafka({ quickStart: true });
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
    await untilEffects(32 * streams.length);
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
    expect(Date.now() - from).toBeLessThan(30_000);
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
      value: expect.stringContaining('"subject":"poison"'),
      headers: {
        'content-type': 'application/cloudevents+json',
        'dlq-error': 'TypeError: no such note',
        'dlq-attempts': '4',
      },
    });
    expect(byKey.get('proj_1|broken')).toMatchObject({
      value: expect.stringContaining('"subject":"broken"'),
      headers: { 'dlq-error': 'TypeError: broken note', 'dlq-attempts': '1' },
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
      messages: [{ key: 'proj_1|a', value: 'no event' }],
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
