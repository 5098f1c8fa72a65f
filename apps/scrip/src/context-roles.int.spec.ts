import { allContexts } from '@scrip/contexts';
import { type ContextName, contextNames } from '@scrip/contracts/registry';
import { Secret } from '@scrip/kernel';
import { readSettings, type RunningApp, ScripLogger } from '@scrip/service';
import { contextDatabaseUrls, createDatabase } from '@scrip/testing';
import { Client } from 'pg';
import { bootAll } from './boot-all';

const schemasOf = (context: ContextName): string[] =>
  allContexts.find(({ name }) => name === context)?.jobs ? [context, `${context}_jobs`] : [context];
const schemas = contextNames.flatMap(schemasOf);

/** Everything in the schemas that has an owner. */
const owned = `
  SELECT nspname AS schema, o.kind, o.name, pg_get_userbyid(o.owner) AS owner FROM pg_namespace n CROSS JOIN LATERAL (
    SELECT 'schema' AS kind, nspname::text AS name, nspowner AS owner
    UNION ALL SELECT 'relation', relname, relowner FROM pg_class WHERE relnamespace = n.oid
    UNION ALL SELECT 'routine', proname, proowner FROM pg_proc WHERE pronamespace = n.oid
    UNION ALL SELECT 'type', typname, typowner FROM pg_type WHERE typnamespace = n.oid
  ) o WHERE nspname = ANY ($1)`;

const bootAs = (databaseUrl: string, databaseUrls: Partial<Record<ContextName, string>>) =>
  bootAll(
    {
      ...readSettings({ SCRIP_PORT: '0' }),
      masterKey: new Secret(Buffer.alloc(32, 7).toString('base64')),
      databaseUrl: new Secret(databaseUrl),
      databaseUrls: Object.fromEntries(
        Object.entries(databaseUrls).map(([name, url]) => [name, new Secret(url)]),
      ),
    },
    { logger: new ScripLogger({ level: 'silent' }) },
  );

describe.each([
  ['in a new database', false],
  ['in a database that one role for everything has made before', true],
])('contexts with a role of their own, %s', (_, isOld) => {
  let databaseUrl: string;
  let urls: Record<ContextName, string>;
  let admin: Client;
  let running: RunningApp;

  const roleOf = (context: ContextName): string => new URL(urls[context]).username;

  const as = async <T>(context: ContextName, work: (client: Client) => Promise<T>): Promise<T> => {
    const client = new Client({ connectionString: urls[context] });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };

  beforeAll(async () => {
    databaseUrl = await createDatabase('roles');
    if (isOld) await (await bootAs(databaseUrl, {})).close();
    urls = await contextDatabaseUrls(databaseUrl, contextNames);
    running = await bootAs('postgres://nobody@127.0.0.1:1/none', urls);
    expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
    admin = new Client({ connectionString: databaseUrl });
    await admin.connect();
  });
  afterAll(async () => {
    await admin.end();
    await running.close();
  });

  it('are no superusers, and own everything in their schemas', async () => {
    const { rows } = await admin.query<{ schema: string; owner: string }>(owned, [schemas]);
    expect(new Set(rows.map(({ schema }) => schema))).toEqual(new Set(schemas));
    for (const context of contextNames) {
      const own = rows.filter(({ schema }) => schemasOf(context).includes(schema));
      expect(own.filter(({ owner }) => owner !== roleOf(context))).toEqual([]);
      const [role] = (
        await admin.query('SELECT rolsuper, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = $1', [
          roleOf(context),
        ])
      ).rows;
      expect(role).toEqual({ rolsuper: false, rolcreaterole: false, rolcreatedb: false });
    }
  });

  it.each(contextNames)('read and change nothing of other schemas: %s', async (context) => {
    await as(context, async (client) => {
      expect((await client.query(`SELECT FROM ${context}.events`)).rowCount).not.toBeNull();
      for (const schema of schemas.filter((name) => !schemasOf(context).includes(name))) {
        const denied = `permission denied for schema ${schema}`;
        const table = schema.endsWith('_jobs') ? 'migrations' : 'events';
        await expect(client.query(`SELECT FROM ${schema}.${table}`)).rejects.toThrow(denied);
        await expect(client.query(`CREATE TABLE ${schema}.mine ()`)).rejects.toThrow(denied);
      }
    });
  });

  it('measure since when transactions of others have been open', async () => {
    await as('campaigns', async (writer) => {
      await writer.query('BEGIN; SELECT pg_current_xact_id()');
      const { rows } = await writer.query<{ age: number }>(
        'SELECT extract(epoch FROM clock_timestamp() - now())::float8 AS age',
      );
      const metrics = await (await fetch(`${running.metricsUrl}/metrics`)).text();
      const measured = Number(/^scrip_horizon_age_seconds (.+)$/m.exec(metrics)?.[1]);
      expect(measured).toBeGreaterThanOrEqual(rows[0]?.age ?? Infinity);
    });
  });

  it('may be made again, which changes no owner', async () => {
    const before = (await admin.query(`${owned} ORDER BY 1, 2, 3, 4`, [schemas])).rows;
    await contextDatabaseUrls(databaseUrl, contextNames);
    expect((await admin.query(`${owned} ORDER BY 1, 2, 3, 4`, [schemas])).rows).toEqual(before);
  });

  it('see no statements of others, although an earlier version let them', async () => {
    for (const context of contextNames) await admin.query(`GRANT pg_read_all_stats TO ${roleOf(context)}`);
    await contextDatabaseUrls(databaseUrl, contextNames);
    const seen = await as('campaigns', () =>
      as('auth', (client) =>
        client.query('SELECT DISTINCT query FROM pg_stat_activity WHERE usename = $1', [roleOf('campaigns')]),
      ),
    );
    expect(seen.rows).toEqual([{ query: '<insufficient privilege>' }]);
  });
});
