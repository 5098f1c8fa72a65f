import { waitUntil } from '@scrip/testing';
import type { DataSource } from 'typeorm';
import type { ReadingCommand } from '../index';
import {
  type Process,
  Processes,
  type Ticket,
  type TicketEvent,
  issue,
  nobody,
  project,
  take,
} from '../test-bed/tickets.fixture';

let processes: Processes;
let one: Process;
/** Connections without an identification, so that they do not wait for the lock either. */
let admin: DataSource;

beforeEach(async () => {
  processes = await Processes.start('epoch');
  one = await processes.process();
  admin = await processes.connect(processes.url, 4);
});

afterEach(() => processes.stop());

const epoch = async (): Promise<number> =>
  (await one.dataSource.query('SELECT epoch FROM event_store_meta'))[0].epoch;

const epochsOf = async (streamId: string): Promise<number[]> => {
  const events = await one.store.readStream('ticket', project.id, streamId);
  return events.map(({ position }) => Number(position.split('-')[0]));
};

describe('the epoch', () => {
  it('stays while the server is the same', async () => {
    await processes.process();
    expect(await epoch()).toBe(1);
  });

  it.each(['system_identifier', 'timeline'])(
    'rises at start when the server has another %s',
    async (column) => {
      await one.dataSource.query(`UPDATE event_store_meta SET ${column} = 'other'`);
      await processes.process();
      const raised = await epoch();
      expect(raised).toBeGreaterThan(1);
      await processes.process();
      expect(await epoch()).toBe(raised);
    },
  );

  it('is never the same twice, also when one backup is restored twice', async () => {
    const backup = `UPDATE event_store_meta SET epoch = 1, timeline = 'other'`;
    await one.dataSource.query(backup);
    await one.store.start();
    const first = await epoch();
    // Epochs are told apart by the second: no backup is restored twice within one.
    const [{ second }] = await one.dataSource.query('SELECT floor(extract(epoch FROM now())) AS second');
    await waitUntil(
      async () =>
        (await one.dataSource.query('SELECT floor(extract(epoch FROM now())) > $1 AS passed', [second]))[0]
          .passed,
      { what: 'the next second' },
    );
    await one.dataSource.query(backup);
    await one.store.start();
    expect(await epoch()).toBeGreaterThan(first);
  });

  it('rises once when several processes start together', async () => {
    const started = await Promise.all(Array.from({ length: 4 }, () => processes.process()));
    // Later than any clock, so that each raise counts on by one.
    const late = 2_000_000_000;
    for (let round = 0; round < 10; round += 1) {
      await one.dataSource.query(`UPDATE event_store_meta SET timeline = 'other', epoch = $1`, [
        late + 10 * round,
      ]);
      await Promise.all(started.map(({ store }) => store.start()));
      expect(await epoch()).toBe(late + 10 * round + 1);
    }
  });

  it('rises by command, and appenders notice it', async () => {
    await one.tickets.execute(issue('e1'));
    const raised = await one.store.raiseEpoch();
    expect(raised).toBeGreaterThan(1);
    await one.tickets.execute(take('e1', 'ann'));
    expect(await epochsOf('e1')).toEqual([1, raised]);
  });

  it('waits for appenders that are writing', async () => {
    const order: string[] = [];
    const runner = one.dataSource.createQueryRunner();
    await runner.startTransaction();
    await one.tickets.createMany(runner.manager, nobody, [
      { streamId: 'e2', events: [{ type: 'TicketIssued', data: { code: 'e2', limit: 1 } }] },
    ]);
    const raised = one.store.raiseEpoch().then(() => order.push('raised'));
    await untilLocked('event_store_meta').finally(() => {
      order.push('committing');
      return runner.commitTransaction().then(() => runner.release());
    });
    await raised;
    expect(order).toEqual(['committing', 'raised']);
    expect(await epochsOf('e2')).toEqual([1]);
  });

  it('keeps appenders out while it rises, and they append in the new one', async () => {
    await one.tickets.execute(issue('e3'));
    const raiser = admin.createQueryRunner();
    await raiser.query('BEGIN; LOCK TABLE event_store_meta IN ACCESS EXCLUSIVE MODE');
    await raiser.query('UPDATE event_store_meta SET epoch = epoch + 1');
    const taken = one.tickets.execute(take('e3', 'ann'));
    await untilLocked('event_store_meta').finally(() => raiser.query('COMMIT').then(() => raiser.release()));
    expect(await taken).toBe(1);
    expect(await epochsOf('e3')).toEqual([1, 2]);
  });

  it('forgets the order values of the old server: new events are readable', async () => {
    await one.tickets.execute(issue('e4'));
    await one.tickets.execute(issue('e5'));
    // As a logical restore leaves it: rows with transaction ids that this server will not reach for long.
    await one.dataSource.query(`
      UPDATE tickets SET last_ord = '900000000000';
      UPDATE events SET ord = '900000000000'`);
    await one.store.raiseEpoch();
    const head = await one.store.head();
    await one.tickets.execute(take('e4', 'ann'));
    const { state, version, epoch } = (await one.tickets.load(project.id, 'e5'))!;
    const events = [{ type: 'TicketTaken' as const, data: { by: 'bob' } }];
    const expected = { expectedVersion: version, expectedEpoch: epoch };
    await one.tickets.commitMany(null, nobody, [{ streamId: 'e5', state, ...expected, events }]);
    // Soon, not at once: other suites write on the same server.
    const read = await waitUntil(
      async () => {
        const events = await one.store.readLog({ after: head, limit: 10 });
        return events.length === 2 && events;
      },
      { what: 'the new events' },
    );
    expect(read.map(({ data }) => data)).toEqual([{ by: 'ann' }, { by: 'bob' }]);
    expect((await one.store.readLog({ after: null, limit: 10 })).map(({ version }) => version)).toEqual([
      1, 1, 2, 2,
    ]);
  });
});

