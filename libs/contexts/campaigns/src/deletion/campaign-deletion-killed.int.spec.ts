import { resolve } from 'node:path';
import { killWhileWorking, rounds, type RunningChild, startTypescript, waitUntil } from '@scrip/testing';
import { Client } from 'pg';
import { campaignsDatabase, coupons, project } from '../campaigns.fixture';

const program = resolve(__dirname, '../campaigns-program.fixture.ts');
const kills = rounds(10);
const count = 10_000 * kills;

describe('the deletion of a campaign by a process that is killed', () => {
  let database: Client;
  let child: RunningChild | undefined;

  afterAll(async () => {
    await child?.kill();
    await database?.end();
  });

  const scalar = async (sql: string): Promise<number> =>
    Number((await database.query<{ n: string }>(sql)).rows[0]?.n);
  const call = async (method: string, path: string, body?: object) => {
    const headers = {
      'x-app-id': 'app',
      'x-app-token': project.id,
      ...(body && { 'content-type': 'application/json' }),
    };
    const answer = await fetch(`${child!.origin}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, string> };
  };
  const openTasks = () => scalar(`SELECT count(*) AS n FROM campaigns.tasks WHERE status <> 'DONE'`);

  it(`deletes each of ${count} vouchers once although it is killed ${kills} times`, async () => {
    const url = await campaignsDatabase();
    const start = () => startTypescript(program, { DATABASE_URL: url });
    child = await start();
    database = new Client({ connectionString: url });
    await database.connect();
    const { body } = await call('POST', '/v1/campaigns', coupons('killed', { vouchers_count: count }));
    await waitUntil(async () => (await openTasks()) === 0, { what: 'the codes', timeoutMs: 120_000 });
    const { status, body: ordered } = await call('DELETE', `/v1/campaigns/${body.id}`);
    expect(status).toBe(202);

    child = await killWhileWorking({
      kills,
      first: child,
      again: start,
      progress: () => scalar('SELECT count(*) AS n FROM campaigns.vouchers WHERE deleted_at IS NOT NULL'),
      afterKill: (done) => expect(done).toBeLessThanOrEqual(count),
    });

    await waitUntil(async () => (await openTasks()) === 0, { what: 'the end', timeoutMs: 120_000 });
    expect(await scalar('SELECT count(*) AS n FROM campaigns.vouchers WHERE deleted_at IS NULL')).toBe(0);
    const { rows } = await database.query<{ state: { async_action: { result: object } } }>(
      'SELECT state FROM campaigns.tasks WHERE id = $1',
      [ordered.async_action_id],
    );
    expect(rows[0]?.state.async_action.result).toEqual({
      message: `Deleted ${count} vouchers.`,
      done_count: count,
    });
  }, 600_000);
});
