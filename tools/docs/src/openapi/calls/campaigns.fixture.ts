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
export const askCampaigns = async (caller: DocumentedCaller): Promise<void> => {
  const { send } = caller;
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
  await send('PUT', '/v1/campaigns/{campaignId}', {
    parameters: { campaignId },
    body: { expiration_date: '2099-01-01', metadata: { season: 'summer' } },
  });
  for (const turned of ['disable', 'enable'])
    await send('POST', `/v1/campaigns/{campaignId}/${turned}`, { parameters: { campaignId } });
  const single = '/v1/vouchers/{code}';
  const defined = { discount: { type: 'PERCENT', percent_off: 10 }, redemption: { quantity: 1 } };
  await send('POST', '/v1/vouchers', { body: { ...defined, code_config: { length: 6 } } });
  const parameters = { code: 'THREE' };
  await send('POST', single, { parameters, body: { ...defined, campaign_id: campaignId } });
  await send('PUT', single, { parameters, body: { additional_info: 'gate 4', category: null } });
  await send('POST', `${single}/disable`, { parameters });
  await send('POST', `${single}/enable`, { parameters });
  await send('GET', '/v1/vouchers/{code}', { parameters: { code: 'ONE' } });
  await send('GET', '/v1/vouchers', { query: `?ids[]=${added.id}&created_at[after]=2026-01-01` });
  const { answer: other } = await send('POST', '/v1/campaigns', { body: { ...campaign, name: 'Deleted' } });
  await send('DELETE', '/v1/campaigns/{campaignId}', {
    parameters: { campaignId: other.id as string },
  });
  await send('DELETE', '/v1/vouchers/{code}', {
    parameters: { code: added.code as string },
    query: '?force=true',
  });
  await waitUntil(
    async () => ((await send('GET', '/v1/async-actions')).answer.async_actions as Json[]).length >= 2,
    { what: 'the tasks' },
  );
  const { answer: tasks } = await send('GET', '/v1/async-actions', { query: '?limit=1' });
  await send('GET', '/v1/async-actions/{asyncActionId}', {
    parameters: { asyncActionId: (tasks.async_actions as Json[])[0]!.id as string },
  });
  await send('GET', '/v1/campaigns/{campaignId}/summary', {
    parameters: { campaignId },
    query: '?start_date=2026-01-01&end_date=2026-12-31',
  });
  await askImports(caller, campaignId);
  await askPublications(caller, campaignId);
  await askReferrals(caller);
  await askCategories(caller);
};

/** Codes that come from elsewhere, and metadata of many. */
const askImports = async ({ send }: DocumentedCaller, campaignId: string): Promise<void> => {
  const parameters = { campaignId };
  await send('POST', '/v1/campaigns/{campaignId}/import', { parameters, body: [{ code: 'FROM-SHOP' }] });
  await send('POST', '/v1/campaigns/{campaignId}/importCSV', {
    parameters,
    body: { file: 'Code,Active\nFROM-FILE,TRUE\n' },
  });
  const discount = { type: 'PERCENT', percent_off: 10 };
  await send('POST', '/v1/vouchers/import', { body: [{ code: 'LONE-SHOP', discount }] });
  await send('POST', '/v1/vouchers/importCSV', {
    body: { file: 'Code,Voucher Type,Value,Discount Type\nLONE-FILE,DISCOUNT_VOUCHER,10,PERCENT\n' },
  });
  await send('POST', '/v1/vouchers/bulk/async', { body: [{ code: 'ONE', metadata: { of: 'many' } }] });
  await send('POST', '/v1/vouchers/metadata/async', { body: { codes: ['ONE'], metadata: { of: 'all' } } });
};

/** A code that is handed to a customer. */
const askPublications = async ({ send }: DocumentedCaller, campaignId: string): Promise<void> => {
  const { answer } = await send('POST', '/v1/publications', {
    body: {
      campaign: { name: campaignId, count: 1 },
      customer: { source_id: 'holder' },
      source_id: 'handed',
    },
  });
  const { code } = answer.voucher as { code: string };
  for (const query of ['?campaign=One', '?campaign=One&customer=holder'])
    await send('GET', '/v1/publications/create', { query });
  await send('GET', '/v1/customers/{customerId}/redeemables', {
    parameters: { customerId: 'holder' },
    query: '?limit=1',
  });
  await send('GET', '/client/v1/vouchers', { query: '?customer=holder' });
  await send('PUT', '/client/v1/vouchers/{code}', { parameters: { code }, body: { expiration_date: null } });
  await send('POST', '/client/v1/publish', { body: { campaign: 'One', customer: 'holder' } });
  await send('GET', '/v1/publications', { query: '?limit=5&result=SUCCESS' });
  await send('GET', '/v1/vouchers/{code}/publications', { parameters: { code } });
};

/** A referral code with a referrer and a referee, by both of its names. */
const askReferrals = async ({ send }: DocumentedCaller): Promise<void> => {
  const { answer: program } = await send('POST', '/v1/campaigns', {
    body: {
      name: 'Friends',
      campaign_type: 'REFERRAL_PROGRAM',
      voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
    },
  });
  const campaignId = program.id as string;
  const memberId = 'FRIEND';
  await send('POST', '/v1/campaigns/{campaignId}/vouchers/{code}', {
    parameters: { campaignId, code: memberId },
    body: {},
  });
  await send('POST', '/v1/publications', {
    body: { voucher: memberId, customer: { source_id: 'referrer' } },
  });
  for (const [path, parameters] of [
    ['/v1/referrals/members/{memberId}/holders', { memberId }],
    ['/v1/referrals/{campaignId}/members/{memberId}/holders', { campaignId, memberId }],
  ] as const) {
    const { answer } = await send('POST', path, {
      parameters,
      body: { holders: [{ source_id: 'bea', name: 'Bea' }], metadata: { party: 'spring' } },
    });
    const [{ id: holderId } = { id: '' }] = answer.holders as { id: string }[];
    await send('GET', path, { parameters, query: '?limit=1&order=id' });
    await send('DELETE', `${path}/{holderId}`, { parameters: { ...parameters, holderId } });
  }
};

/** A category that is made, changed and deleted, and what is refused. */
const askCategories = async ({ send }: DocumentedCaller): Promise<void> => {
  const body = { name: 'Seasonal', hierarchy: 2 };
  const { answer: made } = await send('POST', '/v1/categories', { body });
  await send('POST', '/v1/categories', { body });
  await send('GET', '/v1/categories');
  const one = { parameters: { categoryId: made.id as string } };
  await send('PUT', '/v1/categories/{categoryId}', { ...one, body: { ...body, hierarchy: 1 } });
  await send('GET', '/v1/categories/{categoryId}', one);
  await send('DELETE', '/v1/categories/{categoryId}', {
    ...one,
    query: '?remove_from_stacking_rules=true',
  });
  await send('GET', '/v1/categories/{categoryId}', one);
};
