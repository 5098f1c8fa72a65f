import { waitUntil } from '@scrip/testing';
import { type Handle, type Note, writeNotes } from '../testing/adapter-harness.fixture';
import {
  begin,
  effects,
  expectAll,
  harness,
  noted,
  notes,
  numbers,
  partitionsRun,
  start,
  streams,
  untilEffects,
  untilRuns,
  useFeed,
  write,
} from '../testing/feed-of-notes.fixture';

useFeed();

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
      { what: 'no key to be parked' },
    );
    expect(tries).toBeGreaterThan(10);
    expect(new Set(joins)).toEqual(new Set([6]));
    for (const [stream, seen] of await noted()) expect([stream, seen]).toEqual([stream, numbers(1, 50)]);
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
