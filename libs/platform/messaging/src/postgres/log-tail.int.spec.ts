import { waitUntil } from '@scrip/testing';
import type { DataSource } from 'typeorm';
import type { Note, RunningInstance } from '../testing/adapter-harness.fixture';
import { startInstance, writeNotes } from '../testing/adapter-harness.fixture';
import { type PostgresHarness, postgresHarness } from '../testing/postgres-harness.fixture';

let harness: PostgresHarness;
let running: RunningInstance[];

beforeEach(async () => {
  harness = await postgresHarness({ works: false });
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((instance) => instance.stop()));
  await harness.close();
});

const start = async (group: string): Promise<RunningInstance> => {
  const instance = await startInstance(harness, [
    {
      topics: harness.topics[0],
      options: { group },
      handle: (batch) => batch.commit((manager) => writeNotes(manager, batch)),
    },
  ]);
  running.push(instance);
  return instance;
};

const count = async (group: string): Promise<number> => {
  const [row] = await harness.database.query<{ n: number }[]>(
    `SELECT count(*)::int AS n FROM noted WHERE reader = $1`,
    [group],
  );
  return row?.n ?? 0;
};

/** Whether an instance consumes. */
const runs = async (instance: RunningInstance): Promise<boolean> =>
  (await instance.transport.consumerStatus()).some((one) => one.running);

const heldOpen = async (database: DataSource): Promise<() => Promise<void>> => {
  const runner = database.createQueryRunner();
  await runner.startTransaction();
  await runner.query('SELECT pg_current_xact_id()');
  return async () => {
    await runner.commitTransaction();
    await runner.release();
  };
};

describe('readers of one log', () => {
  it('miss and repeat nothing, whenever they join and however far they fall behind', async () => {
    const total = 3_000;
    const groups = ['stats.one', 'stats.two', 'stats.three', 'stats.four'];
    const publishing = (async () => {
      for (let from = 1; from <= total; from += 150) {
        const notes: Note[] = Array.from({ length: 150 }, (_, index) => ({
          stream: `s${(from + index) % 17}`,
          number: from + index,
        }));
        await harness.publish(notes);
        const group = groups[Math.floor(from / 800)];
        if (group && running.length === Math.floor(from / 800)) await start(group);
      }
    })();
    await publishing;
    for (const group of groups) {
      await waitUntil(async () => (await count(group)) >= total, {
        what: `all events in ${group}`,
      });
    }
    const doubled = await harness.database.query(
      `SELECT reader, stream, number FROM noted GROUP BY 1, 2, 3 HAVING count(*) > 1`,
    );
    const inverted = await harness.database.query(
      `SELECT reader, stream FROM (
         SELECT reader, stream, number < lag(number) OVER (PARTITION BY reader, stream ORDER BY place) AS back FROM noted
       ) AS noted WHERE back`,
    );
    expect(doubled).toEqual([]);
    expect(inverted).toEqual([]);
    expect(await harness.database.query(`SELECT count(*)::int AS n FROM noted`)).toEqual([
      { n: total * groups.length },
    ]);
  });

  it('see an event as soon as no older transaction can precede it', async () => {
    await start('stats.one');
    const end = await heldOpen(harness.producer);
    await harness.publish([{ stream: 'a', number: 1 }]);
    // The event is committed but not readable: were it read now, one with a lower place could be missed later.
    expect(await harness.store.readLog({ after: null, limit: 10 })).toEqual([]);
    await end();
    await waitUntil(async () => (await count('stats.one')) === 1, { what: 'the event behind the horizon' });
  });

  it('skip nothing when they start while an older transaction is open', async () => {
    const end = await heldOpen(harness.producer);
    await harness.publish([{ stream: 'a', number: 1 }]);
    const instance = await start('stats.one');
    await waitUntil(() => runs(instance), { what: 'the group to run' });
    await end();
    await harness.publish([{ stream: 'b', number: 2 }]);
    await waitUntil(async () => (await count('stats.one')) === 2, { what: 'both events' });
  });

  it('see what other processes commit, which wake nobody here', async () => {
    await start('stats.one');
    const foreign = await harness.foreignStore();
    await foreign([{ stream: 'a', number: 1 }]);
    await waitUntil(async () => (await count('stats.one')) === 1, { what: "another process's event" });
  });

  it('leave their locks to another process at once when theirs are cut', async () => {
    const first = await start('stats.one');
    await harness.publish([{ stream: 'a', number: 1 }]);
    await waitUntil(async () => (await count('stats.one')) === 1, { what: 'the first event' });
    const second = await start('stats.one');
    await harness.publish([{ stream: 'a', number: 2 }]);
    await waitUntil(async () => (await count('stats.one')) === 2, { what: 'the second event' });
    expect(await runs(second)).toBe(false);
    await first.kill();
    await waitUntil(() => runs(second), { what: 'the other process to consume' });
    await harness.publish([{ stream: 'a', number: 3 }]);
    await waitUntil(async () => (await count('stats.one')) === 3, { what: 'the third event' });
  });

  it('take their locks again after the connection that held them was cut', async () => {
    const instance = await start('stats.one');
    await harness.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks
       WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    await harness.publish([{ stream: 'a', number: 1 }]);
    await waitUntil(async () => (await count('stats.one')) === 1, { what: 'the event' });
    await waitUntil(() => runs(instance), { what: 'the group to run again' });
  });
});

describe('an entry that could not be decoded', () => {
  it('is applied by replay once code can read it, before its successors', async () => {
    const decoding = { works: false };
    const own = await postgresHarness(decoding);
    const instance = await startInstance(own, [
      {
        topics: own.topics[0],
        options: { group: 'stats.one' },
        handle: (batch) => batch.commit((manager) => writeNotes(manager, batch)),
      },
    ]);
    try {
      await own.publishUndecodable('broken');
      await own.publish([{ stream: 'broken', number: 2 }]);
      const status = () => instance.transport.consumerStatus().then(([one]) => one);
      await waitUntil(async () => (await status())?.parkedEvents === 2, { what: 'both to be parked' });
      expect(await instance.transport.replayParked({ group: 'stats.one' })).toMatchObject([
        { applied: 0, error: 'TypeError: broken note' },
      ]);
      decoding.works = true;
      expect(await instance.transport.replayParked({ group: 'stats.one' })).toMatchObject([{ applied: 2 }]);
      expect(await own.database.query(`SELECT stream, number FROM noted ORDER BY place`)).toEqual([
        { stream: 'broken', number: 1 },
        { stream: 'broken', number: 2 },
      ]);
    } finally {
      await instance.stop();
      await own.close();
    }
  });
});
