import { runMigrations } from 'graphile-worker';
import { Pool } from 'pg';
import { type DatabaseSettings, connectionSettings } from '../context/context-data-source';

/** Makes or updates the tables of a jobs schema. A lock makes a second process wait. */
export const migrateJobs = async (settings: DatabaseSettings, schema: string): Promise<void> => {
  const pool = new Pool({
    ...connectionSettings(schema, settings),
    connectionString: settings.databaseUrl.reveal(),
    application_name: 'scrip-migrations',
    max: 2,
  });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const holder = await pool.connect().catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  try {
    // Waiting for another process writes nothing, and may take as long as that one's migrations.
    await holder.query('SET statement_timeout = 0; SET transaction_timeout = 0');
    await holder.query(`SELECT pg_advisory_lock(hashtext('scrip.migrations'), hashtext($1))`, [schema]);
    await runMigrations({ pgPool: pool, schema });
  } finally {
    // Ending the connection also frees the lock.
    holder.release(true);
    await pool.end();
  }
};
