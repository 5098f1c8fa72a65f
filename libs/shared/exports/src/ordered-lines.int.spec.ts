import { Secret } from '@scrip/kernel';
import { readSettings, type ScripConfig } from '@scrip/service';
import { createDatabase, waitUntil } from '@scrip/testing';
import { Client } from 'pg';
import { orderedLines, type PlacedLine } from './ordered-lines';

type Named = readonly [id: string, value: string];

const never = new AbortController().signal;

const lineOf = ([id, value]: Named): PlacedLine => ({ id, value, cells: [id] });

async function* pagesOf(...pages: PlacedLine[][]): AsyncGenerator<PlacedLine[]> {
  yield* pages;
}

describe('lines that are ordered by sealed values', () => {
  let config: ScripConfig;
  let database: Client;

  beforeAll(async () => {
    const databaseUrl = new Secret(await createDatabase('ordered lines'));
    config = { ...readSettings({}), masterKey: new Secret('unused'), databaseUrl };
    database = new Client({ connectionString: databaseUrl.reveal() });
    await database.connect();
  });
  afterAll(() => database?.end());

  const lines = (pages: AsyncIterable<PlacedLine[]>, { descending = false, signal = never } = {}) =>
    orderedLines(config, 'customers', pages, { descending, signal });
  const idsOf = async (named: readonly Named[], descending: boolean): Promise<unknown[]> => {
    const ids: unknown[] = [];
    for await (const cells of lines(pagesOf(named.map(lineOf)), { descending })) ids.push(...cells.flat());
    return ids;
  };
  /** Sessions of exports in this database, and how many of them have a transaction that writes. */
  const sessions = async (): Promise<{ open: number; writing: number }> => {
    const { rows } = await database.query(
      `SELECT count(*)::int AS open, count(backend_xid)::int AS writing FROM pg_stat_activity
       WHERE application_name = 'scrip-customers-export' AND datname = current_database()`,
    );
    return rows[0];
  };
  /** Tables of such lines: `t` for a temporary one, and how their values are compared. */
  const tables = async (): Promise<{ persistence: string; collation: string }[]> => {
    const { rows } = await database.query(
      `SELECT t.relpersistence AS persistence, c.collname AS collation
       FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attname = 'value'
       JOIN pg_collation c ON c.oid = a.attcollation
       WHERE t.relname = 'placed_lines'`,
    );
    return rows;
  };

  it.each<[what: string, sent: Named[], ascending: string[]]>([
    [
      'ties by id',
      [
        ['c2', 'Ada'],
        ['c10', 'Ada'],
        ['b', 'Eve'],
        ['c1', 'Ada'],
      ],
      ['c1', 'c10', 'c2', 'b'],
    ],
    [
      'empty texts first, ties of them by id',
      [
        ['empty-2', ''],
        ['blank', ' '],
        ['text', 'Ada'],
        ['empty-1', ''],
      ],
      ['empty-1', 'empty-2', 'blank', 'text'],
    ],
    [
      'capitals before small letters',
      [
        ['small', 'ada'],
        ['zoe', 'Zoe'],
        ['mixed', 'aDa'],
        ['capital', 'Ada'],
      ],
      ['capital', 'zoe', 'mixed', 'small'],
    ],
    [
      'signs and digits as characters, not as words and numbers',
      [
        ['hyphen', 'Ann-Marie'],
        ['nine', '9'],
        ['joined', 'AnnMarie'],
        ['ten', '10'],
        ['blank', 'Ann Marie'],
        ['shorter', 'Ann'],
      ],
      ['ten', 'nine', 'shorter', 'blank', 'hyphen', 'joined'],
    ],
    [
      'letters of other scripts behind those of Latin, accents behind both',
      [
        ['han', '張偉'],
        ['accent', 'Émile'],
        ['arabic', 'أحمد'],
        ['plain', 'Zoe'],
        ['stroke', 'Łukasz'],
        ['dots', 'Zoë'],
        ['cyrillic', 'Иван'],
      ],
      ['plain', 'dots', 'accent', 'stroke', 'cyrillic', 'arabic', 'han'],
    ],
    [
      'characters beyond the first 65,536 behind all others',
      [
        ['beyond', '\u{1f600}'],
        ['wide', '\uff21da'],
      ],
      ['wide', 'beyond'],
    ],
  ])('have %s, and the other way round descending', async (_, sent, ascending) => {
    expect(await idsOf(sent, false)).toEqual(ascending);
    expect(await idsOf(sent, true)).toEqual([...ascending].reverse());
  });

  it('say what they said, however many there are', async () => {
    const sent = Array.from({ length: 1_201 }, (_, n) => {
      const id = `id-${String(n).padStart(4, '0')}`;
      // Each place once, in an order of its own.
      const value = `Name ${String((n * 577) % 1_201).padStart(4, '0')}`;
      return { id, value, cells: [id, value, n, null, `a, "b"\r\n${n}`] };
    });
    const pages = pagesOf(sent.slice(0, 500), [], sent.slice(500, 1_000), sent.slice(1_000));
    const found: unknown[] = [];
    for await (const cells of lines(pages)) {
      expect(cells.length).toBeLessThanOrEqual(500);
      found.push(...cells);
    }
    const inOrder = [...sent].sort((one, other) => (one.value < other.value ? -1 : 1));
    expect(found).toEqual(inOrder.map(({ cells }) => cells));
  });

  it('are none where there are none', async () => {
    expect(await idsOf([], false)).toEqual([]);
  });

  it('hold up no reader of the event log, and lie in a temporary table, compared by code points', async () => {
    const seen: unknown[] = [];
    const look = async (): Promise<void> => {
      seen.push([await sessions(), await tables()]);
    };
    async function* pages(): AsyncGenerator<PlacedLine[]> {
      yield [lineOf(['1', 'Ada'])];
      await look();
      yield [lineOf(['2', 'Bob'])];
    }
    for await (const cells of lines(pages())) {
      expect(cells).toEqual([['1'], ['2']]);
      await look();
    }
    expect(seen).toEqual(Array(2).fill([{ open: 1, writing: 0 }, [{ persistence: 't', collation: 'C' }]]));
  });

  it.each([
    ['read to its end', Number.POSITIVE_INFINITY],
    ['given up', 1],
  ])('leave nothing behind when a file is %s', async (_, mostPages) => {
    const sent = Array.from({ length: 600 }, (_, n) => lineOf([`${n}`, 'Ada']));
    let [pages, read] = [0, 0];
    for await (const cells of lines(pagesOf(sent))) {
      read += cells.length;
      pages += 1;
      if (pages === mostPages) break;
    }
    expect(read < sent.length).toBe(pages === mostPages);
    await waitUntil(async () => (await sessions()).open === 0 && (await tables()).length === 0, {
      what: 'the end of the table with its session',
    });
  });

  it('end with the reason of the signal, and with the fault of what reads the records', async () => {
    const ending = new AbortController();
    const file = lines(pagesOf([lineOf(['1', 'Ada'])]), { signal: ending.signal });
    ending.abort(new Error('the process ends'));
    await expect(file.next()).rejects.toThrow('the process ends');
    async function* broken(): AsyncGenerator<PlacedLine[]> {
      yield [lineOf(['1', 'Ada'])];
      throw new Error('the key is broken');
    }
    await expect(lines(broken()).next()).rejects.toThrow('the key is broken');
    await waitUntil(async () => (await sessions()).open === 0, { what: 'the end of the sessions' });
  });
});
