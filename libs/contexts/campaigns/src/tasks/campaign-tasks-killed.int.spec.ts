import { resolve } from 'node:path';
import { killWhileWorking, rounds, type RunningChild, startTypescript, waitUntil } from '@scrip/testing';
import { Client } from 'pg';
import { campaignsDatabase, coupons, project } from '../campaigns.fixture';

const program = resolve(__dirname, '../campaigns-program.fixture.ts');
const kills = rounds(10);
const count = 1_800 * kills;
const codes = Array.from({ length: count }, (_, n) => `K-${n}`);
/** A third is for one import, a third for the other, and a third for both. */
const third = count / 3;
const published = 10;

/** Three tasks over the same vouchers, one after another. */
describe('background tasks of vouchers in a process that is killed', () => {
  let database: Client;
  let child: RunningChild | undefined;
  let campaignId: string;
  let start: () => Promise<RunningChild>;

  beforeAll(async () => {
    const url = await campaignsDatabase();
    start = () => startTypescript(program, { DATABASE_URL: url });
    child = await start();
    database = new Client({ connectionString: url });
    await database.connect();
    const { body } = await call(
      'POST',
      '/v1/campaigns',
      coupons('killed', { expiration_date: '2099-01-01' }),
    );
    campaignId = body.id;
  }, 240_000);
  afterAll(async () => {
    await child?.kill();
    await database?.end();
  });

  const scalar = async (sql: string): Promise<number> =>
    Number((await database.query<{ n: string }>(sql)).rows[0]?.n);
  const call = async (method: string, path: string, body: object) => {
    const answer = await fetch(`${child!.origin}${path}`, {
      method,
      headers: { 'x-app-id': 'app', 'x-app-token': project.id, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as any };
  };
  const killedUntilDone = async (progress: () => Promise<number>, afterKill?: () => Promise<void>) => {
    child = await killWhileWorking({
      ...{ kills, first: child!, again: start, progress },
      ...(afterKill ? { afterKill } : {}),
    });
    await waitUntil(
      async () =>
        (await scalar(`SELECT count(*) AS n FROM campaigns.tasks WHERE status NOT IN ('DONE', 'FAILED')`)) ===
        0,
      { what: 'the end', timeoutMs: 120_000 },
    );
  };
  const eventsOf = (type: string) =>
    scalar(`SELECT count(*) AS n FROM campaigns.events WHERE type = '${type}'`);
  const voucherCount = () => scalar('SELECT count(*) AS n FROM campaigns.vouchers');
  const resultOf = async (id: string) =>
    (
      await database.query<{ state: { async_action: { result: Record<string, number> } } }>(
        'SELECT state FROM campaigns.tasks WHERE id = $1',
        [id],
      )
    ).rows[0]!.state.async_action.result;

  it(`two imports of ${third} codes that both have store each once and tell each duplicate, killed ${kills} times`, async () => {
    const inCampaign = await call(
      'POST',
      `/v1/campaigns/${campaignId}/import`,
      codes.slice(0, 2 * third).map((code) => ({ code })),
    );
    const alone = await call(
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
      expect(await scalar('SELECT sum(done) AS n FROM campaigns.task_chunks')).toBe(await voucherCount()),
    );

    expect(await voucherCount()).toBe(count);
    expect(await scalar('SELECT count(DISTINCT code_key) AS n FROM campaigns.vouchers')).toBe(count);
    const results = await Promise.all(answers.map(({ body }) => resultOf(body.async_action_id)));
    const sumOf = (field: string) => results.reduce((sum, result) => sum + result[field]!, 0);
    expect([sumOf('done_count'), sumOf('failed_count')]).toEqual([count, third]);
    const ofCampaign = await scalar(
      `SELECT count(*) AS n FROM campaigns.vouchers WHERE campaign_id = '${campaignId}'`,
    );
    expect(results[0]!.done_count).toBe(ofCampaign);
    const told = `SELECT sum(json_array_length(data->'vouchers')) AS n FROM campaigns.events WHERE type = 'VouchersImported'`;
    expect(await scalar(told)).toBe(ofCampaign);
    expect(await eventsOf('VoucherCreated')).toBe(count - ofCampaign);
    expect(await eventsOf('CampaignVouchersAdded')).toBe(1);
    expect(await eventsOf('AsyncActionCompleted')).toBe(2);
    expect(ofCampaign).toBeGreaterThanOrEqual(third);
    expect(ofCampaign).toBeLessThanOrEqual(2 * third);
  }, 600_000);

  it('a bulk of metadata changes each voucher once', async () => {
    const body = { codes, metadata: { shop: 'Rome' } };
    const ordered = await call('POST', '/v1/vouchers/metadata/async', body);
    expect(ordered.status).toBe(202);
    await killedUntilDone(() => eventsOf('VoucherUpdated'));
    expect(await eventsOf('VoucherUpdated')).toBe(count);
    expect(
      await scalar(
        `SELECT count(*) AS n FROM campaigns.vouchers WHERE filterable->'metadata'->>'shop' = 'Rome'`,
      ),
    ).toBe(count);
    expect(await resultOf(ordered.body.async_action_id)).toMatchObject({
      done_count: count,
      failed_count: 0,
    });
  }, 600_000);

  it('a change of the campaign reaches each of its vouchers once, and no published one', async () => {
    const publication = await call('POST', '/v1/publications', {
      campaign: { name: 'killed', count: published },
      customer: { source_id: 'ada' },
    });
    expect(publication.status).toBe(200);
    const free = await scalar(
      `SELECT count(*) AS n FROM campaigns.vouchers WHERE campaign_id = '${campaignId}' AND publishable`,
    );
    const answer = await call('PUT', `/v1/campaigns/${campaignId}`, { expiration_date: '2100-01-01' });
    expect(answer.status).toBe(200);
    await killedUntilDone(() => eventsOf('VoucherFollowedCampaign'));
    expect(await eventsOf('VoucherFollowedCampaign')).toBe(free);
    const until = (year: number) =>
      scalar(
        `SELECT count(*) AS n FROM campaigns.vouchers
         WHERE campaign_id = '${campaignId}' AND extract(year FROM expiration_date) = ${year}`,
      );
    expect([await until(2099), await until(2100)]).toEqual([published, free]);
    expect(await eventsOf('CampaignVouchersUpdated')).toBe(1);
  }, 600_000);
});
