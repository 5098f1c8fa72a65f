import { resolve } from 'node:path';
import {
  createDatabase,
  killWhileWorking,
  rounds,
  type RunningChild,
  startTypescript,
  waitUntil,
} from '@scrip/testing';
import { Client } from 'pg';

const program = resolve(__dirname, 'tallies-program.fixture.ts');
const kills = rounds(10);
const count = 8_000 * kills;

describe('a task in a process that is killed', () => {
  let database: Client;
  let child: RunningChild | undefined;

  afterAll(async () => {
    await child?.kill();
    await database?.end();
  });

  const scalar = async (sql: string): Promise<number> =>
    Number((await database.query<{ n: string }>(sql)).rows[0]?.n);
  const counted = (): Promise<number> => scalar('SELECT coalesce(sum(count), 0) AS n FROM campaigns.tallies');

  it(`carries out each of ${count} inputs once although it is killed ${kills} times`, async () => {
    const url = await createDatabase('tallies_killed');
    const start = (order: number) => startTypescript(program, { DATABASE_URL: url, ORDER: String(order) });
    child = await start(count);
    database = new Client({ connectionString: url });
    await database.connect();
    child = await killWhileWorking({
      kills,
      first: child,
      again: () => start(0),
      progress: counted,
      afterKill: async (done) => {
        expect(done).toBeLessThan(count);
        expect(await scalar('SELECT sum(done + failed) AS n FROM campaigns.task_chunks')).toBe(done);
      },
    });
    await waitUntil(
      async () => (await scalar(`SELECT count(*) AS n FROM campaigns.tasks WHERE status <> 'DONE'`)) === 0,
      { what: 'the end', timeoutMs: 120_000 },
    );
    expect(await scalar('SELECT count(*) AS n FROM campaigns.tallies WHERE count = 1')).toBe(count);
    expect(await counted()).toBe(count);
    const result = `SELECT (state->'async_action'->'result'->>'done_count') AS n FROM campaigns.tasks`;
    expect(await scalar(result)).toBe(count);
    expect(
      await scalar(`SELECT count(*) AS n FROM campaigns.events WHERE type = 'AsyncActionCompleted'`),
    ).toBe(1);
  }, 600_000);
});
