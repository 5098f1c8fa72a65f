import { readInput } from '@scrip/edge';
import { createDatabase, projectOf, touchedRows } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { eventStoreMigrations } from '@scrip/event-store';
import { customersContext } from '../index';
import type { CreatedCursor } from '@scrip/list-query';
import { OrderListQuery, orderListStatements } from './order-list.query';
import { areRead } from './unread-orders.sql';

const project = projectOf({});
const all = 15_000;

/** Of a thousand customers ten are deleted, in the middle: a hundredth of the orders is theirs. */
const hidden = all / 100;

const filledTables = `
  INSERT INTO customers (project_id, id, version, epoch, last_ord, state, created_at, changed_at, deleted_at)
    SELECT p, 'cust_' || n, 1, 1, '1'::xid8, '{}', now(), now(), CASE WHEN n BETWEEN 500 AND 509 THEN now() END
    FROM unnest(ARRAY['${project.id}', 'proj_other']) p, generate_series(0, 999) n;
  INSERT INTO orders (project_id, id, customer_id, version, epoch, last_ord, state, created_at, changed_at)
    SELECT p, 'ord_' || lpad(n::text, 6, '0'), 'cust_' || n % 1000, 1, 1, '1'::xid8, '{}',
      '2026-01-01'::timestamptz + n * interval '1 second', '2026-02-01'::timestamptz + n * interval '1 second'
    FROM unnest(ARRAY['${project.id}', 'proj_other']) p, generate_series(1, ${all}) n;
  INSERT INTO order_claims (project_id, object_id, claim_id, redemption_id, state)
    SELECT project_id, id, 'clm_1', 'r_' || id, 'CONFIRMED' FROM orders`;

let database: DataSource;

beforeAll(async () => {
  database = new DataSource({ type: 'postgres', url: await createDatabase('order_plans') });
  await database.initialize();
  const runner = database.createQueryRunner();
  for (const Migration of [...eventStoreMigrations, ...customersContext.migrations])
    await new Migration().up(runner);
  await runner.query(filledTables);
  for (const table of ['customers', 'orders', 'order_claims']) await runner.query(`VACUUM ANALYZE ${table}`);
  await runner.release();
});
afterAll(() => database?.destroy());

const cursor: CreatedCursor = { id: 'ord_007000', created_at: '2026-01-01T01:56:40Z' };

const cases: [string, object, CreatedCursor | null, string, number][] = [
  ['the first page', {}, null, 'orders_created', 10],
  ['the newest', { order: '-created_at' }, null, 'orders_created', 10],
  ['what changed first', { order: 'updated_at' }, null, 'orders_changed', 10],
  ['what changed last', { order: '-updated_at' }, null, 'orders_changed', 10],
  ['a late page', { page: '100', limit: '100' }, null, 'orders_created', 10_000 + hidden],
  ['what follows an order', {}, cursor, 'orders_created', 10],
  ['what precedes an order', { order: '-created_at' }, cursor, 'orders_created', 10],
];

describe('a list of orders', () => {
  it.each([0, 10])('leaves out those of deleted customers, %d of whom are few', async (few) => {
    const listed = `FROM orders t WHERE t.project_id = $1 AND ${areRead('$1', 't.customer_id', few)}`;
    const [row] = await database.query(`SELECT count(*)::int AS orders ${listed}`, [project.id]);
    expect(row).toEqual({ orders: all - hidden });
  });

  it.each(cases)('reads %s by an index, and no more than it shows', async (_, query, after, index, rows) => {
    const read = readInput(OrderListQuery, query, 'query');
    const { page, count } = orderListStatements(project.id, read, after);
    const touched = await touchedRows(database, page, 'orders');
    expect(touched.scans).toEqual([index]);
    expect(touched.rows).toBeLessThanOrEqual(rows);
    const claims = await touchedRows(database, page, 'order_claims');
    expect(claims.scans).not.toContain('Seq Scan');
    expect(claims.rows).toBeLessThanOrEqual(100);
    const deleted = await touchedRows(database, page, 'customers');
    expect(new Set(deleted.scans)).toEqual(new Set(['customers_deleted']));
    const counted = await touchedRows(database, count, 'orders');
    expect(counted.scans).not.toContain('Seq Scan');
    expect(counted.rows).toBeLessThanOrEqual(10_000 + hidden);
  });
});
