import { isRefused } from '@scrip/kernel';
import { waitUntil } from '@scrip/testing';
import { defaultLimits } from '../index';
import { type Cut, CuttingProxy } from '../test-bed/cutting-proxy.fixture';
import {
  type Process,
  Processes,
  issue,
  nobody,
  project,
  take,
  ticketDefinition,
} from '../test-bed/tickets.fixture';
import { mergedStatement } from './merged-statement';

let processes: Processes;
let proxy: CuttingProxy;
/** The process whose connections are cut. */
let one: Process;
let other: Process;

// One lane, so that writes that are ready together are one statement, and not two.
const limits = { ...defaultLimits, writer: { ...defaultLimits.writer, lanes: 1 } };

beforeAll(async () => {
  processes = await Processes.start('merged_writes');
  proxy = await CuttingProxy.start(processes.url);
  one = await processes.process({ url: proxy.url, limits });
  other = await processes.process({ limits });
});

afterAll(async () => {
  await processes.stop();
  await proxy.stop();
});

const idsOf = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}_${String(index).padStart(2, '0')}`);

/** Streams whose states are cached, so that their next writes are ready together. */
const warm = async (prefix: string, count: number): Promise<string[]> => {
  const ids = idsOf(prefix, count);
  for (const id of ids) await one.tickets.execute(issue(id));
  return ids;
};

const takersOf = async (streamId: string): Promise<string[]> => {
  const events = await other.store.readStream('ticket', project.id, streamId);
  return events.slice(1).map(({ data }) => (data as { by: string }).by);
};

const counted = async <T>(work: () => Promise<T>) => {
  const { mergedStatements, mergedWrites } = one.store.metrics;
  const result = await work();
  const { metrics } = one.store;
  return {
    result,
    statements: metrics.mergedStatements - mergedStatements,
    writes: metrics.mergedWrites - mergedWrites,
  };
};

const row = (source_id: string) => ({ insert: 'takings', values: { source_id, state: 'OPEN' } });

describe('writes of different streams that are ready together', () => {
  it('are one statement, with an answer for each', async () => {
    const ids = await warm('together', 16);
    const { result, statements, writes } = await counted(() =>
      Promise.all(ids.map((id) => one.tickets.execute(take(id, `by ${id}`, { rows: [row(id)] })))),
    );
    expect(result).toEqual(ids.map(() => 1));
    expect({ statements, writes }).toEqual({ statements: 1, writes: 16 });
    for (const id of ids) expect(await takersOf(id)).toEqual([`by ${id}`]);
    expect(await other.tickets.loadMany(project.id, ids)).toEqual(
      new Map(
        ids.map((id) => [id, { version: 2, epoch: 1, state: { code: id, limit: 1_000_000, taken: 1 } }]),
      ),
    );
    expect(
      await other.dataSource.query(
        `SELECT source_id FROM takings WHERE source_id LIKE 'together%' ORDER BY 1`,
      ),
    ).toEqual(ids.map((source_id) => ({ source_id })));
  });

  it('are not merged where only one stream has anything to do', async () => {
    await warm('lonely', 1);
    const { statements } = await counted(() =>
      Promise.all(Array.from({ length: 64 }, () => one.tickets.execute(take('lonely_00', 'ann')))),
    );
    expect(statements).toBe(0);
  });

  it('are at most 64 in one statement', async () => {
    const ids = await warm('many', 100);
    const { statements, writes } = await counted(() =>
      Promise.all(ids.map((id) => one.tickets.execute(take(id, 'ann')))),
    );
    expect({ statements, writes }).toEqual({ statements: 2, writes: 100 });
  });

  it('keep each stream’s events in order, of several projects and of batches', async () => {
    const ids = await warm('order', 4);
    const foreign = { ...project, id: 'proj_2' };
    const context = { ...nobody, project: foreign };
    await one.tickets.execute({ ...issue('order_00'), context });
    await Promise.all([
      ...ids.flatMap((id) => ['ann', 'bob', 'cid'].map((by) => one.tickets.execute(take(id, by)))),
      one.tickets.execute(take('order_00', 'eve', { context })),
    ]);
    for (const id of ids) expect(await takersOf(id)).toEqual(['ann', 'bob', 'cid']);
    const [event] = (await other.store.readStream('ticket', foreign.id, 'order_00')).slice(1);
    expect(event).toMatchObject({ data: { by: 'eve' }, version: 2, projectId: 'proj_2' });
  });
});

describe('a merged statement', () => {
  it('leaves out the member whose version is another one: it alone decides again', async () => {
    const ids = await warm('conflict', 8);
    await other.tickets.execute(take(ids[3]!, 'rival', { rows: [row('conflict rival')] }));
    const { result, statements, writes } = await counted(() =>
      Promise.all(ids.map((id) => one.tickets.execute(take(id, 'ann', { rows: [row(`of ${id}`)] })))),
    );
    expect(result).toEqual([1, 1, 1, 2, 1, 1, 1, 1]);
    expect({ statements, writes }).toEqual({ statements: 1, writes: 7 });
    expect(await takersOf(ids[3]!)).toEqual(['rival', 'ann']);
    expect(await other.store.verifyState()).toEqual([]);
  });

  it('writes nothing of a member whose version is another one', async () => {
    const [id] = (await warm('version', 1)) as [string];
    const write = (expectedVersion: number) => ({
      projectId: project.id,
      streamId: id,
      expectedVersion,
      expectedEpoch: 1,
      expectedBasis: null,
      nextVersion: 9,
      state: { code: id, limit: 1, taken: 7 },
      snapshot: null,
      events: [],
      changes: [row(`version ${expectedVersion}`)],
      receiptId: null,
    });
    const { text, values } = mergedStatement(ticketDefinition, [write(5)]);
    expect(await other.dataSource.query(text, [...values])).toEqual([]);
    expect(await other.tickets.load(project.id, id)).toMatchObject({ version: 1 });
    expect(await other.dataSource.query(`SELECT 1 FROM takings WHERE source_id = 'version 5'`)).toEqual([]);
  });

  it.each<[string, (id: string) => Partial<Parameters<typeof take>[2]> & object, string]>([
    ['bad data', () => ({ rows: [row('bad\0')] }), 'eve'],
    ['a side row that is there already', () => ({ rows: [row('known')] }), 'eve'],
  ])('with %s in one member: the others are written, and hear nothing of it', async (what, more, by) => {
    await other.dataSource.query(
      `INSERT INTO takings (source_id, state) VALUES ('known', 'OPEN') ON CONFLICT DO NOTHING`,
    );
    const ids = await warm(what, 8);
    const outcomes = await Promise.allSettled(
      ids.map((id, index) =>
        one.tickets.execute(
          index === 3 ? take(id, by, { rows: [row(id)], ...more(id) }) : take(id, 'ann', { rows: [row(id)] }),
        ),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(
      ids.map((_, index) => (index === 3 ? 'rejected' : 'fulfilled')),
    );
    for (const [index, id] of ids.entries()) expect(await takersOf(id)).toEqual(index === 3 ? [] : ['ann']);
  });

  it('does not wait for a member whose row somebody else has locked', async () => {
    const ids = await warm('locked', 4);
    const lock = other.dataSource.createQueryRunner();
    await lock.startTransaction();
    await lock.query('SELECT 1 FROM tickets WHERE id = $1 FOR UPDATE', [ids[1]]);
    let served = false;
    const waiter = one.tickets.execute(take(ids[1]!, 'ann')).then((answer) => {
      served = true;
      return answer;
    });
    const others = [0, 2, 3].map((index) => one.tickets.execute(take(ids[index]!, 'ann')));
    expect(await Promise.all(others)).toEqual([1, 1, 1]);
    expect(served).toBe(false);
    await lock.commitTransaction();
    await lock.release();
    expect(await waiter).toBe(1);
  });

  it('does not deadlock with one that another process sends in the opposite order', async () => {
    const ids = await warm('opposite', 32);
    const deadlocks = async (): Promise<number> =>
      Number(
        (
          await other.dataSource.query(
            'SELECT pg_stat_force_next_flush(), (SELECT deadlocks FROM pg_stat_database WHERE datname = current_database())',
          )
        )[0].deadlocks,
      );
    const before = await deadlocks();
    for (let round = 0; round < 20; round += 1) {
      await Promise.all([
        ...ids.map((id) => one.tickets.execute(take(id, `one ${round}`))),
        ...[...ids].reverse().map((id) => other.tickets.execute(take(id, `other ${round}`))),
      ]);
    }
    for (const id of ids) expect(new Set(await takersOf(id)).size).toBe(40);
    expect(await deadlocks()).toBe(before);
  });
});

describe('a connection cut while a merged commit is under way', () => {
  const cuts: Cut[] = ['before', 'after', 'late'];

  it.each(cuts)('%s it arrives: each member has its effect once', async (cut) => {
    for (let round = 0; round < 10; round += 1) {
      const ids = await warm(`cut_${cut}_${round}`, 8);
      const done = proxy.cutNext([ids[0]!, ids[7]!, '"t":"Ticket'], cut);
      const answers = await Promise.all(
        ids.map((id) => one.tickets.execute(take(id, 'ann', { rows: [row(`cut ${id}`)] }))),
      );
      await done;
      await proxy.deliver();
      expect(answers).toEqual(ids.map(() => 1));
      for (const id of ids) expect(await takersOf(id)).toEqual(['ann']);
      const rows = await other.dataSource.query(`SELECT 1 FROM takings WHERE source_id LIKE $1`, [
        `cut cut_${cut}_${round}_%`,
      ]);
      expect(rows).toHaveLength(8);
    }
  });

  it('lands late for none of them, once each has been refused since', async () => {
    const ids = await warm('refused', 4);
    let open = true;
    const done = proxy.cutNext([ids[0]!, ids[3]!, '"t":"Ticket'], 'late').then(() => (open = false));
    const answers = await Promise.all(
      ids.map((id) => {
        const command = take(id, 'ann');
        return one.tickets.execute({
          ...command,
          decide: (ticket) => (open ? command.decide(ticket) : { refused: 'too_late' }),
        });
      }),
    );
    await done;
    expect(answers.every(isRefused)).toBe(true);
    await proxy.deliver();
    for (const id of ids) expect(await takersOf(id)).toEqual([]);
  });

  it('is in doubt for each member, whatever became of the others', async () => {
    const ids = await warm('mixed', 6);
    // The row of one member changes before the old statement is delivered, so that it cannot have been part of it.
    const done = proxy.cutNext([ids[0]!, ids[5]!, '"t":"Ticket'], 'after');
    const rival = other.tickets.execute(take(ids[2]!, 'rival'));
    const answers = await Promise.all(ids.map((id) => one.tickets.execute(take(id, 'ann'))));
    await done;
    await rival;
    for (const id of ids) {
      const takers = await takersOf(id);
      expect([...takers].sort()).toEqual(id === ids[2] ? ['ann', 'rival'] : ['ann']);
      expect(answers[ids.indexOf(id)]).toBe(takers.indexOf('ann') + 1);
    }
  });
});

describe('60 streams in two processes under terminated backends', () => {
  it('have each effect exactly once, in each stream’s order', async () => {
    const ids = idsOf('crowd', 60);
    await one.tickets.createMany(
      null,
      nobody,
      ids.map((id) => ({
        streamId: id,
        events: [{ type: 'TicketIssued' as const, data: { code: id, limit: 9_999 } }],
      })),
    );
    const rounds = 20;
    const callers = [one, other].flatMap((process, number) =>
      ids.map(async (id) => {
        for (let round = 0; round < rounds; round += 1) {
          const by = `${number}:${round}`;
          await process.tickets.execute(take(id, by, { rows: [row(`${id}:${by}`)] }));
        }
      }),
    );
    let working = true;
    const all = Promise.all(callers).finally(() => (working = false));
    const admin = await processes.connect(processes.url, 1);
    while (working) {
      await admin.query('SELECT pg_sleep(0.05)');
      await admin.query(`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'active' LIMIT 1`);
    }
    await all;
    for (const id of ids) expect(new Set(await takersOf(id)).size).toBe(2 * rounds);
    expect(
      (
        await other.dataSource.query(
          `SELECT count(*)::int AS count FROM takings WHERE source_id LIKE 'crowd%'`,
        )
      )[0].count,
    ).toBe(ids.length * 2 * rounds);
    const events = await waitUntil(
      async () => {
        const read = await other.store.readLog({ after: null, limit: 100_000, aggregates: ['ticket'] });
        const crowd = read.filter(({ streamId }) => streamId.startsWith('crowd'));
        return crowd.length === ids.length * (1 + 2 * rounds) && crowd;
      },
      { what: 'all events of the crowd' },
    );
    const versions = new Map<string, number>();
    for (const { streamId, version } of events) {
      expect(version).toBeGreaterThan(versions.get(streamId) ?? 0);
      versions.set(streamId, version);
    }
    expect(await other.store.verifyState()).toEqual([]);
  });
});
