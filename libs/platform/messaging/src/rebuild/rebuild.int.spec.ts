import { waitUntil } from '@scrip/testing';
import type { EventBatch } from '../feed/event-batch';
import {
  type Handle,
  type Note,
  type RunningInstance,
  startInstance,
  writeNotes,
} from '../testing/adapter-harness.fixture';
import { type PostgresHarness, postgresHarness } from '../testing/postgres-harness.fixture';

const fills = ['noted'];
const group = 'stats.notes';
const write: Handle = (batch) => batch.commit((manager) => writeNotes(manager, batch));

const notes = (from: number, to: number): Note[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    stream: `s${(from + index) % 7}`,
    number: from + index,
  }));

/** A handler that waits at its first batch until the test lets it go on. */
const held = (): { handle: Handle; reached: Promise<void>; goOn: () => void } => {
  let goOn: () => void = () => undefined;
  let arrive: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (goOn = resolve));
  const reached = new Promise<void>((resolve) => (arrive = resolve));
  const handle: Handle = async (batch) => {
    arrive();
    await opened;
    await write(batch);
  };
  return { handle, reached, goOn };
};

let harness: PostgresHarness;
let running: RunningInstance[];

beforeEach(async () => {
  harness = await postgresHarness();
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((instance) => instance.stop()));
  await harness.close();
});

const start = async (handle: Handle = write, tables: readonly string[] = fills): Promise<RunningInstance> => {
  const options = tables.length > 0 ? { group, fills: tables } : { group };
  const instance = await startInstance(harness, [{ topics: harness.topics[0], options, handle }]);
  running.push(instance);
  return instance;
};

/** Every effect as it lies in the table: a missing or doubled one shows. */
const content = async (): Promise<number[]> => {
  const rows = await harness.database.query<{ number: number }[]>(
    'SELECT number FROM noted ORDER BY number, place',
  );
  return rows.map(({ number }) => number);
};
const untilNoted = (count: number): Promise<unknown> =>
  waitUntil(async () => (await content()).length >= count, { what: `${count} notes` });
const numbers = (to: number): number[] => notes(1, to).map(({ number }) => number);
const schemas = async (): Promise<unknown[]> =>
  harness.database.query(`SELECT nspname FROM pg_namespace WHERE nspname LIKE '%rebuild%'`);
const done = (events: number) => ({ group, topics: [harness.topics[0]], events });

/** What a caller of the database sees of the table, apart from its rows. */
const shape = (): Promise<unknown> =>
  harness.database.query(`
    SELECT (SELECT array_agg(indexrelid::regclass::text || ' ' || pg_get_indexdef(indexrelid)
          ORDER BY indexrelid::regclass::text)
        FROM pg_index WHERE indrelid = c.oid) AS indexes,
      (SELECT array_agg(conname || ' ' || pg_get_constraintdef(oid) ORDER BY conname)
        FROM pg_constraint WHERE conrelid = c.oid) AS constraints,
      reloptions, relacl::text, pg_get_serial_sequence('noted', 'place') AS sequence
    FROM pg_class c WHERE c.oid = 'noted'::regclass`);

