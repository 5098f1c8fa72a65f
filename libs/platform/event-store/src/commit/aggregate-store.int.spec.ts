import { derivedIds, isRefused, refuse } from '@scrip/kernel';
import { EventStore, defaultLimits } from '../index';
import {
  type Process,
  Processes,
  giveBack,
  issue,
  nobody,
  project,
  take,
  takingsOf,
  ticketDefinition,
  waiting,
} from '../test-bed/tickets.fixture';

let processes: Processes;
let one: Process;
let other: Process;

beforeAll(async () => {
  processes = await Processes.start('aggregate_store');
  one = await processes.process();
  other = await processes.process();
});

afterAll(() => processes.stop());

describe('execute', () => {
  it('answers the decision, keeps the state and appends the events', async () => {
    expect(await one.tickets.execute(issue('t1', 2))).toBe('t1');
    expect(await one.tickets.execute(take('t1', 'ann'))).toBe(1);
    expect(await one.tickets.load(project.id, 't1')).toEqual({
      version: 2,
      epoch: 1,
      state: { code: 't1', limit: 2, taken: 1 },
    });
    expect(await one.store.readStream('ticket', project.id, 't1')).toMatchObject([
      {
        type: 'TicketIssued',
        version: 1,
        schemaVersion: 1,
        service: 'tickets',
        data: { code: 't1', limit: 2 },
      },
      { type: 'TicketTaken', version: 2, metadata: { correlation_id: 'v-1', channel: 'INTERNAL' } },
    ]);
  });

  it('answers a refusal as a value and writes nothing', async () => {
    await one.tickets.execute(issue('t2', 0));
    expect(await one.tickets.execute(take('t2', 'ann'))).toEqual({ refused: 'quantity_exceeded' });
    expect(await takingsOf(one, 't2')).toEqual([]);
  });

  it('decides on what another process committed', async () => {
    await one.tickets.execute(issue('t3', 1));
    expect(await other.tickets.execute(take('t3', 'bob'))).toBe(1);
    expect(await one.tickets.execute(take('t3', 'ann'))).toEqual({ refused: 'quantity_exceeded' });
  });

  it('refuses nobody on a state that another process has changed since', async () => {
    await one.tickets.execute(issue('t10', 1));
    expect(await one.tickets.execute(take('t10', 'ann'))).toBe(1);
    expect(await other.tickets.execute(giveBack('t10', 'ann'))).toBe(0);
    expect(await one.tickets.execute(take('t10', 'bob'))).toBe(1);
  });

  it('writes side rows in the statement of the events', async () => {
    await one.tickets.execute(issue('t4'));
    const row = {
      insert: 'takings',
      values: { source_id: 's4', state: 'OPEN', details: { list: [1, 'two'] } },
    };
    expect(await one.tickets.execute(take('t4', 'ann', { rows: [row] }))).toBe(1);
    const [stored] = await one.dataSource.query(`SELECT state, details FROM takings WHERE source_id = 's4'`);
    expect(stored).toEqual({ state: 'OPEN', details: { list: [1, 'two'] } });
  });

  it('commits side rows without events, and does not raise the version for them', async () => {
    await one.tickets.execute(issue('t5'));
    const command = {
      ...take('t5', 'ann'),
      decide: () => ({
        events: [],
        rows: [{ insert: 'takings', values: { source_id: 's5', state: 'OPEN' } }],
        answer: 7,
      }),
    };
    expect(await one.tickets.execute(command)).toBe(7);
    expect((await one.tickets.load(project.id, 't5'))?.version).toBe(1);
    expect(await one.dataSource.query(`SELECT state FROM takings WHERE source_id = 's5'`)).toEqual([
      { state: 'OPEN' },
    ]);
  });

  it('turns a violated constraint into the aggregate’s refusal', async () => {
    await one.tickets.execute(issue('t6', 1, 'SAME'));
    expect(await one.tickets.execute(issue('t7', 1, 'SAME'))).toEqual({
      refused: 'duplicate_code',
      details: 'SAME',
    });
    expect(await one.tickets.load(project.id, 't7')).toBeUndefined();
  });

  it('does not start after the deadline', async () => {
    await expect(one.tickets.execute({ ...issue('t8'), context: waiting(-1) })).rejects.toMatchObject({
      kind: 'deadline',
    });
    expect(await one.tickets.load(project.id, 't8')).toBeUndefined();
  });

  it('answers at the deadline although the stream’s row is locked', async () => {
    await one.tickets.execute(issue('t9'));
    const lock = one.dataSource.createQueryRunner();
    await lock.startTransaction();
    await lock.query(`SELECT 1 FROM tickets WHERE id = 't9' FOR UPDATE`);
    const started = Date.now();
    await expect(one.tickets.execute(take('t9', 'ann', { context: waiting(200) }))).rejects.toMatchObject({
      kind: 'deadline',
    });
    expect(Date.now() - started).toBeLessThan(10_000);
    await lock.rollbackTransaction();
    await lock.release();
  });
});

