import { waitUntil } from '@scrip/testing';
import type { DocumentedCaller, Json } from './documented-caller.fixture';

/** The body of a new campaign. */
export const campaign = {
  name: 'Spring',
  campaign_type: 'DISCOUNT_COUPONS',
  vouchers_count: 3,
  start_date: '2026-01-01',
  validity_hours: { daily: [{ days_of_week: [0, 1, 2, 3, 4, 5, 6], start_time: '00:00' }] },
  voucher: {
    type: 'DISCOUNT_VOUCHER',
    discount: { type: 'AMOUNT', amount_off: 500 },
    redemption: { quantity: 2 },
    code_config: { length: 8, prefix: 'SPRING-' },
  },
  metadata: { season: 'spring' },
};

/** A campaign with its codes, ONE and TWO among them, and the tasks that made them. */
export const askCampaigns = async ({ send }: DocumentedCaller): Promise<void> => {
  const { answer: created } = await send('POST', '/v1/campaigns', { body: campaign });
  const campaignId = created.id as string;
  await waitUntil(
    async () =>
      (await send('GET', '/v1/campaigns/{campaignId}', { parameters: { campaignId } })).answer
        .vouchers_generation_status === 'DONE',
    { what: 'the codes' },
  );
  await send('GET', '/v1/campaigns', {
    query: '?limit=5&filters[active][$enabled]=true&order=-updated_at',
  });
  const codes = '/v1/campaigns/{campaignId}/vouchers';
  const { answer: added } = await send('POST', codes, { parameters: { campaignId }, body: {} });
  await send('POST', codes, { parameters: { campaignId }, query: '?vouchers_count=2', body: {} });
  for (const code of ['ONE', 'TWO']) {
    await send('POST', `${codes}/{code}`, {
      parameters: { campaignId, code },
      body: { metadata: { of: code } },
    });
  }
  await send('GET', '/v1/vouchers/{code}', { parameters: { code: 'ONE' } });
  await send('GET', '/v1/vouchers', { query: `?ids[]=${added.id}&created_at[after]=2026-01-01` });
  await waitUntil(
    async () => ((await send('GET', '/v1/async-actions')).answer.async_actions as Json[]).length >= 2,
    { what: 'the tasks' },
  );
  const { answer: tasks } = await send('GET', '/v1/async-actions', { query: '?limit=1' });
  await send('GET', '/v1/async-actions/{asyncActionId}', {
    parameters: { asyncActionId: (tasks.async_actions as Json[])[0]!.id as string },
  });
};
