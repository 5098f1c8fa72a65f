import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import type { MigrationClass } from './context-definition';

const timestampOf = (migration: MigrationClass): number => Number(migration.name.slice(-13));

/** TypeORM runs migrations by the time in their names, so that order must be the order a context lists them in.
 *  Throws `Error` naming the first one that breaks it. */
export const checkedMigrations = (migrations: MigrationClass[]): MigrationClass[] => {
  migrations.forEach((migration, index) => {
    const previous = migrations[index - 1];
    if (!/\d{13}$/.test(migration.name))
      throw new Error(`migration ${migration.name} does not end with 13 digits`);
    if (previous && timestampOf(previous) >= timestampOf(migration)) {
      throw new Error(`migration ${migration.name} is listed after ${previous.name}, but is not newer`);
    }
  });
  return migrations;
};

const lockRetryMs = 200;

// A transaction that waits for a lock inside a statement holds a snapshot, for which a concurrent index build waits in
// turn.
const untilLocked = async (runner: QueryRunner, schema: string): Promise<void> => {
  for (;;) {
    const [{ locked }] = await runner.query(
      `SELECT pg_try_advisory_lock(hashtext('scrip.migrations'), hashtext($1)) AS locked`,
      [schema],
    );
    if (locked) return;
    await new Promise((resume) => setTimeout(resume, lockRetryMs));
  }
};

/** Creates the schema of a connected DataSource where it is missing, and runs its pending migrations, each in its own
 *  transaction, or in none where its `transaction` is false. An advisory lock makes a second process wait; its history
 *  table then tells it that nothing is left. */
export const withSchema = async (dataSource: DataSource): Promise<void> => {
  const schema = (dataSource.options as { schema: string }).schema;
  const runner = dataSource.createQueryRunner();
  await runner.connect();
  try {
    await runner.query('SET statement_timeout = 0; SET transaction_timeout = 0');
    await untilLocked(runner, schema);
    try {
      await runner.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
      const executor = new MigrationExecutor(dataSource, runner);
      // One transaction for all would keep every reader of the server's logs waiting until the last one is done.
      executor.transaction = 'each';
      await executor.executePendingMigrations();
    } finally {
      await runner.query(`SELECT pg_advisory_unlock(hashtext('scrip.migrations'), hashtext('${schema}'))`);
    }
    await runner.query('RESET statement_timeout; RESET transaction_timeout');
  } finally {
    await runner.release();
  }
};

/** Builds an index while everybody goes on writing: `on` is `table (columns)`. For a migration whose `transaction` is
 *  false. What an interrupted build left is dropped first. Not for partitioned tables. */
export const buildIndexConcurrently = async (
  runner: QueryRunner,
  { name, on, unique = false }: { name: string; on: string; unique?: boolean },
): Promise<void> => {
  const broken = await runner.query(
    'SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid',
    [name],
  );
  if (broken.length > 0) await runner.query(`DROP INDEX CONCURRENTLY ${name}`);
  await runner.query(`CREATE ${unique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY IF NOT EXISTS ${name} ON ${on}`);
};

/** Builds an index under the name of one that says otherwise, while everybody goes on writing, and drops the old one then: at any time
 *  one of the two is there. `isNew` tells them apart by their definitions, as PostgreSQL prints them. For a migration whose
 *  `transaction` is false; called again after an interruption, it goes on. */
export const replaceIndexConcurrently = async (
  runner: QueryRunner,
  { name, on, isNew }: { name: string; on: string; isNew: (definition: string) => boolean },
): Promise<void> => {
  const next = `${name}_next`;
  const standing = await runner.query(
    'SELECT pg_get_indexdef(indexrelid) AS definition FROM pg_index WHERE indexrelid = to_regclass($1)',
    [name],
  );
  if (standing[0] && isNew(standing[0].definition)) return;
  await buildIndexConcurrently(runner, { name: next, on });
  await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  await runner.query(`ALTER INDEX ${next} RENAME TO ${name}`);
};

/** Runs a statement of a migration for portions of a table, each in a transaction of its own, in the order of `key`: a caller waits
 *  for a row as long as one portion takes. `sql` reads the portion `portion (…key)` and names the table's rows by it. For a
 *  migration whose `transaction` is false; called again, it begins anew. */
export const inPortions = async (
  runner: QueryRunner,
  { table, key, sql, size = 10_000 }: { table: string; key: readonly string[]; sql: string; size?: number },
): Promise<void> => {
  const columns = key.join(', ');
  const parameters = key.map((_, at) => `$${at + 1}`).join(', ');
  for (let after: Record<string, unknown> | undefined; ;) {
    const from = after ? `WHERE (${columns}) > (${parameters})` : '';
    const [last] = await runner.query(
      `WITH portion AS MATERIALIZED (SELECT ${columns} FROM ${table} ${from} ORDER BY ${columns} LIMIT ${size}),
         written AS (${sql})
       SELECT ${columns} FROM portion ORDER BY ${key.map((column) => `${column} DESC`).join(', ')} LIMIT 1`,
      after ? key.map((column) => after![column]) : [],
    );
    if (!last) return;
    after = last;
  }
};
