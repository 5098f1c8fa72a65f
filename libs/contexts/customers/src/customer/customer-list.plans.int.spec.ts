import { readInput } from '@scrip/edge';
import { eventStoreMigrations } from '@scrip/event-store';
import { isRefused } from '@scrip/kernel';
import { createDatabase, projectOf, type TouchedRows, touchedRows } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { customersContext } from '../index';
import { CustomerListQuery, customerListStatements, type ListCursor } from './customer-list.query';

const project = projectOf({});
const all = 20_000;
const [ofEmail, ofName, ofCity] = [1, 10, 200];
const [newest, changed] = ['2026-01-01T05:33:00Z', '2026-02-01T05:33:00Z'];
// Half of the customers are older.
const [middle, middleChange] = ['2026-01-01T02:46:41Z', '2026-02-01T02:46:41Z'];

const filledTables = `
  INSERT INTO customers (project_id, id, version, epoch, last_ord, state, created_at, changed_at, deleted_at)
    SELECT p, 'cust_' || lpad(n::text, 6, '0'), 1, 1, '1'::xid8, '{}',
      '2026-01-01'::timestamptz + n * interval '1 second', '2026-02-01'::timestamptz + n * interval '1 second',
      CASE WHEN n % 4 = 0 THEN now() END
    FROM unnest(ARRAY['${project.id}', 'proj_other']) p, generate_series(1, ${all}) n;
  INSERT INTO customer_keys (project_id, customer_id, wrapped_key, source_hash, source_id, name_hash, email_hash, city_hash,
      created_at, listed)
    SELECT project_id, id, 'w', id, CASE WHEN deleted_at IS NULL THEN 'shop-' || id ELSE '' END,
      CASE WHEN deleted_at IS NULL THEN 'name-' || n / ${ofName} END,
      CASE WHEN deleted_at IS NULL THEN 'email-' || n / ${ofEmail} END,
      CASE WHEN deleted_at IS NOT NULL THEN NULL WHEN n % 2 = 1 THEN 'city-large' ELSE 'city-' || n / ${ofCity} END, created_at, deleted_at IS NULL
    FROM customers, LATERAL (SELECT substr(id, 6)::int AS n) numbered`;

// A tenth of those who are left.
const filledSegment = `
  INSERT INTO segment_members (project_id, segment_id, customer_id)
    SELECT project_id, 'seg_tenth', id FROM customers
    WHERE deleted_at IS NULL AND substr(id, 6)::int % 10 = 1`;

let database: DataSource;

beforeAll(async () => {
  database = new DataSource({ type: 'postgres', url: await createDatabase('customer_plans') });
  await database.initialize();
  const runner = database.createQueryRunner();
  for (const Migration of [...eventStoreMigrations, ...customersContext.migrations])
    await new Migration().up(runner);
  await runner.query(filledTables);
  await runner.query(filledSegment);
  await runner.query('VACUUM ANALYZE segment_members');
  await runner.query('VACUUM ANALYZE customers');
  await runner.query('VACUUM ANALYZE customer_keys');
  await runner.release();
});
afterAll(() => database?.destroy());

const statementsOf = (query: object, cursor: ListCursor | null) => {
  const hash = (field: string, value: string): string => `${field}-${value}`;
  const read = readInput(CustomerListQuery, query, 'query');
  const statements = customerListStatements(project.id, read, { cursor, hash });
  if (isRefused(statements)) throw new Error(statements.details);
  return statements;
};

const touchedBy = async (
  query: object,
  cursor: ListCursor | null = null,
): Promise<{ page: TouchedRows; count: TouchedRows; scans: string[] }> => {
  const statements = statementsOf(query, cursor);
  const [page, count] = [[] as TouchedRows[], [] as TouchedRows[]];
  for (const table of ['customers', 'customer_keys']) {
    page.push(await touchedRows(database, statements.page, table));
    count.push(await touchedRows(database, statements.count, table));
  }
  const most = (touched: TouchedRows[]): TouchedRows => ({
    scans: touched.flatMap(({ scans }) => scans),
    rows: Math.max(...touched.map(({ rows }) => rows)),
  });
  return { page: most(page), count: most(count), scans: most(page).scans };
};

const within = 2;