describe('a rebuild', () => {
  it('gives the group the content that the log gives it, and what arrives later is applied once', async () => {
    const instance = await start();
    await harness.publish(notes(1, 1_200));
    await untilNoted(1_200);
    await harness.database.query(
      'UPDATE noted SET number = 0 WHERE number > 900; DELETE FROM noted WHERE number < 9',
    );
    expect(await instance.transport.rebuild(group)).toEqual(done(1_200));
    expect(await content()).toEqual(numbers(1_200));
    await harness.publish(notes(1_201, 1_210));
    await untilNoted(1_210);
    expect(await content()).toEqual(numbers(1_210));
    expect(await schemas()).toEqual([]);
  });

  it('leaves the table as migrations have made it, with names, options and privileges', async () => {
    await harness.database.query(`
      CREATE INDEX noted_by_stream ON noted (stream, number DESC) WHERE number > 0;
      CREATE UNIQUE INDEX one_of_each ON noted (reader, stream, number);
      CREATE INDEX noted_again ON noted (stream, number DESC) WHERE number > 0;
      ALTER TABLE noted ADD CONSTRAINT noted_positive CHECK (number > 0), ADD UNIQUE (place, reader);
      ALTER TABLE noted SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
      GRANT SELECT ON noted TO PUBLIC`);
    const before = await shape();
    const instance = await start();
    await harness.publish(notes(1, 20));
    await untilNoted(20);
    await instance.transport.rebuild(group);
    expect(await shape()).toEqual(before);
    expect(await content()).toEqual(numbers(20));
  });

  it('shows readers the whole table at any moment, also those with prepared statements', async () => {
    await start();
    await harness.publish(notes(1, 700));
    await untilNoted(700);
    const rebuilding = held();
    const operator = await start(rebuilding.handle);
    let isOver = false;
    const seen = new Set<number>();
    const reading = (async () => {
      const runner = harness.database.createQueryRunner();
      await runner.query('PREPARE counted AS SELECT count(*)::int AS count FROM noted');
      while (!isOver) {
        seen.add((await runner.query('EXECUTE counted'))[0].count);
        seen.add((await content()).length);
      }
      seen.add((await runner.query('EXECUTE counted'))[0].count);
      await runner.release();
    })();
    const rebuilt = operator.transport.rebuild(group);
    await rebuilding.reached;
    expect(await schemas()).toHaveLength(1);
    rebuilding.goOn();
    expect(await rebuilt).toEqual(done(700));
    isOver = true;
    await reading;
    expect([...seen]).toEqual([700]);
  });

  it('has what arrives while it runs, which those who consume go on to apply', async () => {
    await start();
    await harness.publish(notes(1, 100));
    await untilNoted(100);
    const rebuilding = held();
    const operator = await start(rebuilding.handle);
    const rebuilt = operator.transport.rebuild(group);
    await rebuilding.reached;
    await harness.publish(notes(101, 150));
    await untilNoted(150);
    rebuilding.goOn();
    const publishing = harness.publish(notes(151, 250));
    expect(await rebuilt).toMatchObject({ group });
    await publishing;
    await untilNoted(250);
    await harness.publish(notes(251, 260));
    await untilNoted(260);
    expect(await content()).toEqual(numbers(260));
  });

  it('that is killed leaves the old tables in use, and the next one begins anew', async () => {
    await start();
    await harness.publish(notes(1, 100));
    await untilNoted(100);
    const rebuilding = held();
    const doomed = await start(rebuilding.handle);
    const ended = doomed.transport.rebuild(group).catch((error: unknown) => error);
    await rebuilding.reached;
    await doomed.kill();
    rebuilding.goOn();
    expect(await ended).toBeInstanceOf(Error);
    expect(await content()).toEqual(numbers(100));
    expect(await schemas()).toHaveLength(1);
    await harness.publish(notes(101, 110));
    await untilNoted(110);
    const next = await start();
    expect(await next.transport.rebuild(group)).toEqual(done(110));
    expect(await content()).toEqual(numbers(110));
    expect(await schemas()).toEqual([]);
  });

  it('waits for readers that keep the table in a transaction', async () => {
    const instance = await start();
    await harness.publish(notes(1, 10));
    await untilNoted(10);
    const reader = harness.database.createQueryRunner();
    await reader.startTransaction();
    await reader.query('SELECT 1 FROM noted LIMIT 1');
    const rebuilt = instance.transport.rebuild(group);
    await waitUntil(
      async () =>
        (
          await harness.database.query(
            `SELECT 1 FROM pg_locks WHERE relation = 'noted'::regclass AND NOT granted`,
          )
        ).length > 0,
      { what: 'the swap to wait' },
    );
    expect(await reader.query('SELECT count(*)::int AS count FROM noted')).toEqual([{ count: 10 }]);
    await reader.commitTransaction();
    await reader.release();
    expect(await rebuilt).toEqual(done(10));
    expect(await content()).toEqual(numbers(10));
  });

  it('swaps after all where PostgreSQL ends its first try as one side of a deadlock', async () => {
    await start();
    await harness.publish(notes(1, 10));
    await untilNoted(10);
    // Every session of the database looks for deadlocks after 3 s of waiting, and the other one below never does.
    await harness.database.query(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET deadlock_timeout = 3000', current_database()); END $$`,
    );
    const operator = await start();
    const other = harness.database.createQueryRunner();
    await other.startTransaction();
    await other.query(`SET LOCAL deadlock_timeout = '1 h'`);
    await other.query('SELECT 1 FROM consumer_positions FOR UPDATE');
    const rebuilt = operator.transport.rebuild(group);
    const swapWaits = (): Promise<unknown[]> =>
      harness.database.query(
        `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND pid IN (
           SELECT pid FROM pg_locks WHERE relation = 'consumer_positions'::regclass AND mode = 'ShareRowExclusiveLock')`,
      );
    await waitUntil(async () => (await swapWaits()).length > 0, { what: 'the swap to wait for the row' });
    await other.query('UPDATE consumer_positions SET parkings = parkings');
    await other.commitTransaction();
    await other.release();
    expect(await rebuilt).toEqual(done(10));
    expect(await content()).toEqual(numbers(10));
  });

  it('keeps parked what cannot be decoded, until it can', async () => {
    const instance = await start();
    await harness.publishUndecodable('s1');
    await harness.publish(notes(1, 20));
    const parked = (): Promise<unknown> =>
      harness.database.query(
        `SELECT key, state, (SELECT count(*)::int FROM parked_events e WHERE e.key = k.key) AS events FROM parked_keys k`,
      );
    await untilNoted(17);
    const before = [{ key: 'proj_1|s1', state: 'PARKED', events: 4 }];
    await waitUntil(async () => JSON.stringify(await parked()) === JSON.stringify(before), {
      what: 'the stream to be parked',
    });
    const kept = await content();
    await instance.transport.rebuild(group);
    expect([await parked(), await content()]).toEqual([before, kept]);
    await harness.publish([{ stream: 's1', number: 99 }]);
    await waitUntil(async () => JSON.stringify(await parked()).includes('"events":5'), {
      what: 'a successor to be parked',
    });
  });
});

