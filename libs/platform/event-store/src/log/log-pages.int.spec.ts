import { randomBytes } from 'node:crypto';
import { waitUntil } from '@scrip/testing';
import type { StoredEvent } from '../index';
import { type Process, Processes, issue, nobody, project, take } from '../test-bed/tickets.fixture';
import { readLogStatement } from './log-reader';

let processes: Processes;
let one: Process;

beforeAll(async () => {
  processes = await Processes.start('log_pages');
  one = await processes.process();
});

afterAll(() => processes.stop());

const bytesOf = (events: readonly StoredEvent[]): number =>
  events.reduce((bytes, event) => bytes + JSON.stringify(event).length, 0);

const untilReadable = (count: number) =>
  waitUntil(async () => (await one.store.readLog({ after: null, limit: 10_000 })).length === count, {
    what: `${count} readable events`,
  });

describe('a page of the log', () => {
  const bytesMax = 1_000_000;

  beforeAll(async () => {
    await one.tickets.execute(issue('large'));
    // Half of them can be compressed to nearly nothing.
    for (let number = 0; number < 30; number += 1) {
      const text = number % 2 ? randomBytes(100_000).toString('hex') : 'ab'.repeat(100_000);
      await one.tickets.execute(take('large', `${number} ${text}`));
    }
    await untilReadable(31);
  });

  it.each([[undefined], [['ticket']], [['ticket', 'other']]])(
    'holds about so many bytes, however many events are asked for (aggregates %p)',
    async (aggregates) => {
      const read: StoredEvent[] = [];
      for (let more = true; more;) {
        const after = read.at(-1)?.position ?? null;
        const page = await one.store.readPage({
          after,
          limit: 1_000,
          maxBytes: bytesMax,
          ...(aggregates ? { aggregates } : {}),
        });
        expect(bytesOf(page.events.slice(0, -1))).toBeLessThan(3 * bytesMax);
        expect(page.events.length > 0 || !page.more).toBe(true);
        read.push(...page.events);
        more = page.more;
      }
      expect(read.map(({ version }) => version)).toEqual(Array.from({ length: 31 }, (_, index) => index + 1));
    },
  );

  it('holds one event even if that is larger', async () => {
    const { events, more } = await one.store.readPage({ after: null, limit: 10, maxBytes: 1 });
    expect([events.length, more]).toEqual([1, true]);
  });

  it('says whether there may be more', async () => {
    const all = await one.store.readPage({ after: null, limit: 100, maxBytes: 1e9 });
    expect([all.events.length, all.more]).toEqual([31, false]);
    expect(await one.store.readPage({ after: null, limit: 31 })).toMatchObject({ more: true });
    expect(await one.store.readPage({ after: all.events.at(-1)!.position, limit: 31 })).toEqual({
      events: [],
      more: false,
    });
  });
});

describe('a page of a long log', () => {
  beforeAll(async () => {
    const many = Array.from({ length: 3_000 }, (_, index) => ({
      streamId: `p${index}`,
      events: [{ type: 'TicketIssued' as const, data: { code: `p${index}`, limit: 5 } }],
    }));
    await one.tickets.createMany(null, nobody, many);
    await untilReadable(3_031);
    await one.dataSource.query('ANALYZE events');
  });
  afterAll(() => one.dataSource.query(`DELETE FROM events WHERE stream_id LIKE 'p%'`));

  it.each([[undefined], [['ticket']], [['ticket', 'other']]])(
    'is read in the order of an index, and nothing behind it is looked at (aggregates %p)',
    async (aggregates) => {
      const [, second] = await one.store.readLog({ after: null, limit: 2 });
      const { text, values } = readLogStatement({ after: second!.position, limit: 10, aggregates });
      const rows = await one.dataSource.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, [...values]);
      const read: number[] = [];
      const visit = (node: Record<string, unknown>): void => {
        if (String(node['Node Type']).includes('Scan') && 'Relation Name' in node)
          read.push(Number(node['Actual Rows']) * Number(node['Actual Loops']));
        for (const child of (node.Plans ?? []) as Record<string, unknown>[]) visit(child);
      };
      visit(rows[0]['QUERY PLAN'][0].Plan);
      expect(Math.max(...read)).toBeLessThanOrEqual(11);
    },
  );
});

describe('reading on behind a position', () => {
  const scanned = async (recordedAfter?: Date): Promise<string[]> => {
    const { text, values } = readLogStatement({ after: '1-1-1', limit: 100, recordedAfter });
    const rows = await one.dataSource.query(`EXPLAIN ${text}`, [...values]);
    const plan = rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n');
    return [...new Set([...plan.matchAll(/on (events_\w+)/g)].map(([, name]) => name!))].sort();
  };

  beforeAll(async () => {
    for (const year of [2021, 2022, 2023]) await one.store.maintain(new Date(`${year}-01-01T00:00:00Z`));
  });

  it('opens the partitions since then, and not all of them', async () => {
    const all = await scanned();
    expect(all).toEqual(expect.arrayContaining(['events_2021_01', 'events_2022_03', 'events_2023_04']));
    const since = await scanned(new Date('2023-02-10T00:00:00Z'));
    expect(since).not.toContain('events_2023_01');
    expect(since).toContain('events_2023_02');
    expect(since.some((name) => name.startsWith('events_2021') || name.startsWith('events_2022'))).toBe(
      false,
    );
  });

  it('uses when the event at the position was recorded, also where another process read it', async () => {
    const [, second] = await one.store.readLog({ after: null, limit: 2 });
    const other = await processes.process();
    const statements: unknown[][] = [];
    const pool = (
      other.dataSource.driver as unknown as {
        master: {
          on: (event: string, listen: (client: { query: (...given: unknown[]) => unknown }) => void) => void;
        };
      }
    ).master;
    pool.on('acquire', (client) => {
      const query = client.query.bind(client);
      client.query = (...given) => {
        statements.push(given);
        return query(...given);
      };
    });
    const next = await other.store.readLog({ after: second!.position, limit: 1 });
    expect(next).toMatchObject([{ version: 3 }]);
    const bound = statements.at(-1)![1] as unknown[];
    const days = (Date.parse(second!.recordedAt) - Date.parse(bound[4] as string)) / 86_400_000;
    expect(days).toBe(35);
  });

  it('finds an event that was recorded before the one at the position', async () => {
    const last = (await one.store.readLog({ after: null, limit: 100 })).at(-1)!;
    await one.tickets.execute({ ...issue('earlier'), context: { ...nobody, project } });
    await one.dataSource.query(
      `UPDATE events SET recorded_at = recorded_at - interval '20 days' WHERE stream_id = 'earlier'`,
    );
    await untilReadable(32);
    expect(await one.store.readLog({ after: last.position, limit: 10 })).toMatchObject([
      { streamId: 'earlier' },
    ]);
  });
});
