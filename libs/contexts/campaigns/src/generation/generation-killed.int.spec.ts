import { resolve } from 'node:path';
import { createDatabase, rounds, type RunningChild, startChild, waitUntil } from '@scrip/testing';
import { Client } from 'pg';
import { coupons, project } from '../campaigns.fixture';

const script = resolve(__dirname, '../../fixtures/campaigns-process.cjs');
const kills = Math.max(3, rounds(10));
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
    const url = await createDatabase('killed');
    const environment = { DATABASE_URL: url, NODE_OPTIONS: '--conditions=@scrip/source', NODE_ENV: 'test' };
    const start = () => startChild(script, environment, /^ready (.+)$/);
    child = await start();
    database = new Client({ connectionString: url });
    await database.connect();
    const created = await fetch(`${child.origin}/v1/campaigns`, {
      method: 'POST',
      headers: { 'x-app-id': 'app', 'x-app-token': project.id, 'content-type': 'application/json' },
      body: JSON.stringify(coupons('killed', { vouchers_count: count })),
    });
    expect(created.status).toBe(200);

    const progress: number[] = [];
    for (let killed = 0; killed < kills; killed += 1) {
      const before = await stored();
      await waitUntil(async () => (await stored()) > before, {
        what: 'another chunk',
        timeoutMs: 60_000,
        intervalMs: 1,
      });
      await child.kill();
      progress.push(await stored());
      child = await start();
    }
    expect(progress.filter((done) => done < count)).toHaveLength(kills);

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
