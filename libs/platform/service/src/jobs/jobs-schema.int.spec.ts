import { Secret } from '@scrip/kernel';
import { createDatabase, waitUntil } from '@scrip/testing';
import { Client } from 'pg';
import { readSettings } from '../config/scrip-config';
import { migrateJobs } from './jobs-schema';

describe('migrations of a jobs schema', () => {
  let client: Client;
  const settingsWith = (databaseUrl: string, transactionTimeoutMs: number) => {
    const settings = readSettings({ SCRIP_TRANSACTION_TIMEOUT_MS: String(transactionTimeoutMs) });
    return { ...settings, databaseUrl: new Secret(databaseUrl) };
  };
  let databaseUrl: string;

  beforeEach(async () => {
    databaseUrl = await createDatabase('jobs_schema');
    client = new Client({ connectionString: databaseUrl });
    await client.connect();
  });
  afterEach(() => client.end());

  it('run under the time limits of transactions', async () => {
    await client.query(`
      CREATE TABLE limits (transaction text, idle text);
      CREATE FUNCTION note_limits() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO public.limits SELECT current_setting('transaction_timeout'),
          current_setting('idle_in_transaction_session_timeout');
      END $$;
      CREATE EVENT TRIGGER note_limits ON ddl_command_end EXECUTE FUNCTION note_limits()`);
    await migrateJobs(settingsWith(databaseUrl, 19_000), 'webhooks_jobs');
    const { rows } = await client.query('SELECT DISTINCT transaction, idle FROM limits');
    expect(rows).toEqual([{ transaction: '19s', idle: '5s' }]);
  });

  it('wait for those of another process longer than a transaction may take', async () => {
    await client.query(`SELECT pg_advisory_lock(hashtext('scrip.migrations'), hashtext('webhooks_jobs'))`);
    const migrated = migrateJobs(settingsWith(databaseUrl, 1_000), 'webhooks_jobs');
    const waitedLongEnough = async () => {
      const { rows } = await client.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
           AND now() - query_start > interval '1.2 s'`,
      );
      return rows.length === 1;
    };
    await Promise.race([migrated, waitUntil(waitedLongEnough, { what: 'the wait for the lock' })]);
    await client.query('SELECT pg_advisory_unlock_all()');
    await migrated;
    const { rows } = await client.query(
      `SELECT to_regclass('webhooks_jobs._private_jobs') IS NOT NULL AS made`,
    );
    expect(rows).toEqual([{ made: true }]);
  });
});
