import { rounds, waitUntil } from '@scrip/testing';
import type { QueryRunner } from 'typeorm';
import { type StoredEvent, comparePositions } from '../index';
import { type Process, Processes, bothWays, issue, nobody, project, take } from '../test-bed/tickets.fixture';

describe.each(bothWays)('writes that go %s', (_way, limits) => {
  let processes: Processes;
  let one: Process;

  beforeAll(async () => {
    processes = await Processes.start('log_order');
    one = await processes.process({ poolSize: 56, limits });
    await one.dataSource.query('CREATE TABLE scribbles (writer int)');
  });

  afterAll(() => processes.stop());

  const transaction = async (work: (runner: QueryRunner) => Promise<void>): Promise<void> => {
    const runner = one.dataSource.createQueryRunner();
    await runner.startTransaction();
    try {
      await work(runner);
    } finally {
      if (runner.isTransactionActive) await runner.rollbackTransaction();
      await runner.release();
    }
  };

  // Takes the transaction's id long before it appends.
  const scribble = (runner: QueryRunner, writer: number) =>
    runner.query('INSERT INTO scribbles VALUES ($1)', [writer]);

  const takeMany = async (
    runner: QueryRunner,
    streamId: string,
    takers: readonly string[],
  ): Promise<void> => {
    const [row] = await runner.query('SELECT version, epoch, state FROM tickets WHERE id = $1 FOR UPDATE', [
      streamId,
    ]);
    const events = takers.map((by) => ({ type: 'TicketTaken' as const, data: { by } }));
    const expected = { expectedVersion: Number(row.version), expectedEpoch: row.epoch };
    const change = { streamId, ...expected, state: row.state, events };
    await one.tickets.commitMany(runner.manager, nobody, [change]);
  };

  const allEvents = async (from: string | null = null): Promise<StoredEvent[]> => {
    const found: StoredEvent[] = [];
    for (;;) {
      const page = await one.store.readLog({ after: found.at(-1)?.position ?? from, limit: 5_000 });
      if (page.length === 0) return found;
      found.push(...page);
    }
  };

  // Other suites write on the same server and hold readers back as well.
  const untilAllReadable = (what: string) =>
    waitUntil(
      async () => {
        const [{ count }] = await one.dataSource.query('SELECT count(*)::int AS count FROM events');
        const events = await allEvents();
        return events.length === count && events;
      },
      { what, intervalMs: 1 },
    );

  const inversions = (events: readonly StoredEvent[]): number => {
    const versions = new Map<string, number>();
    return events.filter(({ streamId, version }) => {
      const inverted = version <= (versions.get(streamId) ?? 0);
      versions.set(streamId, version);
      return inverted;
    }).length;
  };

  describe('the log', () => {
    it('does not show an event while an earlier transaction is still writing', async () => {
      await one.tickets.execute(issue('o1'));
      await untilAllReadable('the issue');
      const head = await one.store.head();
      await transaction(async (early) => {
        await scribble(early, 1);
        await one.tickets.execute(take('o1', 'ann'));
        expect(await one.store.readLog({ after: head, limit: 10 })).toEqual([]);
        expect(await one.store.head()).toBe(head);
        expect(await one.store.horizonAgeSeconds()).toBeGreaterThan(0);
        await early.commitTransaction();
      });
      await untilAllReadable('the taking');
      expect(await one.store.readLog({ after: head, limit: 10 })).toMatchObject([{ data: { by: 'ann' } }]);
    });

    it('keeps a stream’s order when a transaction with an earlier id appends later', async () => {
      await one.tickets.execute(issue('o2'));
      await transaction(async (early) => {
        await scribble(early, 2);
        await one.tickets.execute(take('o2', 'ann'));
        await takeMany(early, 'o2', ['bob']);
        await early.commitTransaction();
      });
      await one.tickets.execute(take('o2', 'cid'));
      const versions = (await untilAllReadable('all takings'))
        .filter(({ streamId }) => streamId === 'o2')
        .map(({ version }) => version);
      expect(versions).toEqual([1, 2, 3, 4]);
    });

    it('keeps a stream’s order within one transaction and one statement', async () => {
      await one.tickets.execute(issue('o3'));
      await transaction(async (runner) => {
        for (let step = 0; step < 3; step += 1) await takeMany(runner, 'o3', ['ann', 'bob', 'cid']);
        await runner.commitTransaction();
      });
      const events = (await untilAllReadable('all takings')).filter(({ streamId }) => streamId === 'o3');
      expect(events.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    });

    it('never puts an event before the ones that its stream already has', async () => {
      await one.tickets.execute(issue('o5'));
      // Rows of another server whose epoch was not raised.
      const [{ future }] = await one.dataSource.query(
        `SELECT (pg_current_xact_id()::text::bigint + 1000)::text AS future`,
      );
      await one.dataSource.query(`UPDATE tickets SET last_ord = $1 WHERE id = 'o5'`, [future]);
      await one.dataSource.query(`UPDATE events SET ord = $1 WHERE stream_id = 'o5'`, [future]);
      await one.tickets.execute(take('o5', 'ann'));
      const rows = await one.dataSource.query(
        `SELECT version FROM events WHERE stream_id = 'o5' ORDER BY epoch, ord, position`,
      );
      expect(rows).toEqual([{ version: '1' }, { version: '2' }]);
      await one.dataSource.query(`DELETE FROM events WHERE stream_id = 'o5'`);
    });

    it('is read by one aggregate, by several, and by all alike', async () => {
      const all = await untilAllReadable('everything');
      const positions = (events: readonly StoredEvent[]) => events.map(({ position }) => position);
      const query = { after: null, limit: 100_000 };
      expect(positions(await one.store.readLog({ ...query, aggregates: ['ticket'] }))).toEqual(
        positions(all),
      );
      expect(positions(await one.store.readLog({ ...query, aggregates: ['ticket', 'other'] }))).toEqual(
        positions(all),
      );
      expect(await one.store.readLog({ ...query, aggregates: ['other'] })).toEqual([]);
      expect(
        all.every(
          ({ position }, index) => index === 0 || comparePositions(all[index - 1]!.position, position) < 0,
        ),
      ).toBe(true);
    });

    it('wakes readers once for commits of one moment', async () => {
      await one.tickets.execute(issue('o4'));
      const woken = jest.fn();
      const stop = one.store.onCommit(woken);
      await Promise.all([one.tickets.execute(take('o4', 'ann')), one.tickets.execute(take('o4', 'bob'))]);
      await new Promise((next) => setImmediate(next));
      expect(woken).toHaveBeenCalledTimes(1);
      stop();
      await one.tickets.execute(take('o4', 'cid'));
      expect(woken).toHaveBeenCalledTimes(1);
    });
  });

  describe('50 writers with delayed, aborted and early-id transactions', () => {
    const writers = 50;
    const perAppend = 20;
    // 100,000 events at full scale.
    const perWriter = Math.max(200, rounds(2_000));
    const mergedToo = limits.writer.mergeFrom === 1;
    const streams = 40;

    // A pause that is part of the transaction under test: real writers take their time as well.
    const linger = (runner: QueryRunner, maxMs: number) =>
      runner.query(`SELECT pg_sleep($1)`, [(Math.random() * maxMs) / 1_000]);

    const anyStream = () => `w${Math.floor(Math.random() * streams)}`;

    const write = async (writer: number): Promise<void> => {
      for (let written = 0; written < perWriter;) {
        const streamId = anyStream();
        const takers = Array.from({ length: perAppend }, (_, index) => `${writer}:${written + index}`);
        const chance = Math.random();
        if (mergedToo && chance < 0.5) {
          await Promise.all(takers.map((by) => one.tickets.execute(take(anyStream(), by))));
          written += perAppend;
          continue;
        }
        await transaction(async (runner) => {
          if (chance < 0.5) await scribble(runner, writer);
          if (chance < 0.25) await linger(runner, 12);
          await takeMany(runner, streamId, takers);
          if (chance > 0.8) await linger(runner, 4);
          if (chance > 0.95) return;
          await runner.commitTransaction();
          written += perAppend;
        });
      }
    };

    it('missed 0, repeated 0, inverted within a stream 0', async () => {
      await untilAllReadable('what was written before');
      const start = await one.store.head();
      await one.tickets.createMany(
        null,
        nobody,
        Array.from({ length: streams }, (_, index) => ({
          streamId: `w${index}`,
          events: [{ type: 'TicketIssued' as const, data: { code: `w${index}`, limit: 1_000_000 } }],
        })),
      );
      const read: StoredEvent[] = [];
      const readOn = async () => {
        const page = await one.store.readLog({
          after: read.at(-1)?.position ?? start,
          limit: 1_000,
          aggregates: ['ticket'],
        });
        read.push(...page);
        return page.length;
      };
      let writing = true;
      const reading = (async () => {
        while (writing) await readOn();
      })();
      await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
      writing = false;
      await reading;
      const committed = await one.dataSource.query(
        `SELECT event_id::text AS id FROM events WHERE stream_id LIKE 'w%'`,
      );
      await waitUntil(async () => (await readOn()) === 0 && read.length >= committed.length, {
        what: 'the reader to come to the end',
      }).catch(() => undefined); // what it does not find is counted as missed
      const seen = new Set(read.map(({ id }) => id));
      expect({
        written: committed.length,
        missed: committed.filter(({ id }: { id: string }) => !seen.has(id)).length,
        repeated: read.length - seen.size,
        inverted: inversions(read),
      }).toEqual({ written: writers * perWriter + streams, missed: 0, repeated: 0, inverted: 0 });
      const sums = await one.tickets.loadMany(
        project.id,
        Array.from({ length: streams }, (_, index) => `w${index}`),
      );
      expect([...sums.values()].reduce((sum, { state }) => sum + state.taken, 0)).toBe(writers * perWriter);
    }, 600_000);
  });
});