describe('a keyed command', () => {
  const eventIds = derivedIds({
    createdAt: new Date('2026-03-31T10:00:00Z'),
    commandId: 'cmd_1',
    attempt: 1,
  });

  it('answers a repeated creation as the first time, in any process', async () => {
    const create = { ...issue('k1'), eventIds };
    expect(await one.tickets.execute(create)).toBe('k1');
    expect(await one.tickets.execute(create)).toBe('k1');
    expect(await other.tickets.execute(create)).toBe('k1');
    expect(await one.store.readStream('ticket', project.id, 'k1')).toHaveLength(1);
  });

  it('answers a repeated change from the state that it changed then', async () => {
    const keyed = {
      ...take('k1', 'ann'),
      eventIds: derivedIds({ createdAt: new Date(0), commandId: 'cmd_2', attempt: 1 }),
    };
    expect(await one.tickets.execute(take('k1', 'first'))).toBe(1);
    expect(await one.tickets.execute(keyed)).toBe(2);
    expect(await one.tickets.execute(take('k1', 'third'))).toBe(3);
    expect(await other.tickets.execute(keyed)).toBe(2);
    expect(await takingsOf(one, 'k1')).toEqual([{ by: 'first' }, { by: 'ann' }, { by: 'third' }]);
  });

  const ids = (commandId: string) => derivedIds({ createdAt: new Date(0), commandId, attempt: 1 });
  const taken = { repeated: ({ taken }: { taken: number }) => -taken };
  const locked = (streamId: string, by: string) => ({
    ...{ context: nobody, streamId, eventIds: ids(`${streamId} ${by}`), ...taken },
    decide: async () => ({ events: [{ type: 'TicketTaken' as const, data: { by } }], answer: 0 }),
  });
  it.each([
    [
      'k3',
      'a command',
      (by: Process) => by.tickets.execute({ ...take('k3', 'ann'), eventIds: ids('k3 ann'), ...taken }),
    ],
    ['k4', 'a command under the lock', (by: Process) => by.tickets.executeLocked(locked('k4', 'ann'))],
  ])('%s: answers a repetition of %s that says how from the state of now', async (streamId, _, command) => {
    await one.tickets.execute(issue(streamId));
    await command(one);
    await one.tickets.execute(take(streamId, 'other'));
    expect(await command(other)).toBe(-2);
    expect(await command(one)).toBe(-2);
    expect(await takingsOf(one, streamId)).toEqual([{ by: 'ann' }, { by: 'other' }]);
  });
});

describe('many keyed commands that are repeated together', () => {
  const keyed = (number: number) => ({
    ...take('k2', `c${number}`),
    eventIds: derivedIds({ createdAt: new Date(0), commandId: `k2 ${number}`, attempt: 1 }),
  });
  const numbers = Array.from({ length: 40 }, (_, number) => number);

  beforeAll(async () => {
    await one.tickets.execute(issue('k2'));
    for (const number of numbers) await one.tickets.execute(keyed(number));
  });

  const counting = (work: () => Promise<unknown>) => {
    const folds = jest.spyOn(ticketDefinition, 'evolve');
    return work().then((answers) => {
      const count = folds.mock.calls.length;
      folds.mockRestore();
      return { answers, count };
    });
  };

  it('fold the stream once, and answer each as the first time', async () => {
    const { answers, count } = await counting(() =>
      Promise.all([...numbers].reverse().map((number) => other.tickets.execute(keyed(number)))),
    );
    expect(answers).toEqual([...numbers].reverse().map((number) => number + 1));
    expect(count).toBe(40);
  });

  it('fold nothing where the answer does not depend on the state', async () => {
    const { answers, count } = await counting(() =>
      Promise.all(
        numbers.map((number) => other.tickets.execute({ ...keyed(number), repeated: () => -number })),
      ),
    );
    expect(answers).toEqual(numbers.map((number) => -number));
    expect(count).toBe(0);
    expect(await takingsOf(one, 'k2')).toHaveLength(40);
  });
});

