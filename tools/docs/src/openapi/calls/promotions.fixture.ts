import { order } from './orders.fixture';
import type { DocumentedCaller, Json } from './documented-caller.fixture';

const action = { discount: { type: 'PERCENT', percent_off: 10 } };

/** A promotion campaign with tiers, one of which is changed, switched and deleted. */
export const askPromotions = async ({ send }: DocumentedCaller): Promise<void> => {
  const { answer: campaign } = await send('POST', '/v1/campaigns', {
    body: { name: 'All week', promotion: { tiers: [{ name: 'First', action }] } },
  });
  const campaignId = campaign.id as string;
  const ofCampaign = { parameters: { campaignId } };
  await send('GET', '/v1/campaigns/{campaignId}', ofCampaign);
  const { answer: tier } = await send('POST', '/v1/promotions/{campaignId}/tiers', {
    ...ofCampaign,
    body: {
      name: 'Second',
      banner: 'Look',
      action,
      hierarchy: 1,
      start_date: '2026-01-01',
      // It is redeemed below, on whatever day the spec runs.
      validity_day_of_week: [0, 1, 2, 3, 4, 5, 6],
      category: 'All week',
      metadata: { season: 'spring' },
    },
  });
  await send('GET', '/v1/promotions/{campaignId}/tiers', ofCampaign);
  await send('GET', '/v1/promotions/tiers', { query: '?is_available=true&limit=5&order=-updated_at' });
  const one = { parameters: { promotionTierId: tier.id as string } };
  const path = '/v1/promotions/tiers/{promotionTierId}';
  await send('GET', path, one);
  await send('PUT', path, { ...one, body: { banner: null, hierarchy: 2 } satisfies Json });
  await send('POST', `${path}/disable`, one);
  await send('POST', `${path}/enable`, one);
  await askTiersAlone(send, one);
  await askStacks(send, campaignId, tier.id as string);
  await askTemplates({ send }, campaignId, tier.id as string);
  await send('DELETE', path, one);
};

/** Validates and redeems a tier by itself, and lists those that apply. */
const askTiersAlone = async (
  send: DocumentedCaller['send'],
  one: { parameters: { promotionTierId: string } },
): Promise<void> => {
  const path = '/v1/promotions/tiers/{promotionTierId}';
  const body = { order, customer: { source_id: 'ada' }, metadata: { till: 3 } };
  const options = { expand: ['category'] };
  const nobody = { parameters: { promotionTierId: 'promo_none' } };
  await send('POST', `${path}/validation`, { ...one, body: { ...body, options } });
  await send('POST', `${path}/validation`, { ...nobody, body: {} });
  await send('POST', `${path}/redemption`, { ...one, body, query: '?tracking_id=somebody' });
  await send('POST', `${path}/redemption`, { ...nobody, body: {} });
  await send('POST', '/v1/promotions/validation', {
    body: { ...body, options, tracking_id: 'somebody' },
    query: '?audienceRulesOnly=true&filters[metadata.season][conditions][$is]=spring',
  });
  await send('POST', '/v1/promotions/validation', {
    body: {},
    query: '?filters[promotion_id][conditions][$is]=camp_none',
  });
};

const askStacks = async (send: DocumentedCaller['send'], campaignId: string, tier: string): Promise<void> => {
  const ofCampaign = { parameters: { campaignId } };
  const { answer: stack } = await send('POST', '/v1/promotions/{campaignId}/stacks', {
    ...ofCampaign,
    body: { name: 'Breakfast', tiers: { ids: [tier], hierarchy_mode: 'MANUAL' }, category: 'All week' },
  });
  const query = '?limit=5&page=1&order=name&created_at[after]=2020-01-01&updated_at[before]=2099-01-01';
  await send('GET', '/v1/promotions/stacks', { query });
  await send('GET', '/v1/promotions/{campaignId}/stacks', {
    ...ofCampaign,
    query: '?limit=5&order=-updated_at',
  });
  const one = { parameters: { campaignId, stackId: stack.id as string } };
  const path = '/v1/promotions/{campaignId}/stacks/{stackId}';
  await send('GET', path, one);
  await send('PUT', path, { ...one, body: { name: 'Brunch', category: null } satisfies Json });
  await send('DELETE', path, one);
};

/** Templates of a tier and of a campaign, one of which is changed, used and deleted. */
const askTemplates = async (
  { send }: Pick<DocumentedCaller, 'send'>,
  campaignId: string,
  tierId: string,
): Promise<void> => {
  const path = '/v1/templates/campaigns';
  const body = { name: 'Of a tier', description: 'Ten percent', promotion_tier_id: tierId };
  const { answer: made } = await send('POST', path, { body });
  await send('POST', path, { body });
  await send('POST', path, { body: { name: 'Of a promotion', campaign_id: campaignId } });
  await send('GET', path, { query: '?include_total=true&limit=1&order=-id' });
  const one = { parameters: { campaignTemplateId: made.id as string } };
  const named = `${path}/{campaignTemplateId}`;
  await send('GET', named, { ...one, query: '?expand=json_template' });
  await send('PUT', named, { ...one, body: { name: 'Ten percent', description: null } });
  await send('POST', `${named}/campaign-setup`, {
    ...one,
    body: { name: 'Set up', vouchers_count: 1, voucher: { code_config: { pattern: 'SET-####' } } },
  });
  await send('POST', `${named}/tier-setup`, {
    ...one,
    body: { name: 'Set up', campaign_id: campaignId, active: false },
  });
  const managed = '/management/v1/projects/{projectId}/templates/campaigns';
  await send('GET', managed, { query: '?limit=1&include_total=true' });
  const { answer: project } = await send('GET', '/management/v1/projects/{projectId}');
  await send('POST', `${managed}/{campaignTemplateId}/copy`, {
    ...one,
    body: { name: 'Another', description: 'Ten percent', destination_project_id: project.id },
  });
  await send('DELETE', named, one);
};
