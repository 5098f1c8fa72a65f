import { createDatabase, waitUntil } from '@scrip/testing';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import type { MigrationClass } from './context-definition';
import {
  buildIndexConcurrently,
  inPortions,
  replaceIndexConcurrently,
  withSchema,
} from './context-migrations';

let url: string;
let open: DataSource[];

beforeEach(async () => {
  url = await createDatabase('migrations');
  open = [];
});

afterEach(() => Promise.all(open.map((dataSource) => dataSource.destroy())));

const connected = async (migrations: MigrationClass[]): Promise<DataSource> => {
  const dataSource = await new DataSource({
    type: 'postgres',
    url,
    schema: 'shop',
    migrations,
    extra: { options: '-c search_path=shop' },
  }).initialize();
  open.push(dataSource);
  return dataSource;
};

const transactions: string[] = [];

const note = async (runner: QueryRunner): Promise<void> => {
  const [{ id }] = await runner.query('SELECT pg_current_xact_id()::text AS id');
  transactions.push(id);
};

class Tables1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await note(runner);
    await runner.query('CREATE TABLE orders (id int); INSERT INTO orders SELECT generate_series(1, 1000)');
  }
  async down(): Promise<void> {}
}

class Index1700000000002 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndexConcurrently(runner, { name: 'orders_id', on: 'orders (id)' });
  }
  async down(): Promise<void> {}
}

class Broken1700000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await note(runner);
    await runner.query('SELECT 1 / 0');
  }
  async down(): Promise<void> {}
}

const all = [Tables1700000000001, Index1700000000002];

const indexes = (dataSource: DataSource): Promise<{ name: string; valid: boolean }[]> =>
  dataSource.query(`
    SELECT indexrelid::regclass::text AS name, indisvalid AS valid FROM pg_index WHERE indrelid = 'orders'::regclass`);

describe('migrations', () => {
  it('run each in its own transaction: those before a failing one stay', async () => {
    const dataSource = await connected([...all, Broken1700000000003]);
    await expect(withSchema(dataSource)).rejects.toThrow('division by zero');
    expect(new Set(transactions).size).toBe(2);
    expect(await dataSource.query('SELECT name FROM migrations ORDER BY name')).toEqual([
      { name: 'Index1700000000002' },
      { name: 'Tables1700000000001' },
    ]);
  });

  it('build indexes concurrently while other processes wait for their turn', async () => {
    const sources = await Promise.all(Array.from({ length: 4 }, () => connected(all)));
    await Promise.all(sources.map((dataSource) => withSchema(dataSource)));
    expect(await indexes(sources[0]!)).toEqual([{ name: 'orders_id', valid: true }]);
  });

  it('build an index anew whose build was interrupted', async () => {
    const dataSource = await connected([Tables1700000000001]);
    await withSchema(dataSource);
    await dataSource.query('INSERT INTO orders VALUES (1)');
    const runner = dataSource.createQueryRunner();
    const build = (unique: boolean) =>
      buildIndexConcurrently(runner, { name: 'orders_id', on: 'orders (id)', unique });
    await expect(build(true)).rejects.toThrow('could not create unique index');
    expect(await indexes(dataSource)).toEqual([{ name: 'orders_id', valid: false }]);
    await build(false);
    await runner.release();
    expect(await indexes(dataSource)).toEqual([{ name: 'orders_id', valid: true }]);
  });

  it('replace an index while others write, and where they were interrupted', async () => {
    const dataSource = await connected([Tables1700000000001, Index1700000000002]);
    await withSchema(dataSource);
    const [runner, writer, other] = Array.from({ length: 3 }, () => dataSource.createQueryRunner());
    const isNew = (definition: string) => definition.includes('WHERE');
    const replace = () =>
      replaceIndexConcurrently(runner!, { name: 'orders_id', on: 'orders (id) WHERE id > 10', isNew });
    const definitions = () =>
      dataSource.query(`SELECT indexdef FROM pg_indexes WHERE tablename = 'orders'`) as Promise<object[]>;

    await writer!.startTransaction();
    await writer!.query('INSERT INTO orders VALUES (2001)');
    const replaced = replace();
    await waitUntil(
      async () =>
        (
          await other!.query(`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'
            AND query LIKE 'CREATE%' AND datname = current_database()`)
        ).length > 0,
      { what: 'the build that waits for the writer' },
    );
    // A build that locked writers out would keep this one waiting too.
    await other!.query(`SET lock_timeout = '2s'`);
    await other!.query('INSERT INTO orders VALUES (2002)');
    await writer!.commitTransaction();
    await replaced;
    const once = await definitions();
    expect(once).toEqual([{ indexdef: expect.stringContaining('INDEX orders_id ON') }]);
    expect(once).toEqual([{ indexdef: expect.stringContaining('(id > 10)') }]);

    await replace();
    expect(await definitions()).toEqual(once);
    await runner!.query('ALTER INDEX orders_id RENAME TO orders_id_next');
    await replace();
    expect(await definitions()).toEqual(once);
    await Promise.all([runner, writer, other].map((one) => one!.release()));
  });

  it('reach every row by portions, each in a transaction of its own', async () => {
    const dataSource = await connected([Tables1700000000001]);
    await withSchema(dataSource);
    await dataSource.query('ALTER TABLE orders ADD COLUMN portion xid8');
    const runner = dataSource.createQueryRunner();
    const sql = `UPDATE orders o SET portion = pg_current_xact_id() FROM portion p WHERE o.id = p.id RETURNING 1`;
    await inPortions(runner, { table: 'orders', key: ['id'], sql, size: 300 });
    await runner.release();
    const portions = await dataSource.query(
      'SELECT count(*)::int AS rows FROM orders GROUP BY portion ORDER BY min(id)',
    );
    expect(portions.map(({ rows }: { rows: number }) => rows)).toEqual([300, 300, 300, 100]);
  });
});