describe('a list of customers', () => {
  it.each<[string, object, string, number]>([
    ['an e-mail address', { email: '77' }, 'customer_keys_email', ofEmail],
    ['a name', { name: '77' }, 'customer_keys_name', ofName],
    ['a city', { city: '77' }, 'customer_keys_city', 11],
    ['a name, in the order of changes', { name: '77', order: '-updated_at' }, 'customer_keys_name', ofName],
    ['a time', { created_at: { after: newest } }, 'customers_created', 20],
    ['a change', { updated_at: { after: changed }, order: 'updated_at' }, 'customers_changed', 20],
    ['nothing', {}, 'customers_created', 11],
    ['nothing, oldest first', { order: 'created_at' }, 'customers_created', 11],
    ['nothing, in the order of changes', { order: '-updated_at' }, 'customers_changed', 11],
    ['nothing, in the order of source ids', { order: 'source_id' }, 'customer_keys_source', 11],
    [
      'a creation, in the order of changes',
      { created_at: { after: middle }, order: 'updated_at' },
      'customers_changed',
      11,
    ],
    [
      'an early creation, the latest change first',
      { created_at: { before: middle }, order: '-updated_at' },
      'customers_changed',
      11,
    ],
    [
      'a change, in the order of creations',
      { updated_at: { after: middleChange }, order: 'created_at' },
      'customers_created',
      11,
    ],
    [
      'an early change, the newest first',
      { updated_at: { before: middleChange }, order: '-created_at' },
      'customers_created',
      11,
    ],
    ['nothing, behind a time', { starting_after: '2026-01-01T01:00:00Z' }, 'customers_created', 11],
  ])(
    'finds customers by %s through an index, and reads no more than it shows',
    async (_, query, index, rows) => {
      const { page, count, scans } = await touchedBy(query);
      expect(scans).toContain(index);
      expect([index, 'customers_pkey', 'customer_keys_pkey']).toEqual(expect.arrayContaining(scans));
      expect(page.rows).toBeLessThanOrEqual(rows * within);
      expect(count.scans).not.toContain('Seq Scan');
      expect(count.rows).toBeLessThanOrEqual(10_000 + 10);
    },
  );

  it.each<[string, object, string]>([
    ['changes', { city: 'large', order: '-updated_at' }, 'customers_changed'],
    [
      'creations, with a range of changes',
      { city: 'large', order: '-created_at', updated_at: { after: middleChange } },
      'customers_created',
    ],
  ])('sorts no matches of a city of many in the order of %s', async (_, query, index) => {
    const { page } = statementsOf(query, null);
    const customers = await touchedRows(database, page, 'customers');
    expect(customers.scans).toContain(index);
    expect(customers.rows).toBeLessThanOrEqual(60);
    const keys = await touchedRows(database, page, 'customer_keys');
    expect(keys.scans).not.toContain('Seq Scan');
    expect(keys.rows).toBeLessThanOrEqual(5_001);
    const rows = await database.query<{ customer_id: string }[]>(page.text, page.values);
    const expected = Array.from({ length: 11 }, (_, place) => `cust_0${all - 1 - 2 * place}`);
    expect(rows.map(({ customer_id }) => customer_id)).toEqual(expected);
  });

  it.each<[string, object, string]>([
    ['changes', { updated_at: { after: changed } }, 'customers_changed'],
    ['creations', { created_at: { after: newest } }, 'customers_created'],
  ])('sorts those of a range of few %s in the order of source ids', async (_, range, index) => {
    const { page } = await touchedBy({ ...range, order: 'source_id' });
    expect(page.scans).toContain(index);
    expect([index, 'customers_pkey', 'customer_keys_pkey']).toEqual(expect.arrayContaining(page.scans));
    expect(page.rows).toBeLessThanOrEqual(20 * within);
  });

  it('walks the source ids behind a look at the range, where that has many', async () => {
    const { page } = statementsOf({ created_at: { after: middle }, order: 'source_id' }, null);
    const keys = await touchedRows(database, page, 'customer_keys');
    expect(keys.scans).toContain('customer_keys_source');
    expect(keys.rows).toBeLessThanOrEqual(11 * within);
    const customers = await touchedRows(database, page, 'customers');
    expect(customers.scans).not.toContain('Seq Scan');
    expect(customers.rows).toBeLessThanOrEqual(5_001);
  });

  it.each([
    ['few changes', { updated_at: { after: changed } }],
    ['many changes', { updated_at: { after: middleChange } }],
    ['few of both times', { updated_at: { after: changed }, created_at: { before: '2026-01-01T05:33:10Z' } }],
    ['few creations of a city', { created_at: { after: newest }, city: 'large' }],
    ['many creations of a city', { created_at: { after: middle }, city: 'large' }],
    ['no changes', { updated_at: { before: '2026-01-01T00:00:00Z' } }],
  ])('lists those of %s as their source ids go, both ways and behind each other', async (_, query) => {
    const listed = async (order: string, cursor: ListCursor | null) => {
      const { page } = statementsOf({ ...query, order, limit: 3 }, cursor);
      return database.query<{ customer_id: string; sort: string }[]>(page.text, page.values);
    };
    const { updated_at = {}, created_at = {}, city = null } = query as Record<string, any>;
    const matching = await database.query<{ id: string }[]>(
      `SELECT c.id FROM customers c JOIN customer_keys k ON k.project_id = c.project_id AND k.customer_id = c.id
       WHERE c.project_id = $1 AND c.deleted_at IS NULL AND ($2::text IS NULL OR k.city_hash = $2)
         AND c.changed_at > coalesce($3, '-infinity'::timestamptz) AND c.changed_at < coalesce($4, 'infinity'::timestamptz)
         AND c.created_at > coalesce($5, '-infinity'::timestamptz) AND c.created_at < coalesce($6, 'infinity'::timestamptz)
       ORDER BY k.source_id, k.customer_id`,
      [
        project.id,
        city && `city-${city}`,
        updated_at.after,
        updated_at.before,
        created_at.after,
        created_at.before,
      ],
    );
    const ids = matching.map(({ id }) => id);
    const first = await listed('source_id', null);
    expect(first.map(({ customer_id }) => customer_id)).toEqual(ids.slice(0, 4));
    const last = await listed('-source_id', null);
    expect(last.map(({ customer_id }) => customer_id)).toEqual([...ids].reverse().slice(0, 4));
    if (first.length < 4) return;
    const { customer_id: id, sort: source_id } = first[2]!;
    const behind = await listed('source_id', {
      id,
      source_id,
      created_at: new Date(0),
      changed_at: new Date(0),
    });
    expect(behind.map(({ customer_id }) => customer_id)).toEqual(ids.slice(3, 7));
  });

  it.each([
    ['before most were created', '2026-01-01T01:00:00Z'],
    ['between creations and changes', '2026-01-20T00:00:00Z'],
    ['amid the changes', middleChange],
    ['behind all changes', changed],
  ])('counts those of a city who changed after a time %s', async (_, after) => {
    const { count } = statementsOf({ city: 'large', updated_at: { after } }, null);
    const [{ total }] = await database.query<[{ total: string }]>(count.text, count.values);
    const [{ expected }] = await database.query<[{ expected: string }]>(
      `SELECT count(*) AS expected FROM customers c
       JOIN customer_keys k ON k.project_id = c.project_id AND k.customer_id = c.id
       WHERE c.project_id = $1 AND k.city_hash = 'city-large' AND c.changed_at > $2`,
      [project.id, after],
    );
    expect(total).toBe(expected);
  });

  it('counts those of a city who were created behind the time of changes by their keys alone', async () => {
    const { count } = statementsOf({ city: 'large', updated_at: { after: '2025-12-31T20:00:00Z' } }, null);
    expect((await touchedRows(database, count, 'customers')).rows).toBe(0);
  });

  it('counts the customers of a segment by the rows of its members alone', async () => {
    const { page, count } = await touchedBy({ segment_id: 'seg_tenth' });
    expect(page.rows).toBeGreaterThan(0);
    expect(count).toEqual({ scans: [], rows: 0 });
    const { count: statement } = statementsOf({ segment_id: 'seg_tenth' }, null);
    const [{ total }] = await database.query<[{ total: string }]>(statement.text, statement.values);
    expect(total).toBe('2000');
  });

  it.each(['created_at', '-created_at', 'updated_at', '-updated_at', 'source_id', '-source_id'])(
    'goes on behind a customer in the order %s without reading those before it',
    async (order) => {
      const cursor: ListCursor = {
        id: 'cust_010001',
        created_at: new Date('2026-01-01T02:46:41Z'),
        changed_at: new Date('2026-02-01T02:46:41Z'),
        source_id: 'shop-cust_010001',
      };
      const { page } = await touchedBy({ order, starting_after_id: cursor.id }, cursor);
      expect(page.scans).not.toContain('Seq Scan');
      expect(page.rows).toBeLessThanOrEqual(11 * within);
    },
  );
});
