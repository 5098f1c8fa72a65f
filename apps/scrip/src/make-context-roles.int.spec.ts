import { makeContextRoles, startEmbeddedPostgres } from '@scrip/embedded-postgres';
import { contextNames } from '@scrip/contracts/registry';
import { contextDatabaseUrls, createDatabase } from '@scrip/testing';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from 'pg';

const connect = async (url: string): Promise<Client> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
};

describe('making the role of a context', () => {
  let databaseUrl: string;
  let database: string;
  let admin: Client;
  let other: Client;
  let otherRole: string;

  beforeEach(async () => {
    databaseUrl = await createDatabase('make_roles');
    database = new URL(databaseUrl).pathname.slice(1);
    admin = await connect(databaseUrl);
    const { campaigns } = await contextDatabaseUrls(databaseUrl, ['campaigns']);
    otherRole = new URL(campaigns).username;
    other = await connect(campaigns);
  });
  afterEach(async () => {
    await admin.end();
    await other.end();
  });

  const makeRewardsRole = () => contextDatabaseUrls(databaseUrl, ['rewards']);
  const belongsToOther = (object: string): string =>
    `${object} belongs to role ${otherRole}, which hands nothing over`;
  const rolesOfRewards = async () =>
    (
      await admin.query('SELECT FROM pg_roles WHERE rolname = $1', [
        otherRole.replace('campaigns', 'rewards'),
      ])
    ).rowCount;

  it.each(['rewards', 'rewards_jobs'])(
    'refuses the schema %s that another context has made',
    async (schema) => {
      await other.query(`CREATE SCHEMA ${schema}`);
      await expect(makeRewardsRole()).rejects.toThrow(belongsToOther(`SCHEMA ${schema}`));
      expect(await rolesOfRewards()).toBe(0);
    },
  );

  it.each([
    ['TABLE rewards.badges', 'CREATE TABLE rewards.badges (id text)'],
    ['ROUTINE rewards.badges()', `CREATE FUNCTION rewards.badges() RETURNS int RETURN 1`],
    ['TYPE rewards.badge', `CREATE TYPE rewards.badge AS ENUM ('gold')`],
  ])('refuses what another context has put into its schema: %s', async (object, statement) => {
    await admin.query(`CREATE SCHEMA rewards; GRANT ALL ON SCHEMA rewards TO ${otherRole}`);
    await other.query(statement);
    await expect(makeRewardsRole()).rejects.toThrow(belongsToOther(object));
    expect(await rolesOfRewards()).toBe(0);
  });

  it('takes over what the owner of the database has made', async () => {
    await admin.query(`ALTER DATABASE ${database} OWNER TO ${otherRole}`);
    await other.query('CREATE SCHEMA rewards');
    await makeRewardsRole();
    const { rows } = await admin.query(
      `SELECT pg_get_userbyid(nspowner)::text AS owner FROM pg_namespace WHERE nspname = 'rewards'`,
    );
    expect(rows).toEqual([{ owner: otherRole.replace('campaigns', 'rewards') }]);
  });

  it('shows its password in no statement and no line of the log', async () => {
    const lines: string[] = [];
    admin.on('notice', ({ message, detail }) => lines.push(`${message} ${detail}`));
    // What goes to the log comes to the client as well.
    await admin.query(
      `SET client_min_messages = log; SET log_statement = 'all'; SET log_min_duration_statement = 0`,
    );
    await makeContextRoles(admin, [
      { context: 'rewards', role: `${otherRole}_log`, password: 'open-sesame' },
    ]);
    expect(lines.join('\n')).toContain('SELECT pg_temp.make_context_role($1, $2, $3)');
    expect(lines.join('\n')).not.toContain('open-sesame');
  });

  it('shows its password in no error', async () => {
    await makeContextRoles(admin, []);
    await makeContextRoles(admin, [{ context: 'rewards', role: `${otherRole}_error`, password: 'before' }]);
    await admin.query(`SET ROLE ${otherRole}`);
    const failed = admin.query(`SELECT pg_temp.make_context_role('rewards', $1, $2)`, [
      `${otherRole}_error`,
      'open-sesame',
    ]);
    const error = (await failed.catch((caught: unknown) => caught)) as Error;
    expect(error).toMatchObject({
      message: expect.stringContaining('cannot be altered: permission denied'),
      code: '42501',
    });
    expect(JSON.stringify(error)).not.toContain('open-sesame');
  });
});

const psql = /\d+/.exec(spawnSync('psql', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[0];
const hasBind = Number(psql ?? 0) >= 16;
if (!hasBind) console.warn('skipped: there is no psql 16 or newer here to run make-context-roles.sh');

(hasBind ? describe : describe.skip)('deploy/postgres/make-context-roles.sh', () => {
  it('gives each context a role with its password, which the log of the server does not show', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'scrip-make-roles-'));
    // A server of its own: roles belong to the whole server, and the script says their names.
    const server = await startEmbeddedPostgres(folder, []);
    const admin = await connect(server.databaseUrl.reveal());
    try {
      const { hostname, port, username, password, pathname } = new URL(server.databaseUrl.reveal());
      const passwordOf = (context: string): string => `of ${context}: '"\\ $1 :x`;
      const run = spawnSync(resolve(__dirname, '../../../deploy/postgres/make-context-roles.sh'), {
        encoding: 'utf8',
        env: {
          PATH: process.env.PATH,
          LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH,
          PGHOST: hostname,
          PGPORT: port,
          PGUSER: username,
          PGPASSWORD: password,
          PGDATABASE: pathname.slice(1),
          PGOPTIONS: '-c log_statement=all -c log_min_duration_statement=0',
          ...Object.fromEntries(
            contextNames.map((name) => [`${name.toUpperCase()}_DATABASE_PASSWORD`, passwordOf(name)]),
          ),
        },
      });
      expect([run.status, run.stdout, run.stderr]).toEqual([0, '', '']);
      for (const name of contextNames) {
        const url = Object.assign(new URL(server.databaseUrl.reveal()), {
          username: `scrip_${name}`,
          password: passwordOf(name),
        });
        await (await connect(url.href)).end();
      }
      const { rows } = await admin.query<{ log: string }>(
        `SELECT pg_read_file(current_setting('data_directory') || '/../server.log') AS log`,
      );
      expect(rows[0]?.log).toContain(`make_context_role('auth', 'scrip_auth', $1)`);
      expect(rows[0]?.log).not.toContain('of auth');
    } finally {
      await admin.end();
      await server.stop();
      rmSync(folder, { recursive: true });
    }
  });
});
