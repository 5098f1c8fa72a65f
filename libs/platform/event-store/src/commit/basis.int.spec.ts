import { isRefused, refuse } from '@scrip/kernel';
import {
  bothWays,
  issue,
  nobody,
  type Process,
  Processes,
  project,
  type Ticket,
  ticketDefinition,
  type TicketEvent,
} from '../test-bed/tickets.fixture';
import { type AggregateDefinition, type AggregateStore, EventStore, VersionConflict } from '../index';

/** A ticket that can be taken while its counter is open. */
const guarded: AggregateDefinition<Ticket & { counter?: string | null }, TicketEvent> = {
  ...ticketDefinition,
  select: {
    from: 'tickets t LEFT JOIN takings c ON c.source_id = t.code',
    columns: 't.state, c.state AS counter',
  },
  fromRow: ({ state, counter }) =>
    state === null ? undefined : { ...(state as Ticket), counter: counter as string | null },
  toRow: ({ counter: _, ...ticket }) => ticket,
  basis: '(SELECT c.state FROM takings c WHERE c.source_id = t.code)',
};

type Guarded = AggregateStore<Ticket & { counter?: string | null }, TicketEvent>;

let processes: Processes;
let process: Process;

beforeAll(async () => {
  processes = await Processes.start('basis');
  process = await processes.process();
});
afterAll(() => processes.stop());

const turn = (id: string, state: string) =>
  process.dataSource.query(
    `INSERT INTO takings (source_id, state) VALUES ($1, $2)
     ON CONFLICT (source_id) DO UPDATE SET state = excluded.state`,
    [id, state],
  );

/** Takes a ticket whose counter is open; answers what the counter said. */
const takeOpen = (store: Guarded, streamId: string, seen: (counter: unknown) => void = () => undefined) =>
  store.execute<string, 'closed'>({
    context: nobody,
    streamId,
    decide: (ticket) => {
      seen(ticket?.counter);
      return ticket?.counter === 'OPEN'
        ? { events: [{ type: 'TicketTaken', data: { by: 'ann' } }], answer: ticket.counter }
        : refuse('closed');
    },
  });

describe.each(bothWays)('a write %s', (_, limits) => {
  let store: Guarded;
  let id: string;
  let count = 0;

  beforeEach(async () => {
    store = new EventStore('tickets', process.dataSource, limits).aggregate(guarded);
    count += 1;
    id = `${limits.writer.mergeFrom}_${count}`;
    await process.tickets.execute(issue(id));
    await turn(id, 'OPEN');
  });

  it('is decided on again where what it rests on changed since it was read', async () => {
    expect(await takeOpen(store, id)).toBe('OPEN');
    await turn(id, 'CLOSED');
    const seen: unknown[] = [];
    expect(await takeOpen(store, id, (counter) => seen.push(counter))).toMatchObject({ refused: 'closed' });
    expect(seen).toEqual(['OPEN', 'CLOSED']);
    expect((await store.load(project.id, id))?.state).toMatchObject({ taken: 1, counter: 'CLOSED' });
  });

  it('goes through on the state that is remembered as long as it has not', async () => {
    const seen: unknown[] = [];
    for (let taken = 0; taken < 3; taken += 1) await takeOpen(store, id, (counter) => seen.push(counter));
    expect(seen).toEqual(['OPEN', 'OPEN', 'OPEN']);
  });

  it('is refused on what is true now', async () => {
    await turn(id, 'CLOSED');
    expect(isRefused(await takeOpen(store, id))).toBe(true);
    await turn(id, 'OPEN');
    expect(await takeOpen(store, id)).toBe('OPEN');
  });

  it('of rows alone is held to it too', async () => {
    await takeOpen(store, id);
    await turn(id, 'CLOSED');
    const write = store.execute<unknown>({
      context: nobody,
      streamId: id,
      decide: (ticket) => ({
        events: [],
        rows: [{ insert: 'takings', values: { source_id: `${id} noted`, state: String(ticket?.counter) } }],
        answer: null,
      }),
    });
    await write;
    const noted = `SELECT state FROM takings WHERE source_id = $1`;
    expect(await process.dataSource.query(noted, [`${id} noted`])).toEqual([{ state: 'CLOSED' }]);
  });

  it('of a stream it has just begun reads what lies beside it first', async () => {
    await turn(`${id} new`, 'OPEN');
    await store.execute(issue(`${id} new`) as never);
    const seen: unknown[] = [];
    await takeOpen(store, `${id} new`, (counter) => seen.push(counter));
    expect(seen).toEqual(['OPEN']);
  });
});

describe('a write of many streams', () => {
  it('needs what each of them was read with', async () => {
    const store: Guarded = new EventStore('tickets', process.dataSource).aggregate(guarded);
    await process.tickets.execute(issue('bulk'));
    await turn('bulk', 'OPEN');
    const loaded = (await store.load(project.id, 'bulk'))!;
    const change = (basis: string | null | undefined) => ({
      streamId: 'bulk',
      events: [{ type: 'TicketTaken' as const, data: { by: 'ann' } }],
      expectedVersion: loaded.version,
      expectedEpoch: loaded.epoch,
      expectedBasis: basis,
      state: loaded.state,
    });
    for (const other of ['CLOSED', undefined])
      await expect(store.commitMany(null, nobody, [change(other)])).rejects.toThrow(VersionConflict);
    await store.commitMany(null, nobody, [change(loaded.basis)]);
    expect((await process.tickets.load(project.id, 'bulk'))?.state).toMatchObject({ taken: 1 });
  });
});

test('states that were read with something beside them are compared without it', async () => {
  const store = new EventStore('tickets', process.dataSource);
  store.aggregate(guarded);
  expect(await store.verifyState()).toEqual([]);
});
