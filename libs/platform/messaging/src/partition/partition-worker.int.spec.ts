import { Logger } from '@nestjs/common';
import { Fault } from '@scrip/kernel';
import type { StoredEvent } from '@scrip/event-store';
import { createDatabase, waitUntil } from '@scrip/testing';
import { DataSource } from 'typeorm';
import type { Consumer } from '../consumer/consumer';
import type { EventBatch } from '../feed/event-batch';
import { messagingMigrations } from '../migrations';
import { type MessagingMetrics, noMessagingMetrics } from '../messaging-metrics';
import type { Mirror } from '../parking/dead-letter';
import { PartitionWorker } from './partition-worker';
import { createNoted, writeNotes } from '../testing/adapter-harness.fixture';

const event = (stream: string, number: number, position: string): StoredEvent => ({
  id: `id-${position}`,
  type: 'NoteWritten',
  schemaVersion: 1,
  service: 'shop',
  aggregate: 'note',
  projectId: 'proj_1',
  streamId: stream,
  version: number,
  position,
  recordedAt: '2026-03-31T10:00:00.000Z',
  data: { stream, number },
  metadata: { correlation_id: 'v-1', channel: 'API' },
});

const events = (from: number, to: number): StoredEvent[] =>
  Array.from({ length: to - from + 1 }, (_, index) => event('a', from + index, `1-700-${from + index}`));

Logger.overrideLogger(false);

const realBesideTimeouts = [
  ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
];

let database: DataSource;
const workers: PartitionWorker[] = [];

const workerOf = async (
  handle: Consumer['handle'],
  {
    triesMs = [5, 5, 5],
    metrics = noMessagingMetrics,
    mirror,
  }: { triesMs?: number[]; metrics?: MessagingMetrics; mirror?: Mirror } = {},
): Promise<PartitionWorker> => {
  const consumer: Consumer = {
    group: 'stats.notes',
    topic: 'scrip.shop.note.v1',
    context: 'stats',
    from: 'beginning',
    handle,
  };
  const settings = { retries: { triesMs, parkedMs: [3_600_000] }, metrics, ...(mirror ? { mirror } : {}) };
  const worker = new PartitionWorker(consumer, 0, database, settings, () =>
    Promise.reject(new Error('no decoder')),
  );
  await worker.open(() => Promise.resolve('0-0-0'));
  workers.push(worker);
  return worker;
};

const write = (batch: EventBatch): Promise<void> => batch.commit((manager) => writeNotes(manager, batch));

const noted = async (): Promise<number[]> =>
  (await database.query<{ number: number }[]>(`SELECT number FROM noted ORDER BY place`)).map(
    ({ number }) => number,
  );

