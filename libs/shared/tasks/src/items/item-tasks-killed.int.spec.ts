import { resolve } from 'node:path';
import { createDatabase, KilledProgram, rounds, waitUntil } from '@scrip/testing';

const file = resolve(__dirname, 'tallies-program.fixture.ts');
const kills = rounds(10);
const count = 8_000 * kills;

describe('a task in a process that is killed', () => {
  let program: KilledProgram;

  afterAll(() => program?.end());

  const counted = (): Promise<number> =>
    program.count('SELECT coalesce(sum(count), 0) FROM campaigns.tallies');

  it(`carries out each of ${count} inputs once although it is killed ${kills} times`, async () => {
    program = await KilledProgram.start(file, await createDatabase('tallies_killed'), {
      ORDER: String(count),
    });
    await program.killWhileWorking({
      kills,
      progress: counted,
      afterKill: async (done) => {
        expect(done).toBeLessThan(count);
        expect(await program.count('SELECT sum(done + failed) FROM campaigns.task_chunks')).toBe(done);
      },
    });
    await waitUntil(
      async () => (await program.count(`SELECT count(*) FROM campaigns.tasks WHERE status <> 'DONE'`)) === 0,
      { what: 'the end', timeoutMs: 120_000 },
    );
    expect(await program.count('SELECT count(*) FROM campaigns.tallies WHERE count = 1')).toBe(count);
    expect(await counted()).toBe(count);
    const result = `SELECT (state->'async_action'->'result'->>'done_count') FROM campaigns.tasks`;
    expect(await program.count(result)).toBe(count);
    expect(
      await program.count(`SELECT count(*) FROM campaigns.events WHERE type = 'AsyncActionCompleted'`),
    ).toBe(1);
  }, 600_000);
});
