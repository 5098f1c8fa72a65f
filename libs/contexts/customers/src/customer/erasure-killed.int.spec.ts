import { resolve } from 'node:path';
import { createDatabase, KilledProgram, rounds, waitUntil } from '@scrip/testing';

const file = resolve(__dirname, '../customers-program.fixture.ts');
const kills = rounds(10);
const peoplePerKill = 150;
const count = peoplePerKill * kills;

describe('permanent deletions in a process that is killed', () => {
  let program: KilledProgram;

  beforeAll(async () => {
    program = await KilledProgram.start(file, await createDatabase('customers_killed'));
  }, 120_000);
  afterAll(() => program?.end());

  const erasuresSql = `SELECT count(*) FROM customers.events WHERE type = 'CustomerErased'`;
  const erasures = () => program.count(erasuresSql);
  /** Repeats a deletion under its key until it is answered, whichever process is there. */
  const erased = async (number: number): Promise<string> => {
    let answer: Awaited<ReturnType<KilledProgram['call']>> | undefined;
    await waitUntil(
      async () => {
        answer = await program
          .call(
            'POST',
            `/v1/customers/person-${number}/permanent-deletion`,
            {},
            { 'Idempotency-Key': `erase ${number}` },
          )
          .catch(() => undefined);
        return answer?.status === 200;
      },
      { what: `the answer to deletion ${number}`, timeoutMs: 120_000 + 30_000 * kills, intervalMs: 50 },
    );
    return answer!.body.id as string;
  };

  it(`does each of ${count} once although it is killed ${kills} times, and leaves nothing of the person`, async () => {
    const people = Array.from({ length: count }, (_, number) => ({
      source_id: `person-${number}`,
      name: 'Secret',
    }));
    const { body } = await program.call('POST', '/v1/customers/bulk/async', people);
    expect(body.async_action_id).toMatch(/^aa_u/);
    await waitUntil(
      async () => (await program.count('SELECT count(*) FROM customers.customer_keys')) === count,
      { what: 'the customers' },
    );
    let next = 0;
    /** How many deletions may have begun: some of those of each process are left until it is killed. */
    let allowed = 0;
    const ids: string[] = [];
    const callers = Promise.all(
      [1, 2, 3].map(async () => {
        while (next < count) {
          const number = next++;
          await waitUntil(() => number < allowed, { what: 'the kill before', timeoutMs: 500_000 });
          ids.push(await erased(number));
        }
      }),
    );
    for (let killed = 0; killed < kills; killed += 1) {
      const before = await erasures();
      allowed = killed * peoplePerKill + 100;
      await waitUntil(async () => (await erasures()) > before, { what: 'another deletion', intervalMs: 1 });
      await program.kill();
      // All of an erasure is there, or nothing of it. One statement: what was sent last may still be committed.
      const { rows } = await program.database.query<Record<'erased' | 'keys' | 'named', string>>(
        `SELECT (${erasuresSql}) AS erased, (SELECT count(*) FROM customers.customer_keys) AS keys,
           (SELECT count(DISTINCT customer_id) FROM customers.erased_names) AS named`,
      );
      const { erased: gone, keys, named } = rows[0]!;
      expect(Number(gone)).toBeLessThan(count);
      expect([keys, named]).toEqual([String(count - Number(gone)), gone]);
      // The leases of the killed process would end after a minute.
      await program.database.query('UPDATE customers.idempotency_keys SET lease_until = now()');
      await program.startAgain();
    }
    allowed = count;
    await callers;

    expect(new Set(ids).size).toBe(count);
    expect(await erasures()).toBe(count);
    expect(
      await program.count(
        `SELECT count(DISTINCT stream_id) FROM customers.events WHERE type = 'CustomerErased'`,
      ),
    ).toBe(count);
    expect(await program.count('SELECT count(*) FROM customers.customer_keys')).toBe(0);
    await waitUntil(
      async () =>
        (await program.count('SELECT count(*) FROM customers.erased_names WHERE NOT is_cleared')) === 0,
      { what: 'the purge' },
    );
  }, 600_000);
});