/** Whether a session of this database waits for another one's row. */
const locksWaitedFor = async (): Promise<boolean> => {
  const waiting = await database.query<unknown[]>(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return waiting.length > 0;
};

const position = async (): Promise<string> => {
  const [row] = await database.query<{ position: string }[]>(`SELECT position FROM consumer_positions`);
  return row?.position ?? 'none';
};

beforeEach(async () => {
  database = new DataSource({
    type: 'postgres',
    url: await createDatabase('worker'),
    migrations: messagingMigrations,
    extra: { max: 8 },
  });
  await database.initialize();
  await database.runMigrations();
  await database.query(createNoted);
});
afterEach(async () => {
  jest.useRealTimers();
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await database.destroy();
});

describe('a worker', () => {
  it('applies what lies behind its position, once, and moves it in the same transaction', async () => {
    const worker = await workerOf(write);
    await worker.apply(events(1, 3));
    await worker.apply(events(2, 5));
    expect(await noted()).toEqual([1, 2, 3, 4, 5]);
    expect([await position(), worker.position]).toEqual(['1-700-5', '1-700-5']);
  });

  it('compares positions as numbers, epoch first', async () => {
    const worker = await workerOf(write);
    await worker.apply([event('a', 1, '1-99-9'), event('a', 2, '1-100-10'), event('a', 3, '2-7-11')]);
    expect(await noted()).toEqual([1, 2, 3]);
  });

  it('applies nothing that was fetched before a rewind, also when the rewind is being read meanwhile', async () => {
    const worker = await workerOf(write);
    await worker.apply(events(1, 5));
    await database.query(
      `DELETE FROM noted WHERE number > 2; UPDATE consumer_positions SET position = '1-700-2'`,
    );
    const noticed = worker.refresh();
    await worker.apply(events(6, 6));
    await noticed;
    expect([await noted(), worker.position, worker.rewinds]).toEqual([[1, 2], '1-700-2', 1]);
    await worker.apply(events(3, 6));
    expect(await noted()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('drops what comes again out of order within one batch', async () => {
    const worker = await workerOf(write);
    await worker.apply([...events(1, 3), ...events(2, 4)]);
    expect(await noted()).toEqual([1, 2, 3, 4]);
  });

  it('applies nothing twice beside a worker of another process that holds no lock either', async () => {
    const rivals = await Promise.all([workerOf(write), workerOf(write), workerOf(write)]);
    for (let from = 1; from <= 200; from += 10) {
      await Promise.all(rivals.map((worker) => worker.apply(events(from, from + 9))));
    }
    expect(await noted()).toEqual(events(1, 200).map(({ version }) => version));
  });

  it('applies once when the connection is lost after the server has committed', async () => {
    let losses = 1;
    const worker = await workerOf(write);
    const transaction = database.transaction.bind(database) as (...given: unknown[]) => Promise<unknown>;
    jest.spyOn(database, 'transaction').mockImplementation(async (...given: unknown[]) => {
      await transaction(...given);
      if ((losses -= 1) >= 0) throw new Error('Connection terminated unexpectedly');
    });
    await worker.apply(events(1, 3));
    expect(losses).toBe(0); // one transaction, whose end the worker looked up
    expect(await noted()).toEqual([1, 2, 3]);
  });

  it('undoes the position with the effect', async () => {
    const seen: string[] = [];
    let fails = true;
    const worker = await workerOf((batch) =>
      batch.commit(async (manager) => {
        await writeNotes(manager, batch);
        seen.push(await position());
        if (fails) {
          fails = false;
          throw new Fault('unavailable', 'try again');
        }
      }),
    );
    await worker.apply(events(1, 2));
    expect(seen).toEqual(['0-0-0', '0-0-0']);
    expect(await noted()).toEqual([1, 2]);
  });

  it('passes what has no effect without writing, and notes its place soon, with the next effect, and at the end', async () => {
    const ignored = async (): Promise<void> => undefined;
    let handle: Consumer['handle'] = ignored;
    const worker = await workerOf((batch) => handle(batch));
    // It is not soon until the row was looked at.
    jest.useFakeTimers({ now: Date.now(), doNotFake: realBesideTimeouts });
    await worker.apply(events(1, 2));
    expect([worker.position, await position()]).toEqual(['1-700-2', '0-0-0']);
    jest.advanceTimersByTime(10_000);
    jest.useRealTimers();
    await waitUntil(async () => (await position()) === '1-700-2', { what: 'the place to be noted' });
    await worker.apply(events(3, 3));
    handle = write;
    await worker.apply(events(3, 4));
    expect([await position(), await noted()]).toEqual(['1-700-4', [4]]);
    handle = ignored;
    await worker.apply(events(5, 5));
    await worker.stop();
    expect(await position()).toBe('1-700-5');
  });

  it('begins again where the row says when somebody else moved it meanwhile', async () => {
    const worker = await workerOf(async () => undefined);
    await worker.apply(events(1, 3));
    await database.query(`UPDATE consumer_positions SET position = '1-700-1'`);
    await worker.refresh();
    expect(worker.position).toBe('1-700-1');
  });

  it('waits outside of any transaction before it tries again', async () => {
    let calls = 0;
    const worker = await workerOf(
      (batch) =>
        batch.commit(() => {
          calls += 1;
          return Promise.reject(new Fault('overloaded', 'later'));
        }),
      { triesMs: [3_600_000] },
    );
    const applied = worker.apply(events(1, 1));
    await waitUntil(() => calls === 1, { what: 'the first try' });
    const open = () =>
      database.query<object[]>(
        `SELECT pid FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND state LIKE 'idle in transaction%'`,
      );
    await waitUntil(async () => (await open()).length === 0, { what: 'the end of the transaction' });
    await worker.stop();
    await applied;
    expect(calls).toBe(1);
    await (await workerOf(write)).apply(events(1, 1));
    expect(await noted()).toEqual([1]);
  });

  it('parks the key that fails by itself, and holds the others through a fault', async () => {
    let away = true;
    const handle: Consumer['handle'] = async (batch) => {
      const streams = batch.events.map(({ streamId }) => streamId);
      if (streams.includes('poison')) throw new TypeError('no');
      if (away && streams.includes('b')) throw new Fault('deadline', 'too slow');
      await write(batch);
    };
    const worker = await workerOf(handle);
    const applied = worker.apply([
      event('poison', 1, '1-700-1'),
      event('a', 1, '1-700-2'),
      event('b', 2, '1-700-3'),
      event('c', 3, '1-700-4'),
    ]);
    await waitUntil(async () => (await position()) === '1-700-2', { what: 'the first two keys' });
    away = false;
    await applied;
    expect(await noted()).toEqual([1, 2, 3]);
    expect(await database.query(`SELECT key FROM parked_keys`)).toEqual([{ key: 'proj_1|poison' }]);
  });

  it('halves a run of one stream that takes longer than a statement may, and parks nothing', async () => {
    const sizes: number[] = [];
    const worker = await workerOf(
      (batch) =>
        batch.commit(async (manager) => {
          sizes.push(batch.events.length);
          await writeNotes(manager, batch);
          if (batch.events.length <= 3) return;
          await manager.query(`SET LOCAL statement_timeout = '1 ms'`);
          await manager.query('SELECT pg_sleep(3600)');
        }),
      { triesMs: [5] },
    );
    await worker.apply(events(1, 10));
    expect(sizes).toEqual([10, 10, 10, 5, 3, 2, 5, 3, 2]);
    expect(await noted()).toEqual(events(1, 10).map(({ version }) => version));
    expect(await database.query(`SELECT key FROM parked_keys`)).toEqual([]);
  });

  it('does not count a fault as an attempt of a parked key, and tries it again soon', async () => {
    let error: Error = new TypeError('no');
    const worker = await workerOf(async () => Promise.reject(error), { triesMs: [60_000, 50] });
    await worker.apply(events(1, 1));
    error = new Fault('unavailable', 'away');
    const [replayed] = await worker.replay();
    const [key] = await database.query<Record<string, unknown>[]>(
      `SELECT state, attempts, next_attempt_at < now() + interval '1 s' AS soon FROM parked_keys`,
    );
    expect([replayed?.error, key]).toEqual(['Fault: away', { state: 'RETRYING', attempts: 1, soon: true }]);
  });

  it('does not commit a batch that was split by an old list of parked keys', async () => {
    let reached: () => void = () => undefined;
    let go: () => void = () => undefined;
    const atTheDoor = new Promise<void>((resolve) => (reached = resolve));
    const opened = new Promise<void>((resolve) => (go = resolve));
    const slow = await workerOf(async (batch) => {
      reached();
      await opened;
      await write(batch);
    });
    const applying = slow.apply(events(1, 2));
    await atTheDoor;
    // Another process parks the key at the same position meanwhile.
    await database.query(`UPDATE consumer_positions SET parkings = parkings + 1`);
    await database.query(
      `INSERT INTO parked_keys (consumer_group, topic, partition, key, state, attempts, error, next_attempt_at)
       VALUES ('stats.notes', 'scrip.shop.note.v1', 0, 'proj_1|a', 'PARKED', 4, 'x', now() + interval '1 hour')`,
    );
    go();
    await applying;
    expect(await noted()).toEqual([]);
    expect(await database.query(`SELECT key FROM parked_events`)).toEqual([
      { key: 'proj_1|a' },
      { key: 'proj_1|a' },
    ]);
  });

  it('leaves no successor behind when its key is released at that moment', async () => {
    let reached: () => void = () => undefined;
    let go: () => void = () => undefined;
    const atTheDoor = new Promise<void>((resolve) => (reached = resolve));
    const opened = new Promise<void>((resolve) => (go = resolve));
    const replayer = await workerOf(
      (batch) =>
        batch.replayed
          ? batch.commit(async (manager) => {
              await writeNotes(manager, batch);
              reached();
              await opened;
            })
          : Promise.reject(new TypeError('poison')),
      { triesMs: [60_000] },
    );
    await replayer.apply(events(1, 1));
    const reader = await workerOf(write);
    const replayed = replayer.replay();
    await atTheDoor;
    const applied = reader.apply(events(2, 2));
    await waitUntil(async () => (await position()) !== '1-700-1' || (await locksWaitedFor()), {
      what: 'the reader to reach the position row',
    });
    go();
    await Promise.all([replayed, applied]);
    expect(await noted()).toEqual([1, 2]);
    expect(await database.query(`SELECT 1 FROM parked_events`)).toEqual([]);
  });

  it('releases no key while a successor is being parked behind it', async () => {
    let reached: () => void = () => undefined;
    let go: () => void = () => undefined;
    const atTheDoor = new Promise<void>((resolve) => (reached = resolve));
    const opened = new Promise<void>((resolve) => (go = resolve));
    const handle: Consumer['handle'] = async (batch) => {
      const [first] = batch.events;
      if (first?.streamId === 'a' && (!batch.replayed || first.version === 2)) throw new TypeError('poison');
      await batch.commit(async (manager) => {
        await writeNotes(manager, batch);
        if (batch.replayed) return;
        reached();
        await opened;
      });
    };
    const reader = await workerOf(handle, { triesMs: [60_000] });
    await reader.apply([event('a', 1, '1-700-1')]);
    const replayer = await workerOf(handle, { triesMs: [60_000] });
    // The transaction that parks a's second event stays open, because b's effect in it takes its time.
    const applied = reader.apply([event('a', 2, '1-700-2'), event('b', 1, '1-700-3')]);
    await atTheDoor;
    const replayed = replayer.replay();
    await waitUntil(() => locksWaitedFor(), { what: 'the replay to reach the position row' });
    go();
    await Promise.all([applied, replayed]);
    expect(await noted()).toEqual([1, 1]);
    expect(
      await database.query(`SELECT key, e.position FROM parked_events e JOIN parked_keys USING (key)`),
    ).toEqual([{ key: 'proj_1|a', position: '1-700-2' }]);
  });

  it('replays large events in parts that fit into memory', async () => {
    const sizes: number[] = [];
    const worker = await workerOf(
      async (batch) => {
        if (!batch.replayed) throw new TypeError('no');
        sizes.push(batch.events.length);
        await write(batch);
      },
      { triesMs: [60_000] },
    );
    await worker.apply(
      events(1, 25).map((one) => ({
        ...one,
        data: { stream: 'a', number: one.version, text: 'x'.repeat(200_000) },
      })),
    );
    expect(await worker.replay()).toMatchObject([{ applied: 25 }]);
    expect(sizes).toEqual([10, 10, 5]);
    expect(await noted()).toEqual(events(1, 25).map(({ version }) => version));
  });

  it('lets a replay hold no row while a rebuild keeps writers out of the table', async () => {
    let healed = false;
    const worker = await workerOf((batch) => (healed ? write(batch) : Promise.reject(new TypeError('no'))), {
      triesMs: [60_000],
    });
    await worker.apply(events(1, 1));
    healed = true;
    const rebuild = database.createQueryRunner();
    await rebuild.startTransaction();
    await rebuild.query('LOCK TABLE consumer_positions IN SHARE ROW EXCLUSIVE MODE');
    const replayed = worker.replay();
    await waitUntil(() => locksWaitedFor(), { what: 'the replay to reach the table' });
    await rebuild.query(`SELECT 1 FROM consumer_positions FOR UPDATE NOWAIT`);
    await rebuild.commitTransaction();
    await rebuild.release();
    expect(await replayed).toEqual([{ key: 'proj_1|a', applied: 1, attempts: 1 }]);
  });

  it('applies no parked event twice when two processes replay it', async () => {
    let healed = false;
    let waiting = 0;
    let go: () => void = () => undefined;
    const bothRead = new Promise<void>((resolve) => (go = resolve));
    const handle: Consumer['handle'] = async (batch) => {
      if (!healed) throw new TypeError('poison');
      if ((waiting += 1) === 2) go();
      await bothRead;
      await write(batch);
    };
    const later = { triesMs: [60_000] };
    const [first, second] = [await workerOf(handle, later), await workerOf(handle, later)];
    await first.apply(events(1, 3));
    healed = true;
    await Promise.all([first.replay(), second.replay()]);
    expect(await noted()).toEqual([1, 2, 3]);
    expect(await database.query(`SELECT 1 FROM parked_keys`)).toEqual([]);
  });

  it('refuses a second commit of one batch, and one after the handler has ended', async () => {
    const refusals: string[] = [];
    let late: EventBatch | undefined;
    const worker = await workerOf(async (batch) => {
      await batch.commit(async () => undefined);
      late = batch;
      await batch.commit(async () => undefined).catch((error: Error) => refusals.push(error.message));
    });
    await worker.apply(events(1, 1));
    await late?.commit(async () => undefined).catch((error: Error) => refusals.push(error.message));
    expect(refusals).toEqual([
      'a batch of stats.notes was committed twice',
      'a batch of stats.notes was committed twice',
    ]);
  });

  it('tells its hooks what took effect, what was set aside, and what is parked for good', async () => {
    const told: string[] = [];
    const metrics: MessagingMetrics = {
      applied: ({ group, events: count, durationMs, delayMs }) =>
        told.push(`${group} applied ${count} ${durationMs > 0 && delayMs > 0}`),
      setAside: ({ topic, state, events: count }) => told.push(`${topic} ${state} ${count}`),
    };
    const picky: Consumer['handle'] = (batch) =>
      batch.events.some(({ streamId }) => streamId === 'poison')
        ? Promise.reject(new TypeError('no'))
        : write(batch);
    const worker = await workerOf(picky, { metrics });
    await worker.apply([...events(1, 2), event('poison', 1, '1-700-3')]);
    await waitUntil(() => told.length === 3, { what: 'the key to be parked' });
    expect(told).toEqual([
      'stats.notes applied 2 true',
      'scrip.shop.note.v1 RETRYING 1',
      'scrip.shop.note.v1 PARKED 0',
    ]);
  });

  it('mirrors parked events in sets, each once and in order, and goes on meanwhile', async () => {
    const told: number[][] = [];
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const mirror: Mirror = async (letters) => {
      told.push(letters.map(({ content }) => (JSON.parse(content) as StoredEvent).version));
      await opened;
    };
    const picky: Consumer['handle'] = (batch) =>
      batch.events.some(({ streamId }) => streamId === 'poison')
        ? Promise.reject(new TypeError('no'))
        : write(batch);
    const worker = await workerOf(picky, { triesMs: [], mirror });
    await worker.apply(
      Array.from({ length: 1_200 }, (_, index) => event('poison', index + 1, `1-700-${index}`)),
    );
    await waitUntil(() => told.length === 1, { what: 'the first letters' });
    await worker.apply([event('a', 7, '1-800-1')]);
    expect(await noted()).toEqual([7]);
    open();
    await waitUntil(() => told.flat().length === 1_200, { what: 'all letters' });
    expect(told.flat()).toEqual(Array.from({ length: 1_200 }, (_, index) => index + 1));
    expect(told.length).toBeLessThan(6);
  });

  it('mirrors large events in sets that a topic takes', async () => {
    const sets: number[] = [];
    const mirror: Mirror = async (letters) => void sets.push(letters.length);
    const worker = await workerOf(() => Promise.reject(new TypeError('no')), { triesMs: [], mirror });
    const large = events(1, 9).map((one) => ({ ...one, data: { text: 'x'.repeat(200_000) } }));
    await worker.apply(large);
    await waitUntil(() => sets.reduce((sum, size) => sum + size, 0) === 9, { what: 'all letters' });
    expect(sets).toEqual([3, 3, 3]);
  });

  it('keeps NUL characters of an error out of the table of parked keys', async () => {
    const worker = await workerOf(() => Promise.reject(new TypeError('odd \u0000 text')));
    await worker.apply(events(1, 1));
    const [key] = await database.query<{ error: string }[]>(`SELECT error FROM parked_keys`);
    expect(key?.error).toBe('TypeError: odd \\0 text');
  });

  it('parks what has no readable position, once, without moving its own', async () => {
    const worker = await workerOf(write);
    const lost = { undecodable: true as const, key: 'offset:7', position: null, raw: '{', error: 'no JSON' };
    await worker.apply([...events(1, 1), lost, ...events(2, 2)]);
    await worker.apply([lost]);
    expect(await noted()).toEqual([1, 2]);
    expect(await position()).toBe('1-700-2');
    expect(await database.query(`SELECT key, event, decoded FROM parked_events`)).toEqual([
      { key: 'offset:7', event: '{', decoded: false },
    ]);
  });
});
