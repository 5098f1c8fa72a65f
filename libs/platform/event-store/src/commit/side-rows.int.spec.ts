import { isRefused, refuse } from '@scrip/kernel';
import { Client } from 'pg';
import { type RowChange, type SideRows, StaleRow } from '../index';
import { CuttingProxy } from '../test-bed/cutting-proxy.fixture';
import { type Process, Processes, issue, nobody, project } from '../test-bed/tickets.fixture';

interface Bucket {
  project_id: string;
  ticket_id: string;
  day: string;
  points: number;
}

/** Points of a ticket by the day on which they expire. */
const buckets: SideRows<Bucket> = {
  table: 'buckets',
  key: ['project_id', 'ticket_id', 'day'],
  idOf: ({ ticket_id }) => ticket_id,
  load: (read, { projectId }, ids) =>
    read<Bucket>({
      text: `SELECT project_id, ticket_id, day::text, points::float8 FROM buckets
        WHERE project_id = $1 AND ticket_id = ANY($2) ORDER BY day`,
      values: [projectId, ids],
    }),
};

const keyOf = ({ project_id, ticket_id, day }: Bucket) => ({ project_id, ticket_id, day });

/** Takes points from the buckets that expire first; one that is empty goes. */
const allocate = (rows: readonly Bucket[], points: number): RowChange[] | null => {
  const changes: RowChange[] = [];
  let open = points;
  for (const bucket of [...rows].sort((a, b) => (a.day < b.day ? -1 : 1))) {
    const taken = Math.min(open, bucket.points);
    if (taken === 0) continue;
    open -= taken;
    changes.push(
      taken === bucket.points
        ? { delete: 'buckets', key: keyOf(bucket), expect: { points: bucket.points } }
        : { increment: 'buckets', key: keyOf(bucket), by: { points: -taken }, exists: true },
    );
  }
  return open === 0 ? changes : null;
};

let processes: Processes;
let one: Process;
let other: Process;
let proxy: CuttingProxy;

beforeAll(async () => {
  processes = await Processes.start('side_rows');
  one = await processes.process();
  other = await processes.process();
});

afterAll(async () => {
  await processes.stop();
  await proxy?.stop();
});

const spend = ({ tickets }: Process, streamId: string, by: string, points = 10) =>
  tickets.executeLocked<string, Bucket, 'points_exceeded'>({
    context: nobody,
    streamId,
    sideRows: { of: buckets, ids: [streamId] },
    decide: (_, rows) => {
      const changes = allocate(rows, points);
      return changes
        ? { events: [{ type: 'TicketTaken', data: { by } }], rows: changes, answer: by }
        : refuse('points_exceeded');
    },
  });

const ticket = async (streamId: string, ...points: [day: string, points: number][]) => {
  await one.tickets.execute(issue(streamId));
  for (const [day, count] of points) {
    await one.dataSource.query('INSERT INTO buckets VALUES ($1, $2, $3, $4)', [
      project.id,
      streamId,
      day,
      count,
    ]);
  }
};

const stored = (streamId: string) =>
  one.dataSource.query<object[]>(
    'SELECT day::text, points::int, note FROM buckets WHERE ticket_id = $1 ORDER BY day',
    [streamId],
  );

const takings = async (streamId: string) =>
  (await one.store.readStream('ticket', project.id, streamId)).length - 1;

/** The texts that are sent to PostgreSQL while `work` runs. */
const statementsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
  const query = jest.spyOn(
    Client.prototype as unknown as { query: (...args: unknown[]) => unknown },
    'query',
  );
  await work();
  const texts = query.mock.calls.map(([first]) =>
    typeof first === 'string' ? first : (first as { text: string }).text,
  );
  query.mockRestore();
  return texts;
};