describe('a rebuild is refused', () => {
  const begin = async (handle?: Handle, tables?: readonly string[]): Promise<RunningInstance> => {
    await start();
    await harness.publish(notes(1, 20));
    await untilNoted(20);
    return start(handle, tables);
  };
  afterEach(async () => {
    expect(await content()).toEqual(numbers(20));
    expect(await schemas()).toEqual([]);
  });

  it('where there is no such group, or where it does not say what it fills', async () => {
    const operator = await begin(write, []);
    expect(await operator.transport.rebuild('stats.none')).toMatchObject({
      refused: 'consumer_group_not_found',
    });
    expect(await operator.transport.rebuild(group)).toMatchObject({
      refused: 'consumer_group_not_rebuildable',
    });
  });

  it('while another one runs', async () => {
    const rebuilding = held();
    const operator = await begin(rebuilding.handle);
    const first = operator.transport.rebuild(group);
    await rebuilding.reached;
    const other = await start();
    expect(await other.transport.rebuild(group)).toMatchObject({ refused: 'consumer_group_rebuilding' });
    rebuilding.goOn();
    expect(await first).toEqual(done(20));
  });

  it('where more keys would fail than are parked now', async () => {
    const operator = await begin(async () => {
      throw new Error('it does not fit');
    });
    expect(await operator.transport.rebuild(group)).toMatchObject({
      refused: 'consumer_group_rebuild_fails',
      details: expect.stringMatching(/^7 keys failed, 0 are parked now: Error: it does not fit/),
    });
  });

  it.each(['other', 'stats.noted'])('where a handler writes what it does not fill: %s', async (table) => {
    await harness.database.query('CREATE TABLE other (number integer)');
    const stray = (batch: EventBatch): Promise<void> =>
      batch.commit(async (manager) => {
        await manager.query(
          table === 'other' ? 'INSERT INTO other VALUES (1)' : 'UPDATE stats.noted SET number = 7',
        );
      });
    const operator = await begin(stray);
    await expect(operator.transport.rebuild(group)).rejects.toThrow(
      `stats.notes writes stats.${table.replace('stats.', '')}, which it does not say that it fills`,
    );
    expect(await harness.database.query('SELECT 1 FROM other')).toEqual([]);
  });

  it.each([
    ['a view', 'CREATE VIEW noted_view AS SELECT * FROM noted', 'view noted_view'],
    [
      'another table',
      'CREATE TABLE quotes (place bigint REFERENCES noted)',
      'constraint quotes_place_fkey on table quotes depends on it',
    ],
    ['a serial column', 'ALTER TABLE noted ADD serial serial', 'owns sequence noted_serial_seq'],
    [
      'statistics',
      'CREATE STATISTICS noted_pairs ON stream, number FROM noted',
      'has the statistics noted_pairs',
    ],
  ])('where %s hangs on the table', async (_, sql, why) => {
    const operator = await begin();
    await harness.database.query(sql);
    await expect(operator.transport.rebuild(group)).rejects.toThrow(why);
  });

  it('where the table was altered meanwhile', async () => {
    const rebuilding = held();
    const operator = await begin(rebuilding.handle);
    const rebuilt = operator.transport.rebuild(group).catch((error: unknown) => error);
    await rebuilding.reached;
    await harness.database.query('ALTER TABLE noted ADD remark text');
    rebuilding.goOn();
    expect(String(await rebuilt)).toMatch(/noted.* was altered while it was rebuilt/);
  });

  it('where the group has got another partition meanwhile', async () => {
    const rebuilding = held();
    const operator = await begin(rebuilding.handle);
    const rebuilt = operator.transport.rebuild(group).catch((error: unknown) => error);
    await rebuilding.reached;
    await harness.database.query(
      `INSERT INTO consumer_positions (consumer_group, topic, partition, position)
       SELECT consumer_group, topic, 1, position FROM consumer_positions`,
    );
    rebuilding.goOn();
    expect(String(await rebuilt)).toMatch(/consumes more partitions/);
  });
});
