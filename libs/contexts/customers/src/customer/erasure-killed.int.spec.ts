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

const program = resolve(__dirname, '../customers-program.fixture.ts');
const kills = rounds(10);
const count = 150 * kills;

describe('permanent deletions in a process that is killed', () => {
  let url: string;
  let database: Client;
  let child: RunningChild | undefined;

  beforeAll(async () => {
    url = await createDatabase('customers_killed');
    child = await start();
    database = new Client({ connectionString: url });
    await database.connect();
  }, 120_000);
  afterAll(async () => {
    await child?.kill();
    await database?.end();
  });

  const start = () => startTypescript(program, { DATABASE_URL: url });
  const scalar = async (sql: string): Promise<number> =>
    Number((await database.query<{ n: string }>(`SELECT (${sql}) AS n`)).rows[0]?.n);
  const erasuresSql = `SELECT count(*) FROM customers.events WHERE type = 'CustomerErased'`;
  const erasures = () => scalar(erasuresSql);
  const post = async (path: string, body: unknown, more: Record<string, string> = {}): Promise<any> => {
    const answer = await fetch(`${child!.origin}${path}`, {
      method: 'POST',
      headers: { 'x-app-id': 'app', 'x-app-token': 'proj_1', 'content-type': 'application/json', ...more },
      body: JSON.stringify(body),
    });
    return { code: answer.status, ...((await answer.json()) as object) };
  };
  /** Repeats a deletion under its key until it is answered, whichever process is there. */
  const erased = async (number: number): Promise<string> => {
    let answer: any;
    await waitUntil(
      async () => {
        answer = await post(
          `/v1/customers/person-${number}/permanent-deletion`,
          {},
          { 'Idempotency-Key': `erase ${number}` },
        ).catch(() => undefined);
        return answer?.code === 200;
      },
      { what: `the answer to deletion ${number}`, timeoutMs: 120_000 + 30_000 * kills, intervalMs: 50 },
    );
    return answer.id as string;
  };

  it(`does each of ${count} once although it is killed ${kills} times, and leaves nothing of the person`, async () => {
    const people = Array.from({ length: count }, (_, number) => ({
      source_id: `person-${number}`,
      name: 'Secret',
    }));
    const { async_action_id } = await post('/v1/customers/bulk/async', people);
    expect(async_action_id).toMatch(/^aa_u/);
    await waitUntil(async () => (await scalar('SELECT count(*) FROM customers.customer_keys')) === count, {
      what: 'the customers',
      timeoutMs: 60_000,
    });
    let next = 0;
    const ids: string[] = [];
    const callers = Promise.all(
      [1, 2, 3].map(async () => {
        while (next < count) ids.push(await erased(next++));
      }),
    );
    child = await killWhileWorking({
      kills,
      first: child!,
      again: async () => (child = await start()),
      progress: erasures,
      afterKill: async (done) => {
        expect(done).toBeLessThan(count);
        // All of an erasure is there, or nothing of it. One statement: what was sent last may still be committed.
        const { rows } = await database.query<Record<'erased' | 'keys' | 'named', string>>(
          `SELECT (${erasuresSql}) AS erased, (SELECT count(*) FROM customers.customer_keys) AS keys,
             (SELECT count(DISTINCT customer_id) FROM customers.erased_names) AS named`,
        );
        const { erased: gone, keys, named } = rows[0]!;
        expect([keys, named]).toEqual([String(count - Number(gone)), gone]);
        // The leases of the killed process would end after a minute.
        await database.query('UPDATE customers.idempotency_keys SET lease_until = now()');
      },
    });
    await callers;

    expect(new Set(ids).size).toBe(count);
    expect(await erasures()).toBe(count);
    expect(
      await scalar(`SELECT count(DISTINCT stream_id) FROM customers.events WHERE type = 'CustomerErased'`),
    ).toBe(count);
    expect(await scalar('SELECT count(*) FROM customers.customer_keys')).toBe(0);
    await waitUntil(
      async () => (await scalar('SELECT count(*) FROM customers.erased_names WHERE NOT is_cleared')) === 0,
      { what: 'the purge', timeoutMs: 60_000 },
    );
  }, 600_000);
});
