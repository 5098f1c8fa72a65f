import { type Refusal, refuse } from '@scrip/kernel';
import { rounds, waitUntil } from '@scrip/testing';
import { Client } from 'pg';
import { CuttingProxy, type Cut } from '../test-bed/cutting-proxy.fixture';
import {
  type Process,
  Processes,
  bothWays,
  issue,
  nobody,
  project,
  take,
  waiting,
} from '../test-bed/tickets.fixture';

const heldCommits = 20_261_128;

describe.each(bothWays)('a write that goes %s', (_way, limits) => {
  let processes: Processes;
  let proxy: CuttingProxy;
  /** The process whose connections are cut. */
  let one: Process;
  let other: Process;

  beforeAll(async () => {
    processes = await Processes.start('in_doubt');
    proxy = await CuttingProxy.start(processes.url);
    one = await processes.process({ url: proxy.url, limits });
    other = await processes.process({ limits });
    // Streams called "slow…" spend a while inside their COMMIT, those called "held…" as long as a test holds the lock.
    await other.dataSource.query(`
    CREATE FUNCTION commit_slowly() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.2); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER slow AFTER INSERT OR UPDATE ON tickets DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (NEW.id LIKE 'slow%' AND NEW.version > 0) EXECUTE FUNCTION commit_slowly();
    CREATE FUNCTION commit_held() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${heldCommits}); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER held AFTER INSERT OR UPDATE ON tickets DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (NEW.id LIKE 'held%') EXECUTE FUNCTION commit_held()`);
  });

  afterAll(async () => {
    await processes.stop();
    await proxy.stop();
  });

  // A request with both the stream and encoded events is its append, not a look at it.
  const cutAppend = (streamId: string, cut: Cut) => proxy.cutNext([streamId, '"t":"Ticket'], cut);

  const takersOf = async (streamId: string): Promise<string[]> => {
    const events = await other.store.readStream('ticket', project.id, streamId);
    return events.filter(({ type }) => type === 'TicketTaken').map(({ data }) => (data as { by: string }).by);
  };

  /** Holds the nth transaction that waits for a row, from now on, until `until` has ended. */
  const holdTransaction = (nth: number, until: () => Promise<unknown>) => {
    const prototype = Client.prototype as unknown as { query: (this: Client, ...args: unknown[]) => unknown };
    const { query } = prototype;
    let begun = 0;
    return jest.spyOn(prototype, 'query').mockImplementation(function (this: Client, ...args: unknown[]) {
      if (typeof args[0] === 'string' && args[0].startsWith('BEGIN; SET LOCAL lock_timeout')) begun += 1;
      else return query.apply(this, args);
      return begun === nth ? until().then(() => query.apply(this, args)) : query.apply(this, args);
    });
  };

  const taken = async (streamId: string) => (await other.tickets.load(project.id, streamId))?.state.taken;

  /** Ends some backend that is busy just now, not faster than work can go on. */
  const terminateOne = async (): Promise<void> => {
    await other.dataSource.query('SELECT pg_sleep(0.05)');
    await other.dataSource.query(`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'active' LIMIT 1`);
  };

  describe('a connection cut while COMMIT is under way, in the append', () => {
    it.each<[Cut, string]>([
      ['before', 'b1'],
      ['after', 'a1'],
      ['after', 'slow_a1'],
      ['late', 'l1'],
    ])('%s the statement arrived: has its effect once (%s)', async (cut, streamId) => {
      await one.tickets.execute(issue(streamId));
      const done = cutAppend(streamId, cut);
      expect(await one.tickets.execute(take(streamId, 'ann'))).toBe(1);
      await done;
      await proxy.deliver();
      expect(await takersOf(streamId)).toEqual(['ann']);
      expect(await taken(streamId)).toBe(1);
      expect(await one.tickets.execute(take(streamId, 'bob'))).toBe(2);
    });

    it('waits for the old backend, which is still committing, before it looks', async () => {
      await one.tickets.execute(issue('slow_wait'));
      const done = cutAppend('slow_wait', 'after');
      const [answer] = await Promise.all([one.tickets.execute(take('slow_wait', 'ann')), done]);
      expect(answer).toBe(1);
      expect(await takersOf('slow_wait')).toEqual(['ann']);
    });

    it('does not let the old statement land behind a refusal that was decided since', async () => {
      await one.tickets.execute(issue('refused'));
      let open = true;
      const command = take('refused', 'ann');
      const done = cutAppend('refused', 'late').then(() => (open = false));
      const answer = await one.tickets.execute({
        ...command,
        decide: (ticket) => (open ? command.decide(ticket) : refuse('too_late')),
      });
      await done;
      expect(answer).toEqual({ refused: 'too_late' });
      await proxy.deliver();
      expect(await takersOf('refused')).toEqual([]);
      expect(await taken('refused')).toBe(0);
    });

    it('creates a stream once, though there was no row to lock', async () => {
      const done = cutAppend('created', 'late');
      expect(await one.tickets.execute(issue('created'))).toBe('created');
      await done;
      await proxy.deliver();
      expect(await other.store.readStream('ticket', project.id, 'created')).toHaveLength(1);
    });

    it('looks again after a version conflict, as the old creation may have come first', async () => {
      const done = cutAppend('slow_created', 'after');
      const [answer] = await Promise.all([one.tickets.execute(issue('slow_created')), done]);
      expect(answer).toBe('slow_created');
      expect(await other.store.readStream('ticket', project.id, 'slow_created')).toHaveLength(1);
    });

    it('looks again where the old creation comes between the look and the decision', async () => {
      const created = () => other.store.readStream('ticket', project.id, 'slow_between');
      const held = holdTransaction(2, () =>
        waitUntil(async () => (await created()).length > 0, { what: 'the old creation' }),
      );
      const done = cutAppend('slow_between', 'after');
      const [answer] = await Promise.all([one.tickets.execute(issue('slow_between')), done]);
      held.mockRestore();
      expect(answer).toBe('slow_between');
      expect(await created()).toHaveLength(1);
    });

    it('finds side rows that no event went with, by their receipt', async () => {
      await one.tickets.execute(issue('rows_only'));
      const rows = [{ insert: 'takings', values: { source_id: 'rows_only', state: 'OPEN' } }];
      const done = proxy.cutNext(['rows_only', 'source_id'], 'after');
      const command = {
        context: nobody,
        streamId: 'rows_only',
        decide: () => ({ events: [], rows, answer: 'noted' }),
      };
      expect(await one.tickets.execute(command)).toBe('noted');
      await done;
      expect(
        await other.dataSource.query(`SELECT state FROM takings WHERE source_id = 'rows_only'`),
      ).toHaveLength(1);
    });

    it('is in doubt under the lock as well', async () => {
      await one.tickets.execute(issue('slow_locked'));
      const done = proxy.cutNext(['COMMIT'], 'after');
      const decide = (taker: string) => async (ticket: { taken: number } | undefined) => ({
        events: [{ type: 'TicketTaken' as const, data: { by: taker } }],
        answer: ticket!.taken + 1,
      });
      expect(
        await one.tickets.executeLocked({ context: nobody, streamId: 'slow_locked', decide: decide('ann') }),
      ).toBe(1);
      await done;
      expect(await takersOf('slow_locked')).toEqual(['ann']);
    });

    it('tells a caller whose deadline passes that the end is unknown', async () => {
      await one.tickets.execute(issue('held_deadline'));
      const holder = other.dataSource.createQueryRunner();
      await holder.query(`SELECT pg_advisory_lock(${heldCommits})`);
      // It passes once the append is under way, whose COMMIT is held.
      const context = waiting(600_000);
      const done = cutAppend('held_deadline', 'after').then(() => {
        (context as { deadlineAt: number }).deadlineAt = Date.now();
      });
      try {
        await expect(one.tickets.execute(take('held_deadline', 'ann', { context }))).rejects.toMatchObject({
          kind: 'deadline',
        });
        await done;
      } finally {
        await holder.query(`SELECT pg_advisory_unlock(${heldCommits})`);
        await holder.release();
      }
      expect(await one.tickets.execute(take('held_deadline', 'bob'))).toBe(2);
      expect(await takersOf('held_deadline')).toEqual(['ann', 'bob']);
    });

    it('gives each of many callers in many rounds his effect exactly once', async () => {
      const cuts: Cut[] = ['before', 'after', 'late'];
      // Six kinds of rounds: three cuts, with and without a rival.
      for (let round = 0; round < rounds(240); round += 1) {
        const streamId = `round_${round}`;
        await one.tickets.execute(issue(streamId));
        const cut = cuts[round % 3]!;
        const done = cutAppend(streamId, cut);
        const callers = Array.from({ length: 8 }, (_, index) => `caller_${index}`);
        const rival = round % 2 === 0 ? other.tickets.execute(take(streamId, 'rival')) : Promise.resolve(0);
        const answers: (number | Refusal)[] = await Promise.all(
          callers.map((by) => {
            const rows = [{ insert: 'takings', values: { source_id: `${streamId}:${by}`, state: 'OPEN' } }];
            return one.tickets.execute(take(streamId, by, { rows }));
          }),
        );
        await done;
        const rivalAnswer = await rival;
        await proxy.deliver();
        const takers = await takersOf(streamId);
        expect([...takers].sort()).toEqual([...callers, ...(rivalAnswer === 0 ? [] : ['rival'])].sort());
        expect(
          takers.map((taker) => (taker === 'rival' ? rivalAnswer : answers[callers.indexOf(taker)])),
        ).toEqual(takers.map((_, index) => index + 1));
        const rows = await other.dataSource.query('SELECT 1 FROM takings WHERE source_id LIKE $1', [
          `${streamId}:%`,
        ]);
        expect(rows).toHaveLength(callers.length);
      }
    });

    it('survives terminated backends: each effect exactly once', async () => {
      await one.tickets.execute(issue('terminated'));
      let answered = 0;
      const callers = Array.from({ length: 16 }, async (_, caller) => {
        for (let turn = 0; turn < 40; turn += 1) {
          const rows = [{ insert: 'takings', values: { source_id: `t:${caller}:${turn}`, state: 'OPEN' } }];
          await one.tickets.execute(take('terminated', `${caller}:${turn}`, { rows }));
          answered += 1;
        }
      });
      let working = true;
      const all = Promise.all(callers).finally(() => (working = false));
      while (working) await terminateOne();
      await all;
      const takers = await takersOf('terminated');
      expect(takers).toHaveLength(answered);
      expect(new Set(takers).size).toBe(16 * 40);
    });

    it('went the way that it was meant to go', () => {
      expect(one.store.metrics.mergedWrites > 0).toBe(limits.writer.mergeFrom === 1);
    });

    it('leaves states that equal their events', async () => {
      expect(await other.store.verifyState()).toEqual([]);
    });
  });
});
