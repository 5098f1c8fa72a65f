import { eventStoreMigrations } from '@scrip/event-store';
import { createDatabase, projectOf, touchedRows } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { customersContext } from '../index';
import { candidatesSql, chunk, lookedThrough, lookedThroughToSql, upToSql } from './candidates.sql';

const project = projectOf({});
const all = 120_000;

const filledTables = `
  INSERT INTO customers (project_id, id, version, epoch, last_ord, state, created_at, changed_at)
    SELECT '${project.id}', 'cust_' || lpad(n::text, 6, '0'), 1, 1, '1'::xid8, '{}', now(), now() FROM generate_series(1, ${all}) n;
  INSERT INTO customer_keys (project_id, customer_id, wrapped_key, listed) SELECT project_id, id, 'w', true FROM customers;
  INSERT INTO customer_order_summaries (project_id, customer_id, total_amount, total_count)
    SELECT project_id, id, 100, 1 FROM customers`;

let database: DataSource;

beforeAll(async () => {
  database = new DataSource({ type: 'postgres', url: await createDatabase('candidate_plans') });
  await database.initialize();
  const runner = database.createQueryRunner();
  for (const Migration of [...eventStoreMigrations, ...customersContext.migrations])
    await new Migration().up(runner);
  await runner.query(filledTables);
  for (const table of ['customers', 'customer_keys', 'customer_order_summaries'])
    await runner.query(`VACUUM ANALYZE ${table}`);
  await runner.release();
});
afterAll(() => database?.destroy());

const tables = ['customers', 'customer_keys', 'customer_order_summaries'];

test.each(tables)(
  'a step late in the build of a segment reads no more of %s than it tests',
  async (table) => {
    const statement = {
      text: candidatesSql('behind', { facts: { profile: true, sums: true, publications: false } }),
      values: [project.id, `cust_${all - 2 * chunk}`],
    };
    const { rows, scans } = await touchedRows(database, statement, table);
    expect(scans).not.toContain('Seq Scan');
    expect(rows).toBeLessThanOrEqual(2 * chunk);
  },
);

test('a step that looks for few customers looks through no more than its part of the keys', async () => {
  const statement = { text: lookedThroughToSql, values: [project.id, ''] };
  const [last] = await database.query<[{ id: string }]>(statement.text, statement.values);
  expect(last.id).toBe(`cust_0${lookedThrough}`);
  const looked = await touchedRows(database, statement, 'customer_keys');
  expect(looked.rows).toBeLessThanOrEqual(lookedThrough);
  const narrowed = {
    text: candidatesSql('behind', {
      facts: { profile: true, sums: false, publications: false },
      also: ['(k.city_hash = ANY($3) OR k.listed IS NULL)', upToSql('$4')],
    }),
    values: [project.id, '', ['nowhere'], last.id],
  };
  const { rows, scans } = await touchedRows(database, narrowed, 'customer_keys');
  expect(scans).not.toContain('Seq Scan');
  expect(rows).toBeLessThanOrEqual(lookedThrough);
});
