import { resolve } from 'node:path';
import { KilledProgram, rounds, waitUntil } from '@scrip/testing';
import { campaignsDatabase, coupons } from '../campaigns.fixture';
import { type HeldProgress, heldProgress } from '../held-progress.fixture';

const file = resolve(__dirname, '../campaigns-program.fixture.ts');
const kills = rounds(10);
const vouchersPerKill = 10_000;
const count = vouchersPerKill * kills;
const deletedSql = 'SELECT count(*) FROM campaigns.vouchers WHERE deleted_at IS NOT NULL';
/** Numbers of deleted vouchers that no process goes past before it is killed. */
const places = Array.from({ length: kills }, (_, kill) => kill * vouchersPerKill + vouchersPerKill / 2);

describe('the deletion of a campaign by a process that is killed', () => {
  let program: KilledProgram;
  let held: HeldProgress;

  afterAll(async () => {
    await program?.end();
    await held?.end();
  });

  const deleted = (): Promise<number> => program.count(deletedSql);
  const openTasks = () => program.count(`SELECT count(*) FROM campaigns.tasks WHERE status <> 'DONE'`);

  it(`deletes each of ${count} vouchers once although it is killed ${kills} times`, async () => {
    const databaseUrl = await campaignsDatabase();
    program = await KilledProgram.start(file, databaseUrl);
    const { body } = await program.call(
      'POST',
      '/v1/campaigns',
      coupons('killed', { vouchers_count: count }),
    );
    await waitUntil(async () => (await openTasks()) === 0, { what: 'the codes', timeoutMs: 120_000 });
    held = await heldProgress(databaseUrl, { on: 'UPDATE', counted: deletedSql, places });
    const { status, body: ordered } = await program.call('DELETE', `/v1/campaigns/${body.id}`);
    expect(status).toBe(202);

    let before = 0;
    for (const place of places) {
      await waitUntil(async () => (await deleted()) > before, { what: 'another step of the work' });
      await program.kill();
      await held.release(place);
      before = await deleted();
      expect(before).toBeLessThan(count);
      await program.startAgain();
    }

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
