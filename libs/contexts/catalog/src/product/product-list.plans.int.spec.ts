import { readInput } from '@scrip/edge';
import { eventStoreMigrations } from '@scrip/event-store';
import { isRefused } from '@scrip/kernel';
import { createDatabase, touchedRows } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { catalogContext } from '../index';
import { ProductListQuery, productListStatements } from './product-list.query';

const products = 5_000;
const calendar = { today: '2026-01-05', zone: 'UTC' };

let database: DataSource;

beforeAll(async () => {
  database = new DataSource({ type: 'postgres', url: await createDatabase('product_plans') });
  await database.initialize();
  const runner = database.createQueryRunner();
  for (const Migration of [...eventStoreMigrations, ...catalogContext.migrations])
    await new Migration().up(runner);
  await runner.query(`
    INSERT INTO products (project_id, id, version, epoch, last_ord, state, status, source_id, name, name_twin, created_at,
        updated_at)
      SELECT project, 'prod_' || lpad(n::text, 6, '0'), 1, 1, '1'::xid8, '{}',
        CASE WHEN n % 10 = 0 THEN 'BINNED' ELSE 'LIVE' END, 'source-' || n, 'Product ' || n, '',
        '2026-01-01'::timestamptz + n * interval '1 minute',
        CASE WHEN n % 2 = 0 THEN '2026-02-01'::timestamptz + n * interval '1 minute' END
      FROM generate_series(1, ${products}) n, unnest(ARRAY['proj_1', 'proj_2', 'proj_3']) project`);
  await runner.query('VACUUM ANALYZE products');
  await runner.release();
});
afterAll(() => database?.destroy());

const statementsOf = (query: object) => {
  const statements = productListStatements('proj_1', readInput(ProductListQuery, query, 'query'), calendar);
  if (isRefused(statements)) throw new Error(statements.details);
  return statements;
};
const idsOf = async (query: object): Promise<string[]> => {
  const { text, values } = statementsOf(query).page;
  const rows = await database.query<{ id: string }[]>(text.replace('t.state', 't.id'), values);
  return rows.map(({ id }) => id);
};
const id = (n: number): string => `prod_${String(n).padStart(6, '0')}`;
const by = (field: string, operator: string, value: unknown) => ({
  filters: { [field]: { conditions: { [operator]: value } } },
});

describe('a list of products', () => {
  it.each<[string, object, string]>([
    ['nothing', {}, 'products_created'],
    ['nothing, newest first', { order: '-created_at' }, 'products_created'],
    ['the latest changes', { order: '-updated_at' }, 'products_updated'],
    ['what never changed', { order: 'updated_at' }, 'products_updated'],
    ['the time', { end_date: '2026-01-01T00:05:00Z' }, 'products_created'],
    ['a time and later', { start_date: '2026-01-04T11:18:00Z' }, 'products_created'],
    ['a time, as a range', { created_at: { before: '2026-01-01T00:05:00Z' } }, 'products_created'],
    ['a time, as a filter', by('created_at', '$before', '2026-01-01T00:05:00Z'), 'products_created'],
    ['yesterday', by('created_at', '$yesterday', true), 'products_created'],
    ['the days since', by('created_at', '$less_than', 2), 'products_created'],
    ['a month of any year', by('created_at', '$is_month', 'January'), 'products_created'],
    [
      'a day of changes, in their order',
      { ...by('updated_at', '$is_days_in_future', 30), order: '-updated_at' },
      'products_updated',
    ],
    ['a change', { updated_at: { before: '2026-02-01T00:10:00Z' } }, 'products_updated'],
    ['a change, as a filter', by('updated_at', '$after', '2026-02-04T11:15:00Z'), 'products_updated'],
    [
      'a creation, in the order of changes',
      { created_at: { after: '2026-01-02T12:00:00Z' }, order: '-updated_at' },
      'products_updated',
    ],
    [
      'a change, in the order of creations',
      { updated_at: { after: '2026-02-02T12:00:00Z' }, order: 'created_at' },
      'products_created',
    ],
    ['what follows a product', { starting_after_id: id(2_500) }, 'products_created'],
    ['what precedes a product', { starting_after_id: id(2_500), order: '-created_at' }, 'products_created'],
  ])('finds %s by an index, and reads no more than it shows', async (_, query, index) => {
    const statements = statementsOf(query);
    const page = await touchedRows(database, statements.page, 'products');
    expect(page.scans.filter((scan) => scan !== 'products_pkey')).toEqual([index]);
    expect(page.rows).toBeLessThanOrEqual(11);
    const count = await touchedRows(database, statements.count, 'products');
    expect(count.scans).toEqual([expect.stringMatching(/^products_/)]);
  });

  it('goes on behind a product in either direction, also where it is deleted, and counts all', async () => {
    const limit = 2;
    expect(await idsOf({ limit })).toEqual([id(1), id(2)]);
    expect(await idsOf({ limit, starting_after_id: id(2) })).toEqual([id(3), id(4)]);
    expect(await idsOf({ limit, starting_after_id: id(2), page: 2 })).toEqual([id(5), id(6)]);
    expect(await idsOf({ limit, starting_after_id: id(10) })).toEqual([id(11), id(12)]);
    expect(await idsOf({ limit, starting_after_id: id(3), order: '-created_at' })).toEqual([id(2), id(1)]);
    expect(await idsOf({ limit, starting_after_id: 'none' })).toEqual([]);
    const { count } = statementsOf({ limit, starting_after_id: id(4_999) });
    expect(await database.query(count.text, count.values)).toEqual([{ total: String(products * 0.9) }]);
  });

  it('ordered by changes begins with what never changed', async () => {
    expect(await idsOf({ limit: 2, order: 'updated_at' })).toEqual([id(1), id(3)]);
    expect(await idsOf({ limit: 2, order: '-updated_at' })).toEqual([id(4_998), id(4_996)]);
  });

  it('takes no cursor beside an order whose values change', () => {
    expect(() => statementsOf({ starting_after_id: id(1), order: 'updated_at' })).toThrow(
      'Property .starting_after_id cannot be combined with an order other than created_at or -created_at',
    );
  });

  it.each([
    [{ order: 'name' }, 'should be equal to one of the allowed values'],
    [{ limit: '101' }, 'must be <= 100'],
    [{ start_date: 'yesterday' }, 'cannot be recognized as a ISO-8601 compliant date'],
    [by('name', '$is', 'x'), 'created_at'],
  ])('refuses %j', (query, message) => {
    expect(() => statementsOf(query)).toThrow(message);
  });
});
