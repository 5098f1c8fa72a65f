import type { DocumentedCaller } from './documented-caller.fixture';

/** A generic campaign whose only code is a gift card. */
const campaign = {
  name: 'Gift card',
  campaign_type: 'GIFT_VOUCHERS',
  type: 'STANDALONE',
  voucher: { type: 'GIFT_VOUCHER', code: 'GIFT-CARD', gift: { amount: 10_000 } },
};

/** A gift card, and what was added to it and taken away. */
export const askGiftCards = async ({ send }: DocumentedCaller): Promise<void> => {
  const { answer: created } = await send('POST', '/v1/campaigns', { body: campaign });
  const parameters = { code: 'GIFT-CARD' };
  const balance = '/v1/vouchers/{code}/balance';
  await send('POST', balance, {
    parameters,
    body: { amount: 2_500, source_id: 'refill-1', reason: 'Birthday' },
  });
  await send('POST', balance, { parameters, body: { amount: -4_000 } });
  await send('GET', '/v1/vouchers/{code}/transactions', { parameters, query: '?limit=1&order=id' });
  const ofCampaign = { campaignId: created.id as string };
  await send('GET', '/v1/campaigns/{campaignId}/transactions', { parameters: ofCampaign });
  await send('POST', '/v1/vouchers/{code}/transactions/export', { parameters, body: {} });
  const ofAddition = { filters: { voucher_id: { conditions: { $starts_with: ['v_'] } } } };
  await send('POST', '/v1/campaigns/{campaignId}/transactions/export', {
    parameters: ofCampaign,
    body: { parameters: ofAddition },
  });
};
