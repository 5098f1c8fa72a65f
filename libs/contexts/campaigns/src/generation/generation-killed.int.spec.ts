import { resolve } from 'node:path';
import { KilledProgram, rounds, waitUntil } from '@scrip/testing';
import { campaignsDatabase, coupons } from '../campaigns.fixture';

const file = resolve(__dirname, '../campaigns-program.fixture.ts');
const kills = rounds(10);
const count = 10_000 * kills;

describe('generation in a process that is killed', () => {
  let program: KilledProgram;

  afterAll(() => program?.end());

  const stored = (): Promise<number> => program.count('SELECT count(*) FROM campaigns.vouchers');

  it(`makes exactly ${count} different codes although it is killed ${kills} times`, async () => {
    program = await KilledProgram.start(file, await campaignsDatabase());
    const created = await program.call('POST', '/v1/campaigns', coupons('killed', { vouchers_count: count }));
    expect(created.status).toBe(200);

    await program.killWhileWorking({
      kills,
      progress: stored,
      afterKill: (done) => expect(done).toBeLessThan(count),
    });

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
