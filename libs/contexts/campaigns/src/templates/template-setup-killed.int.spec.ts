import { resolve } from 'node:path';
import { KilledProgram, waitUntil } from '@scrip/testing';
import { campaignsDatabase, coupons } from '../campaigns.fixture';

const file = resolve(__dirname, '../campaigns-program.fixture.ts');
const names = Array.from({ length: 60 }, (_, index) => `made ${index}`);

describe('campaigns that a killed process makes from a template', () => {
  let program: KilledProgram;

  afterAll(() => program?.end());

  /** How many codes each campaign has that is there. */
  const codes = async (): Promise<number[]> => {
    const { rows } = await program.database.query<{ codes: string }>(
      `SELECT count(v.id) AS codes FROM campaigns.campaigns c
       LEFT JOIN campaigns.vouchers v ON v.project_id = c.project_id AND v.campaign_id = c.id
       WHERE c.name LIKE 'made %' GROUP BY c.id`,
    );
    return rows.map((row) => Number(row.codes));
  };

  it('are there with their code or not at all, and once when the calls are repeated', async () => {
    program = await KilledProgram.start(file, await campaignsDatabase());
    await program.call('POST', '/v1/campaigns', coupons('source'));
    const { body: template } = await program.call('POST', '/v1/templates/campaigns', {
      name: 'All',
      campaign_id: 'source',
    });
    const setUp = (name: string) =>
      program.call(
        'POST',
        `/v1/templates/campaigns/${template.id}/campaign-setup`,
        { name, vouchers_count: 1 },
        { 'idempotency-key': name },
      );

    const broken = Promise.allSettled(names.map(setUp));
    await waitUntil(async () => (await codes()).length > 0, {
      what: 'the first campaign',
      timeoutMs: 60_000,
      intervalMs: 1,
    });
    await program.kill();
    await broken;
    const before = await codes();
    expect(before).toEqual(before.map(() => 1));

    await program.startAgain();
    await program.database.query('UPDATE campaigns.idempotency_keys SET lease_until = now()');
    const open = new Set(names);
    await waitUntil(
      async () => {
        for (const name of open) if ((await setUp(name)).status === 200) open.delete(name);
        return open.size === 0;
      },
      { what: 'an answer to each repeated call', timeoutMs: 90_000, intervalMs: 500 },
    );
    expect(await codes()).toEqual(names.map(() => 1));
  }, 300_000);
});
