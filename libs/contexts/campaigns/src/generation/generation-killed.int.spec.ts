import { resolve } from 'node:path';
import { killWhileWorking, rounds, type RunningChild, startTypescript, waitUntil } from '@scrip/testing';
import { Client } from 'pg';
import { campaignsDatabase, coupons, project } from '../campaigns.fixture';

const program = resolve(__dirname, '../campaigns-program.fixture.ts');
const kills = Math.max(2, rounds(10));
const count = 10_000 * kills;

describe('generation in a process that is killed', () => {
  let database: Client;
  let child: RunningChild | undefined;

  afterAll(async () => {
    await child?.kill();
    await database?.end();
  });

  const scalar = async (sql: string): Promise<number> =>
    Number((await database.query<{ n: string }>(sql)).rows[0]?.n);
  const stored = (): Promise<number> => scalar('SELECT count(*) AS n FROM campaigns.vouchers');

  it(`makes exactly ${count} different codes although it is killed ${kills} times`, async () => {
    const url = await campaignsDatabase();
    const start = () => startTypescript(program, { DATABASE_URL: url });
    child = await start();
    database = new Client({ connectionString: url });
    await database.connect();
    const created = await fetch(`${child.origin}/v1/campaigns`, {
      method: 'POST',
      headers: { 'x-app-id': 'app', 'x-app-token': project.id, 'content-type': 'application/json' },
      body: JSON.stringify(coupons('killed', { vouchers_count: count })),
    });
    expect(created.status).toBe(200);

    child = await killWhileWorking({
      kills,
      first: child,
      again: start,
      progress: stored,
      afterKill: (done) => expect(done).toBeLessThan(count),
    });

    const waiting = `SELECT count(*) AS n FROM campaigns.tasks WHERE status <> 'DONE'`;
    await waitUntil(async () => (await scalar(waiting)) === 0, { what: 'the end', timeoutMs: 120_000 });
    expect(await stored()).toBe(count);
    expect(await scalar('SELECT count(DISTINCT code) AS n FROM campaigns.vouchers')).toBe(count);
    const told = `SELECT sum(json_array_length(data->'vouchers')) AS n FROM campaigns.events WHERE type = 'VouchersGenerated'`;
    expect(await scalar(told)).toBe(count);
    const ends = `SELECT count(*) AS n FROM campaigns.events WHERE type IN ('VoucherGenerationCompleted', 'AsyncActionCompleted')`;
    expect(await scalar(ends)).toBe(2);
  }, 600_000);
});
