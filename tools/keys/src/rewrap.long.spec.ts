import { allContexts } from '@scrip/contexts';
import { embeddedEdge } from '@scrip/edge';
import { deriveKey, masterKeyId, newKey, Secret, wrapKey } from '@scrip/kernel';
import { openConsumers, purposeRing, readSettings, type ScripConfig } from '@scrip/service';
import { createDatabase, waitUntil } from '@scrip/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { Client } from 'pg';
import { rewrap } from './rewrap';

const program = resolve(__dirname, '../dist/main.js');
const rows = 2_000;
const [oldBytes, newBytes] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const [old, current] = [new Secret(oldBytes.toString('base64')), new Secret(newBytes.toString('base64'))];
const contexts = allContexts.filter(({ sealed = [] }) => sealed.length > 0);

describe('npm run keys -- rewrap', () => {
  let url: string;
  let database: Client;
  let holder: Client;

  const configOf = (keys: Pick<ScripConfig, 'masterKey' | 'acceptedMasterKeys'>): ScripConfig => ({
    ...readSettings({}),
    ...keys,
    databaseUrl: new Secret(url),
  });
  const migrate = async (config: ScripConfig): Promise<void> =>
    (await openConsumers({ contexts, config, edge: embeddedEdge })).close();

  const customers = Array.from({ length: rows }, (_, index) => ({ id: `cust_${index}`, key: newKey() }));
  const boundTo = (id: string): string => `proj_1|${id}`;

  beforeAll(async () => {
    url = await createDatabase('rewrap');
    [database, holder] = [new Client({ connectionString: url }), new Client({ connectionString: url })];
    await Promise.all([database.connect(), holder.connect()]);
    await migrate(configOf({ masterKey: old, acceptedMasterKeys: [] }));
    const ring = purposeRing({ masterKey: old }, 'customer-keys');
    const before = deriveKey(oldBytes, 'customer-keys');
    await database.query(
      `INSERT INTO customers.customer_keys (project_id, customer_id, wrapped_key)
       SELECT 'proj_1', id, wrapped FROM unnest($1::text[], $2::text[]) AS c(id, wrapped)`,
      [
        customers.map(({ id }) => id),
        // Every second one as it was stored before texts named their key.
        customers.map(({ id, key }, index) =>
          index % 2 === 0 ? ring.wrap(key, boundTo(id)) : wrapKey(key, before, boundTo(id)),
        ),
      ],
    );
  });
  afterAll(() => Promise.all([database?.end(), holder?.end()]));

  const waitingForALock = async (): Promise<number | undefined> => {
    const { rows: found } = await database.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return found[0]?.pid;
  };

  const renewed = async (): Promise<number> => {
    const { rows: found } = await database.query(
      `SELECT count(*)::int AS count FROM customers.customer_keys WHERE wrapped_key LIKE $1`,
      [`${masterKeyId(newBytes)}.%`],
    );
    return found[0].count;
  };

  it('goes on where it was killed, and nothing needs the old key any more', async () => {
    // The last row by id: the first pages go through, and the last one waits for the kill.
    await holder.query('BEGIN');
    await holder.query(`SELECT 1 FROM customers.customer_keys WHERE customer_id = 'cust_999' FOR UPDATE`);
    const child = spawn(process.execPath, [program, 'rewrap', 'customers'], {
      env: {
        ...process.env,
        DATABASE_URL: url,
        SCRIP_MASTER_KEY: current.reveal(),
        SCRIP_MASTER_KEYS_ACCEPTED: old.reveal(),
      },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    const waiting = await waitUntil(waitingForALock, {
      what: 'the last page to wait',
      timeoutMs: 120_000,
    });
    child.kill('SIGKILL');
    await ended;
    await database.query('SELECT pg_terminate_backend($1, 30000)', [waiting]);
    await holder.query('ROLLBACK');
    const reached = await renewed();
    expect(reached).toBeGreaterThan(0);
    expect(reached).toBeLessThan(rows);

    const config = configOf({ masterKey: current, acceptedMasterKeys: [old] });
    const { lines, isDone } = await rewrap(contexts, config);
    expect(isDone).toBe(true);
    expect(lines).toContain(`customers.customer_keys.wrapped_key: ${rows - reached} sealed again`);
    expect((await rewrap(contexts, config)).lines.filter((line) => /: [1-9]\d* sealed/.test(line))).toEqual(
      [],
    );

    const alone = configOf({ masterKey: current, acceptedMasterKeys: [] });
    await migrate(alone);
    const ring = purposeRing(alone, 'customer-keys');
    const { rows: stored } = await database.query<{ customer_id: string; wrapped_key: string }>(
      'SELECT customer_id, wrapped_key FROM customers.customer_keys',
    );
    const keys = new Map(stored.map((row) => [row.customer_id, row.wrapped_key]));
    for (const { id, key } of customers)
      expect(ring.unwrap(keys.get(id) ?? '', boundTo(id)).equals(key)).toBe(true);
  });

  it('names rows that no accepted key opens, and leaves them', async () => {
    const foreign = purposeRing({ masterKey: new Secret(newKey().toString('base64')) }, 'customer-keys');
    const wrapped = foreign.wrap(newKey(), boundTo('cust_x'));
    await database.query(`INSERT INTO customers.customer_keys VALUES ('proj_1', 'cust_x', $1)`, [wrapped]);
    const { lines, isDone } = await rewrap(
      contexts,
      configOf({ masterKey: current, acceptedMasterKeys: [] }),
    );
    expect(isDone).toBe(false);
    expect(lines).toContain('  1 open with no accepted key: proj_1 cust_x');
    const { rows: kept } = await database.query(
      `SELECT wrapped_key FROM customers.customer_keys WHERE customer_id = 'cust_x'`,
    );
    expect(kept).toEqual([{ wrapped_key: wrapped }]);
  });
});
