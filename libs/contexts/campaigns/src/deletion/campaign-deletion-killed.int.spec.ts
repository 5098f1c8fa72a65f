import { resolve } from 'node:path';
import { KilledProgram, rounds, waitUntil } from '@scrip/testing';
import { campaignsDatabase, coupons } from '../campaigns.fixture';

const file = resolve(__dirname, '../campaigns-program.fixture.ts');
const kills = rounds(10);
const count = 10_000 * kills;

describe('the deletion of a campaign by a process that is killed', () => {
  let program: KilledProgram;

  afterAll(() => program?.end());

  const openTasks = () => program.count(`SELECT count(*) FROM campaigns.tasks WHERE status <> 'DONE'`);

  it(`deletes each of ${count} vouchers once although it is killed ${kills} times`, async () => {
    program = await KilledProgram.start(file, await campaignsDatabase());
    const { body } = await program.call(
      'POST',
      '/v1/campaigns',
      coupons('killed', { vouchers_count: count }),
    );
    await waitUntil(async () => (await openTasks()) === 0, { what: 'the codes', timeoutMs: 120_000 });
    const { status, body: ordered } = await program.call('DELETE', `/v1/campaigns/${body.id}`);
    expect(status).toBe(202);

    await program.killWhileWorking({
      kills,
      progress: () => program.count('SELECT count(*) FROM campaigns.vouchers WHERE deleted_at IS NOT NULL'),
      afterKill: (done) => expect(done).toBeLessThanOrEqual(count),
    });

    await waitUntil(async () => (await openTasks()) === 0, { what: 'the end', timeoutMs: 120_000 });
    expect(await program.count('SELECT count(*) FROM campaigns.vouchers WHERE deleted_at IS NULL')).toBe(0);
    const { rows } = await program.database.query<{ state: { async_action: { result: object } } }>(
      'SELECT state FROM campaigns.tasks WHERE id = $1',
      [ordered.async_action_id],
    );
    expect(rows[0]?.state.async_action.result).toEqual({
      message: `Deleted ${count} vouchers.`,
      done_count: count,
    });
  }, 600_000);
});