describe('commands that decide on rows beside the state', () => {
  it('cost six round trips a batch, however many they are', async () => {
    await ticket('b1', ['2026-01-31', 1_000]);
    const texts = await statementsOf(() =>
      Promise.all(Array.from({ length: 20 }, (_, index) => spend(one, 'b1', `c${index}`))),
    );
    expect(texts.map((text) => text.trim().split(/[\s;]/)[0])).toEqual([
      'BEGIN',
      'SELECT', // the lock
      'SELECT', // the state
      'SELECT', // the rows of all
      'WITH', // events, state and rows
      'COMMIT',
    ]);
    expect(await stored('b1')).toEqual([{ day: '2026-01-31', points: 800, note: null }]);
    expect(await takings('b1')).toBe(20);
  });

  it('see what the commands before them leave, and take what is there exactly once', async () => {
    await ticket('b2', ['2026-01-31', 35], ['2026-02-28', 65]);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => spend(index % 2 ? one : other, 'b2', `c${index}`)),
    );
    expect(answers.filter((answer) => !isRefused(answer))).toHaveLength(10);
    expect(await stored('b2')).toEqual([]);
    expect(await takings('b2')).toBe(10);
  });

  it('see rows that were inserted, set and deleted in the same batch', async () => {
    await ticket('b3');
    const key = { project_id: project.id, ticket_id: 'b3', day: '2026-03-31' };
    const doing = (change: RowChange) =>
      one.tickets.executeLocked<number[], Bucket>({
        context: nobody,
        streamId: 'b3',
        sideRows: { of: buckets, ids: ['b3'] },
        decide: (_, rows) => ({ events: [], rows: [change], answer: rows.map(({ points }) => points) }),
      });
    expect(
      await Promise.all([
        doing({ insert: 'buckets', values: { ...key, points: 5 } }),
        doing({ increment: 'buckets', key, by: { points: 2 } }),
        doing({ increment: 'buckets', key, by: { points: 3 } }),
        doing({ upsert: 'buckets', key, set: { points: 1, note: 'set' } }),
        doing({ delete: 'buckets', key }),
        doing({ upsert: 'buckets', key, set: { points: 8, note: 'new' } }),
      ]),
    ).toEqual([[], [5], [7], [10], [1], []]);
    expect(await stored('b3')).toEqual([{ day: '2026-03-31', points: 8, note: 'new' }]);
  });

  it('keep one member’s error from the others', async () => {
    await ticket('b4', ['2026-01-31', 30]);
    const missing = { project_id: project.id, ticket_id: 'b4', day: '2020-01-01' };
    const wrong = one.tickets.executeLocked<null, Bucket>({
      context: nobody,
      streamId: 'b4',
      sideRows: { of: buckets, ids: ['b4'] },
      decide: () => ({ events: [], rows: [{ delete: 'buckets', key: missing }], answer: null }),
    });
    const ends = await Promise.allSettled([spend(one, 'b4', 'ann'), wrong, spend(one, 'b4', 'bob')]);
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await stored('b4')).toEqual([{ day: '2026-01-31', points: 10, note: null }]);
  });

  it('have their effect once when the connection is lost at COMMIT', async () => {
    await ticket('b5', ['2026-01-31', 30]);
    proxy = await CuttingProxy.start(processes.url);
    const cutting = await processes.process({ url: proxy.url });
    for (const when of ['before', 'after'] as const) {
      const done = proxy.cutNext(['COMMIT'], when);
      expect(await spend(cutting, 'b5', when)).toBe(when);
      await done;
    }
    expect(await stored('b5')).toEqual([{ day: '2026-01-31', points: 10, note: null }]);
    expect(await takings('b5')).toBe(2);
  });
});

describe('a change of a row', () => {
  const key = (day: string) => ({ project_id: project.id, ticket_id: 'r1', day });
  const write = (...rows: RowChange[]) =>
    one.tickets.execute({
      context: nobody,
      streamId: 'r1',
      decide: () => ({ events: [], rows, answer: null }),
    });

  beforeAll(() => one.tickets.execute(issue('r1')));
  beforeEach(() => one.dataSource.query('DELETE FROM buckets'));

  it('sets or inserts, and adds to a row that begins at zero', async () => {
    await write({ upsert: 'buckets', key: key('2026-01-01'), set: { points: 1, note: 'a' } });
    await write(
      { upsert: 'buckets', key: key('2026-01-01'), set: { points: 2, note: 'b' } },
      { increment: 'buckets', key: key('2026-01-02'), by: { points: 3 } },
      { increment: 'buckets', key: key('2026-01-02'), by: { points: 4 } },
    );
    await write({ increment: 'buckets', key: key('2026-01-02'), by: { points: 10 } });
    expect(await stored('r1')).toEqual([
      { day: '2026-01-01', points: 2, note: 'b' },
      { day: '2026-01-02', points: 17, note: null },
    ]);
  });

  it.each<[string, RowChange]>([
    ['deletes no row that is not there', { delete: 'buckets', key: key('2026-01-03') }],
    [
      'deletes no row that looks otherwise',
      { delete: 'buckets', key: key('2026-01-01'), expect: { points: 6 } },
    ],
    [
      'adds to no row that is not there',
      { increment: 'buckets', key: key('2026-01-03'), by: { points: 1 }, exists: true },
    ],
    ['writes nothing beside a row that must be absent', { absent: 'buckets', key: key('2026-01-01') }],
  ])('%s', async (_, change) => {
    await write({ insert: 'buckets', values: { ...key('2026-01-01'), points: 5 } });
    const both = write(change, { insert: 'buckets', values: { ...key('2026-01-04'), points: 1 } });
    await expect(both).rejects.toBeInstanceOf(StaleRow);
    await expect(both).rejects.toMatchObject({ table: 'buckets' });
    expect(await stored('r1')).toEqual([{ day: '2026-01-01', points: 5, note: null }]);
  });
});