describe('another server that appears while the process runs', () => {
  /** Makes the log that of another server and ends all connections of `one` at that instant, as a restore does. */
  const replaceServer = async (): Promise<void> => {
    const runner = admin.createQueryRunner();
    await runner.startTransaction();
    await runner.query('LOCK TABLE event_store_meta IN ACCESS EXCLUSIVE MODE');
    await runner.query(`UPDATE event_store_meta SET system_identifier = 'other'`);
    await runner.query(`
      SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'one'`);
    await runner.commitTransaction();
    await runner.release();
  };

  const oldEvents = async (): Promise<number> =>
    (await admin.query('SELECT count(*)::int AS count FROM events WHERE epoch = 1'))[0].count;

  it.each<[string, (running: Process, streamId: string) => Promise<unknown>]>([
    ['commands', (running, streamId) => running.tickets.execute(issue(streamId))],
    ['locked commands', (running, streamId) => running.tickets.executeLocked(createLocked(streamId))],
    [
      'appends in a transaction of the caller',
      (running, streamId) =>
        running.dataSource.transaction((manager) =>
          running.tickets.createMany(manager, nobody, [beginning(streamId)]),
        ),
    ],
    ['bulk appends', (running, streamId) => running.tickets.createMany(null, nobody, [beginning(streamId)])],
  ])('gets no event in the old epoch: %s', async (_, append) => {
    const running = await processes.process({ url: `${processes.url}?application_name=one` });
    for (let index = 0; index < 8; index += 1) await append(running, `before_${index}`);
    await replaceServer();
    const before = await oldEvents();
    // All at once: the first one to connect must not be the only one to wait for the new epoch.
    await Promise.allSettled(Array.from({ length: 16 }, (__, index) => append(running, `after_${index}`)));
    await append(running, 'last');
    expect(before).toBe(8);
    expect(await oldEvents()).toBe(before);
    expect(await epochsOf('last')).toEqual([await epoch()]);
  });

  it('keeps a connection out of the pool whose server cannot be identified', async () => {
    const running = await processes.process({ url: `${processes.url}?application_name=one` });
    const runner = admin.createQueryRunner();
    await runner.startTransaction();
    await runner.query('ALTER TABLE event_store_meta RENAME COLUMN timeline TO line');
    await runner.query(`
      SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'one'`);
    await runner.commitTransaction();
    await expect(running.tickets.createMany(null, nobody, [beginning('unknown')])).rejects.toMatchObject({
      kind: 'unavailable',
    });
    await runner.query('ALTER TABLE event_store_meta RENAME COLUMN line TO timeline');
    await runner.release();
    await running.tickets.createMany(null, nobody, [beginning('known')]);
    expect(await epochsOf('known')).toEqual([1]);
  });
});

const beginning = (streamId: string) => ({
  streamId,
  events: [{ type: 'TicketIssued' as const, data: { code: streamId, limit: 1 } }],
});

const createLocked = (streamId: string): ReadingCommand<Ticket, TicketEvent, string> => ({
  context: nobody,
  streamId,
  decide: async () => ({ ...beginning(streamId), answer: streamId }),
});

const untilLocked = (table: string) =>
  waitUntil(
    async () => {
      const waiters = await admin.query(
        'SELECT 1 FROM pg_locks WHERE relation = $1::regclass AND NOT granted',
        [table],
      );
      return waiters.length > 0;
    },
    { what: `somebody to wait for ${table}`, intervalMs: 5 },
  );
