import { waitUntil } from '@scrip/testing';
import {
  content,
  done,
  group,
  harness,
  held,
  notes,
  numbers,
  schemas,
  start,
  untilNoted,
  useRebuilds,
} from './rebuild.fixture';

useRebuilds();

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
    // Awaited on the server: the swap looks once, 3 s after it begins to wait, however long this process stands still.
    await other.query(`
      DO $$ BEGIN
        WHILE NOT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND locktype IN ('transactionid', 'tuple') AND pid IN (
          SELECT pid FROM pg_locks
          WHERE relation = 'consumer_positions'::regclass AND mode = 'ShareRowExclusiveLock' AND granted))
        LOOP PERFORM pg_sleep(0.01); END LOOP;
        UPDATE consumer_positions SET parkings = parkings;
      END $$`);
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
