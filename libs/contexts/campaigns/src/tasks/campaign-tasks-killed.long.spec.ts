import { resolve } from 'node:path';
import { KilledProgram, rounds, waitUntil } from '@scrip/testing';
import { campaignsDatabase, coupons } from '../campaigns.fixture';

const file = resolve(__dirname, '../campaigns-program.fixture.ts');
const kills = rounds(10);
const count = 1_800 * kills;
const codes = Array.from({ length: count }, (_, n) => `K-${n}`);
/** A third is for one import, a third for the other, and a third for both. */
const third = count / 3;
const published = 10;

/** Three tasks over the same vouchers, one after another. `item-tasks-killed.int.spec.ts` shows in `npm test` that
 *  a task over inputs goes on where a killed process stopped. */
describe('background tasks of vouchers in a process that is killed', () => {
  let program: KilledProgram;
  let campaignId: string;

  beforeAll(async () => {
    program = await KilledProgram.start(file, await campaignsDatabase());
    const { body } = await program.call(
      'POST',
      '/v1/campaigns',
      coupons('killed', { expiration_date: '2099-01-01' }),
    );
    campaignId = body.id;
  }, 240_000);
  afterAll(() => program?.end());

  const killedUntilDone = async (progress: () => Promise<number>, afterKill?: () => Promise<void>) => {
    await program.killWhileWorking({ kills, progress, ...(afterKill ? { afterKill } : {}) });
    await waitUntil(
      async () =>
        (await program.count(
          `SELECT count(*) FROM campaigns.tasks WHERE status NOT IN ('DONE', 'FAILED')`,
        )) === 0,
      { what: 'the end', timeoutMs: 120_000 },
    );
  };
  const eventsOf = (type: string) =>
    program.count(`SELECT count(*) FROM campaigns.events WHERE type = '${type}'`);
  const voucherCount = () => program.count('SELECT count(*) FROM campaigns.vouchers');
  const resultOf = async (id: string) =>
    (
      await program.database.query<{ state: { async_action: { result: Record<string, number> } } }>(
        'SELECT state FROM campaigns.tasks WHERE id = $1',
        [id],
      )
    ).rows[0]!.state.async_action.result;

  it(`two imports of ${third} codes that both have store each once and tell each duplicate, killed ${kills} times`, async () => {
    const inCampaign = await program.call(
      'POST',
      `/v1/campaigns/${campaignId}/import`,
      codes.slice(0, 2 * third).map((code) => ({ code })),
    );
    const alone = await program.call(
      'POST',
      '/v1/vouchers/import',
      codes.slice(third).map((code) => ({
        code,
        type: 'DISCOUNT_VOUCHER',
        discount: { type: 'PERCENT', percent_off: 5 },
      })),
    );
    const answers = [inCampaign, alone];
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    await killedUntilDone(voucherCount, async () =>
      expect(await program.count('SELECT sum(done) FROM campaigns.task_chunks')).toBe(await voucherCount()),
    );

    expect(await voucherCount()).toBe(count);
    expect(await program.count('SELECT count(DISTINCT code_key) FROM campaigns.vouchers')).toBe(count);
    const results = await Promise.all(answers.map(({ body }) => resultOf(body.async_action_id)));
    const sumOf = (field: string) => results.reduce((sum, result) => sum + result[field]!, 0);
    expect([sumOf('done_count'), sumOf('failed_count')]).toEqual([count, third]);
    const ofCampaign = await program.count(
      `SELECT count(*) FROM campaigns.vouchers WHERE campaign_id = '${campaignId}'`,
    );
    expect(results[0]!.done_count).toBe(ofCampaign);
    const told = `SELECT sum(json_array_length(data->'vouchers')) FROM campaigns.events WHERE type = 'VouchersImported'`;
    expect(await program.count(told)).toBe(ofCampaign);
    expect(await eventsOf('VoucherCreated')).toBe(count - ofCampaign);
    expect(await eventsOf('CampaignVouchersAdded')).toBe(1);
    expect(await eventsOf('AsyncActionCompleted')).toBe(2);
    expect(ofCampaign).toBeGreaterThanOrEqual(third);
    expect(ofCampaign).toBeLessThanOrEqual(2 * third);
  }, 600_000);

  it('a bulk of metadata changes each voucher once', async () => {
    const body = { codes, metadata: { shop: 'Rome' } };
    const ordered = await program.call('POST', '/v1/vouchers/metadata/async', body);
    expect(ordered.status).toBe(202);
    await killedUntilDone(() => eventsOf('VoucherFieldsChanged'));
    expect(await eventsOf('VoucherFieldsChanged')).toBe(count);
    expect(
      await program.count(
        `SELECT count(*) FROM campaigns.vouchers WHERE filterable->'metadata'->>'shop' = 'Rome'`,
      ),
    ).toBe(count);
    expect(await resultOf(ordered.body.async_action_id)).toMatchObject({
      done_count: count,
      failed_count: 0,
    });
  }, 600_000);

  it('a change of the campaign reaches each of its vouchers once, and no published one', async () => {
    const publication = await program.call('POST', '/v1/publications', {
      campaign: { name: 'killed', count: published },
      customer: { source_id: 'ada' },
    });
    expect(publication.status).toBe(200);
    const free = await program.count(
      `SELECT count(*) FROM campaigns.vouchers WHERE campaign_id = '${campaignId}' AND publishable`,
    );
    const answer = await program.call('PUT', `/v1/campaigns/${campaignId}`, {
      expiration_date: '2100-01-01',
    });
    expect(answer.status).toBe(200);
    await killedUntilDone(() => eventsOf('VoucherFollowedCampaign'));
    expect(await eventsOf('VoucherFollowedCampaign')).toBe(free);
    const until = (year: number) =>
      program.count(
        `SELECT count(*) FROM campaigns.vouchers
         WHERE campaign_id = '${campaignId}' AND extract(year FROM expiration_date) = ${year}`,
      );
    expect([await until(2099), await until(2100)]).toEqual([published, free]);
    expect(await eventsOf('CampaignVouchersUpdated')).toBe(1);
  }, 600_000);
});
