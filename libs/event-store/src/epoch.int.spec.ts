import { waitUntil } from '@scrip/testing';
import { type Process, Processes, issue, nobody, project, take } from './test-bed/tickets.fixture';

let processes: Processes;
let one: Process;

beforeEach(async () => {
  processes = await Processes.start('epoch');
  one = await processes.process();
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
      expect(await epoch()).toBe(2);
      await processes.process();
      expect(await epoch()).toBe(2);
    },
  );

  it('rises once when several processes start together', async () => {
    const started = await Promise.all(Array.from({ length: 4 }, () => processes.process()));
    for (let round = 1; round <= 10; round += 1) {
      await one.dataSource.query(`UPDATE event_store_meta SET timeline = 'other'`);
      await Promise.all(started.map(({ store }) => store.start()));
      expect(await epoch()).toBe(1 + round);
    }
  });

  it('rises by command, and appenders notice it', async () => {
    await one.tickets.execute(issue('e1'));
    expect(await one.store.raiseEpoch()).toBe(2);
    await one.tickets.execute(take('e1', 'ann'));
    expect(await epochsOf('e1')).toEqual([1, 2]);
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
    const raiser = one.dataSource.createQueryRunner();
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
    const state = { code: 'e5', limit: 1_000_000, taken: 0 };
    const events = [{ type: 'TicketTaken' as const, data: { by: 'bob' } }];
    await one.tickets.commitMany(null, nobody, [{ streamId: 'e5', state, expectedVersion: 1, events }]);
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

const untilLocked = (table: string) =>
  waitUntil(
    async () => {
      const waiters = await one.dataSource.query(
        'SELECT 1 FROM pg_locks WHERE relation = $1::regclass AND NOT granted',
        [table],
      );
      return waiters.length > 0;
    },
    { what: `somebody to wait for ${table}`, intervalMs: 5 },
  );
