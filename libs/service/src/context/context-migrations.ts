import { type DataSource, MigrationExecutor } from 'typeorm';
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

/** Creates the schema of a connected DataSource where it is missing, and runs its pending migrations, each in its own
 *  transaction. An advisory lock makes a second process wait; its history table then tells it that nothing is left. */
export const withSchema = async (dataSource: DataSource): Promise<void> => {
  const schema = (dataSource.options as { schema: string }).schema;
  const runner = dataSource.createQueryRunner();
  await runner.connect();
  try {
    await runner.query('SET statement_timeout = 0; SET transaction_timeout = 0');
    await runner.query(`SELECT pg_advisory_lock(hashtext('scrip.migrations'), hashtext('${schema}'))`);
    try {
      await runner.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
      await new MigrationExecutor(dataSource, runner).executePendingMigrations();
    } finally {
      await runner.query(`SELECT pg_advisory_unlock(hashtext('scrip.migrations'), hashtext('${schema}'))`);
    }
    await runner.query('RESET statement_timeout; RESET transaction_timeout');
  } finally {
    await runner.release();
  }
};
