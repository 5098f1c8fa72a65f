import { resolve } from 'node:path';
import { KilledProgram, rounds, waitUntil } from '@scrip/testing';
import { campaignsDatabase, coupons } from '../campaigns.fixture';
import { type HeldProgress, heldProgress } from '../held-progress.fixture';

const file = resolve(__dirname, '../campaigns-program.fixture.ts');
const kills = rounds(10);
const codesPerKill = 15_000;
const count = codesPerKill * kills;
const storedSql = 'SELECT count(*) FROM campaigns.vouchers';
/** Numbers of codes that no process goes past before it is killed: between two chunks of 5,000, and with one more behind them, since
 *  the server goes on with the statement that a killed process sent last. */
const places = Array.from({ length: kills }, (_, kill) => kill * codesPerKill + codesPerKill / 2);

describe('generation in a process that is killed', () => {
  let program: KilledProgram;
  let held: HeldProgress;

  afterAll(async () => {
    await program?.end();
    await held?.end();
  });

  const stored = (): Promise<number> => program.count(storedSql);

  it(`makes exactly ${count} different codes although it is killed ${kills} times`, async () => {
    const databaseUrl = await campaignsDatabase();
    held = await heldProgress(databaseUrl, { on: 'INSERT', counted: storedSql, places });
    program = await KilledProgram.start(file, databaseUrl);
    const created = await program.call('POST', '/v1/campaigns', coupons('killed', { vouchers_count: count }));
    expect(created.status).toBe(200);

    let before = 0;
    for (const place of places) {
      await waitUntil(async () => (await stored()) > before, { what: 'another step of the work' });
      await program.kill();
      await held.release(place);
      before = await stored();
      expect(before).toBeLessThan(count);
      await program.startAgain();
    }

    const waiting = `SELECT count(*) FROM campaigns.tasks WHERE status <> 'DONE'`;
    await waitUntil(async () => (await program.count(waiting)) === 0, {
      what: 'the end',
      timeoutMs: 120_000,
    });
    expect(await stored()).toBe(count);
    expect(await program.count('SELECT count(DISTINCT code) FROM campaigns.vouchers')).toBe(count);
    const told = `SELECT sum(json_array_length(data->'vouchers')) FROM campaigns.events WHERE type = 'VouchersGenerated'`;
    expect(await program.count(told)).toBe(count);
    const ends = `SELECT count(*) FROM campaigns.events WHERE type IN ('VoucherGenerationCompleted', 'AsyncActionCompleted')`;
    expect(await program.count(ends)).toBe(2);
  }, 600_000);
});
