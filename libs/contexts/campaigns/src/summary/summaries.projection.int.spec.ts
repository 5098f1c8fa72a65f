import { newId } from '@scrip/kernel';
import { touchedRows, waitUntil } from '@scrip/testing';
import { bootCampaigns, type CampaignsFixture, coupons, project } from '../campaigns.fixture';
import { addToSummaries, summedSql } from './campaign-summaries.table';

let fixture: CampaignsFixture;

beforeAll(async () => {
  fixture = await bootCampaigns();
});
afterAll(() => fixture?.running.close());

const ask = async (method: string, path: string, body?: unknown) => {
  const answer = await fixture.call(method, path, body);
  expect({ path, details: answer.body.details }).toEqual({ path, details: undefined });
  return answer.body;
};
const summaryOf = async (campaignId: string, query = '') =>
  (await fixture.call('GET', `/v1/campaigns/${campaignId}/summary${query}`)).body;
const untilSummed = (campaignId: string, sums: Record<string, number>) =>
  waitUntil(
    async () => {
      const summary = await summaryOf(campaignId);
      return Object.entries(sums).every(([name, sum]) => summary[name] === sum);
    },
    { what: `the sums ${JSON.stringify(sums)}` },
  );

/** A campaign of two gift cards of 1,000. */
const cards = async (): Promise<{ id: string; codes: string[] }> => {
  const gift = { type: 'GIFT_VOUCHER', discount: undefined, gift: { amount: 1_000 } };
  const fields = { campaign_type: 'GIFT_VOUCHERS', vouchers_count: 2 };
  const { id } = await ask('POST', '/v1/campaigns', coupons(newId('c_'), fields, gift));
  await waitUntil(async () => (await ask('GET', `/v1/campaigns/${id}`)).creation_status === 'DONE', {
    what: 'the cards',
  });
  const { vouchers } = await ask('GET', `/v1/vouchers?campaign_id=${id}`);
  return { id, codes: vouchers.map(({ code }: { code: string }) => code) };
};

const rows = () =>
  fixture.database.query('SELECT * FROM campaign_summaries ORDER BY project_id, campaign_id, quarter');

describe('the summary of a campaign', () => {
  it('counts cards, what is added and what is taken, as the example of the reference does', async () => {
    const { id, codes } = await cards();
    await ask('POST', `/v1/vouchers/${codes[0]}/balance`, { amount: 500 });
    await ask('POST', `/v1/vouchers/${codes[0]}/balance`, { amount: -200 });
    await untilSummed(id, { created_vouchers_amount: 2_000, amount_added: 500, amount_subtracted: 200 });
    const summary = await summaryOf(id);
    expect(summary).toEqual({
      object: 'campaign_summary',
      campaign: { ...(await ask('GET', `/v1/campaigns/${id}`)), categories: [] },
      ...{ redemptions: 0, redemptions_succeeded: 0, redemptions_failed: 0 },
      ...{ rollbacks: 0, rollbacks_succeeded: 0, rollbacks_failed: 0 },
      ...{ validations: 5, validations_succeeded: 3, validations_failed: 2 },
      ...{ orders_amount: 0, orders_rolledback_amount: 0 },
      ...{ vouchers_created: 2, vouchers_deleted: 0 },
      ...{ publications: 0, publications_succeeded: 0, publications_failed: 0 },
      ...{ created_vouchers_amount: 2_000, amount_added: 500, amount_subtracted: 200 },
      ...{ amount_redeemed: 0, amount_rolledback: 0, amount_deleted: 0 },
    });
  });

  it('counts codes however they come, once when they go, and publications; the same after a rebuild', async () => {
    const { id, codes } = await cards();
    await ask('POST', `/v1/campaigns/${id}/vouchers/${newId('ADDED-')}`, {});
    const imported = [{ code: newId('A-') }, { code: newId('B-'), gift: { amount: 70 } }];
    await ask('POST', `/v1/campaigns/${id}/import`, imported);
    await untilSummed(id, { vouchers_created: 5, created_vouchers_amount: 4_070 });
    await ask('POST', `/v1/vouchers/${codes[0]}/balance`, { amount: -400 });
    await fixture.call('DELETE', `/v1/vouchers/${codes[0]}`);
    await ask('POST', '/v1/publications', { campaign: id, customer: { source_id: 'ada' } });
    await fixture.call('POST', '/v1/publications', { voucher: codes[0], customer: { source_id: 'ada' } });
    const counted = { vouchers_deleted: 1, amount_deleted: 600, publications_succeeded: 1 };
    await untilSummed(id, counted);
    const before = await rows();
    await fixture.database.query('UPDATE campaign_summaries SET vouchers_created = 7');
    expect(await fixture.running.consumers.rebuild('campaigns.summaries')).not.toHaveProperty('refused');
    expect(await rows()).toEqual(before);
  });

  it('has the sums of days in the time zone of the project, both inclusive', async () => {
    const { id } = await ask('POST', '/v1/campaigns', coupons(newId('days_')));
    const at = (instant: string) => ({
      project_id: project.id,
      campaign_id: id,
      at: instant,
      sums: { redemptions_succeeded: 1 },
    });
    // Europe/Warsaw: the clocks go forward on 29 March, which is 23 hours long.
    const instants = [
      '2026-03-28T22:59:59.999Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T21:59:59.999Z',
      '2026-03-29T22:00:00.000Z',
    ];
    await addToSummaries(fixture.database.manager, instants.map(at));
    const summed = async (query: string) => (await summaryOf(id, query)).redemptions_succeeded;
    expect(await summed('?start_date=2026-03-29&end_date=2026-03-29')).toBe(2);
    expect(await summed('?end_date=2026-03-28')).toBe(1);
    expect(await summed('?start_date=2026-03-29')).toBe(3);
    expect(await summed('?start_date=2026-03-28&end_date=2026-03-30')).toBe(4);
    expect(await summed('?start_date=2026-03-31')).toBe(0);
  });

  it('refuses days that are none or in the wrong order, and campaigns that are not there', async () => {
    const { id } = await ask('POST', '/v1/campaigns', coupons(newId('c_')));
    expect((await summaryOf(id, '?start_date=31.3.2026')).details).toMatch(/^Property \.start_date /);
    expect(await summaryOf(id, '?start_date=2026-03-02&end_date=2026-03-01')).toMatchObject({
      key: 'invalid_query_params',
      details: 'Property .start_date must not be after .end_date',
    });
    expect(await summaryOf('camp_none')).toMatchObject({ key: 'not_found', resource_type: 'campaign' });
  });

  it('reads the quarters of its own days alone, by their key', async () => {
    const campaign_id = newId('camp_');
    const quarters = Array.from({ length: 3_000 }, (_, n) => ({
      project_id: project.id,
      campaign_id,
      at: new Date(Date.UTC(2026, 0, 1) + n * 900_000).toISOString(),
      sums: { redemptions_succeeded: 1 },
    }));
    await addToSummaries(fixture.database.manager, quarters);
    await fixture.database.query('ANALYZE campaign_summaries');
    const values = [project.id, campaign_id, '2026-01-10', '2026-01-10', project.timezone];
    const [summed] = await fixture.database.query(summedSql, values);
    expect(Number(summed.redemptions_succeeded)).toBe(96);
    const read = await touchedRows(fixture.database, { text: summedSql, values }, 'campaign_summaries');
    expect(read).toEqual({ scans: ['campaign_summaries_pkey'], rows: 96 });
  });
});