describe('a keyed command that arrives twice at once', () => {
  it.each([
    ['in one process', () => [one, one]],
    ['in two processes', () => [one, other]],
  ])('%s: has its effect once, and both callers hear the same', async (where, both) => {
    const streamId = `twice ${where}`;
    const eventIds = (commandId: string) =>
      derivedIds({ createdAt: new Date(0), commandId: `${where} ${commandId}`, attempt: 1 });
    const create = { ...issue(streamId), eventIds: eventIds('create') };
    expect(await Promise.all(both().map(({ tickets }) => tickets.execute(create)))).toEqual([
      streamId,
      streamId,
    ]);
    const taking = { ...take(streamId, 'ann'), eventIds: eventIds('take') };
    expect(await Promise.all(both().map(({ tickets }) => tickets.execute(taking)))).toEqual([1, 1]);
    expect(await takingsOf(one, streamId)).toEqual([{ by: 'ann' }]);
  });
});

describe('executeLocked', () => {
  it('decides on rows read under the lock', async () => {
    await one.tickets.execute(issue('l1'));
    await one.tickets.execute(
      take('l1', 'ann', { rows: [{ insert: 'takings', values: { source_id: 'l1', state: 'OPEN' } }] }),
    );
    const answer = await one.tickets.executeLocked({
      context: nobody,
      streamId: 'l1',
      decide: async (ticket, read) => {
        const [row] = await read.query(`SELECT state FROM takings WHERE source_id = 'l1'`);
        return {
          events: [{ type: 'TicketTaken', data: { by: row.state } }],
          rows: [
            {
              update: 'takings',
              key: { source_id: 'l1' },
              expect: { state: 'OPEN' },
              set: { state: 'CLOSED' },
            },
          ],
          answer: ticket!.taken,
        };
      },
    });
    expect(answer).toBe(1);
    expect(await takingsOf(one, 'l1')).toEqual([{ by: 'ann' }, { by: 'OPEN' }]);
    expect(await one.dataSource.query(`SELECT state FROM takings WHERE source_id = 'l1'`)).toEqual([
      { state: 'CLOSED' },
    ]);
  });

  it('creates a stream once, whoever else creates it', async () => {
    const create = (by: Process) =>
      by.tickets.executeLocked({
        context: nobody,
        streamId: 'l2',
        decide: async (ticket) =>
          ticket
            ? refuse('ticket_exists')
            : { events: [{ type: 'TicketIssued', data: { code: 'l2', limit: 1 } }], answer: 'created' },
      });
    const answers = await Promise.all([create(one), create(other), create(one)]);
    expect(answers.filter((answer) => answer === 'created')).toHaveLength(1);
    expect(await one.store.readStream('ticket', project.id, 'l2')).toHaveLength(1);
  });

  it('passes on what the decision throws', async () => {
    const decide = async () => Promise.reject(new TypeError('a defect'));
    await expect(one.tickets.executeLocked({ context: nobody, streamId: 'l1', decide })).rejects.toThrow(
      'a defect',
    );
    expect(await one.tickets.execute(take('l1', 'bob'))).toBe(3);
  });
});

describe('a remembered state', () => {
  it('spares the load, and costs a retry where it is old', async () => {
    await one.tickets.createTogether(nobody, [
      { streamId: 'r1', events: [{ type: 'TicketIssued', data: { code: 'r1', limit: 2 } }] },
    ]);
    const loaded = (await one.tickets.load(project.id, 'r1'))!;
    expect(await other.tickets.execute(take('r1', 'ann'))).toBe(1);
    one.tickets.remember(project.id, 'r1', loaded);
    expect(await one.tickets.execute(take('r1', 'bob'))).toBe(2);
    one.tickets.remember(project.id, 'r1', loaded);
    expect(isRefused(await one.tickets.execute(take('r1', 'eve')))).toBe(true);
  });
});

describe('the cache of states', () => {
  it('forgets the oldest when all together are too large', async () => {
    const store = new EventStore('tickets', one.dataSource, { ...defaultLimits, cachedSize: 2_500 });
    const tickets = store.aggregate(ticketDefinition);
    const large = (streamId: string) => issue(streamId, 5, streamId.padEnd(1_000, '-'));
    for (const id of ['c1', 'c2', 'c3']) await tickets.execute(large(id));
    for (const id of ['c1', 'c3']) await other.tickets.execute(take(id, 'ann'));
    // Only who decides on a cached state can find it old.
    expect(await tickets.execute(take('c1', 'bob'))).toBe(2);
    expect(store.metrics.versionConflicts).toBe(0);
    expect(await tickets.execute(take('c3', 'bob'))).toBe(2);
    expect(store.metrics.versionConflicts).toBe(1);
  });
});
