import { resolve } from 'node:path';
import { createDatabase, KilledProgram, rounds, waitUntil } from '@scrip/testing';
import { Client } from 'pg';

const file = resolve(__dirname, 'tallies-program.fixture.ts');
const kills = rounds(10);
const inputsPerKill = 8_000;
const count = inputsPerKill * kills;
/** Positions of inputs before which each of the processes is killed. */
const held = Array.from({ length: kills }, (_, kill) => kill * inputsPerKill + inputsPerKill / 2);

describe('a task in a process that is killed', () => {
  let program: KilledProgram;
  let holder: Client;

  afterAll(async () => {
    await program?.end();
    await holder?.end();
  });

  const counted = (): Promise<number> =>
    program.count('SELECT coalesce(sum(count), 0) FROM campaigns.tallies');

  it(`carries out each of ${count} inputs once although it is killed ${kills} times`, async () => {
    const databaseUrl = await createDatabase('tallies_killed');
    holder = new Client({ connectionString: databaseUrl });
    await holder.connect();
    await holder.query('SELECT pg_advisory_lock(position) FROM unnest($1::bigint[]) position', [held]);
    program = await KilledProgram.start(file, databaseUrl, {
      ORDER: String(count),
      HOLD: JSON.stringify(held),
    });
    let before = 0;
    for (const position of held) {
      await waitUntil(async () => (await counted()) > before, { what: 'another step of the work' });
      await program.kill();
      await holder.query('SELECT pg_advisory_unlock($1)', [position]);
      // By one statement: the server may just be committing what the process asked for last.
      const { rows } = await program.database.query<{ done: string; noted: string }>(
        `SELECT (SELECT sum(count) FROM campaigns.tallies) AS done,
           (SELECT sum(done + failed) FROM campaigns.task_chunks) AS noted`,
      );
      before = Number(rows[0]?.done);
      expect(before).toBeLessThan(count);
      expect(rows[0]?.noted).toBe(rows[0]?.done);
      await program.startAgain();
    }
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
