import { newId } from '@scrip/kernel';
import { promotionCampaign } from '../campaign/promotion-campaign.fixture';
import { bootPromotions, caller, type PromotionsFixture } from '../promotions.fixture';
import { tierWith } from './tier.fixture';
import { TierHandlers } from './tier.handlers';

let promotions: PromotionsFixture;

beforeAll(async () => {
  promotions = await bootPromotions();
});
afterAll(() => promotions?.running.close());

const newCampaign = (tiers = 0) => {
  const id = newId('camp_');
  const first = Array.from({ length: tiers }, (_, index) =>
    tierWith({ id: newId('promo_'), campaign_id: id, hierarchy: index + 1 }),
  );
  promotions.owner.add(promotionCampaign(id), first);
  return id;
};
const path = (campaignId: string) => `/v1/promotions/${campaignId}/tiers`;
const create = (campaignId: string, fields: object = {}) =>
  promotions.call('POST', path(campaignId), { name: 'One', ...fields });
const placesOf = async (campaignId: string): Promise<number[]> => {
  const { body } = await promotions.call('GET', path(campaignId));
  return (body.tiers as { hierarchy: number }[]).map(({ hierarchy }) => hierarchy);
};
const places = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('tiers of one campaign', () => {
  it('have a place each when fifty are created at once', async () => {
    const campaignId = newCampaign();
    const answers = await Promise.all(places(50).map(() => create(campaignId)));
    expect(answers.map(({ status }) => status)).toEqual(places(50).map(() => 200));
    const answered = answers.map(({ body }) => body.hierarchy as number);
    expect(answered.sort((a, b) => a - b)).toEqual(places(50));
    expect(await placesOf(campaignId)).toEqual(places(50));
  });

  it('have a place each when fifty take the first one', async () => {
    const campaignId = newCampaign();
    const answers = await Promise.all(places(50).map(() => create(campaignId, { hierarchy: 1 })));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(await placesOf(campaignId)).toEqual(places(50));
  });

  it('keep their places apart while they are moved, switched, deleted and created', async () => {
    const campaignId = newCampaign(20);
    const { body } = await promotions.call('GET', path(campaignId));
    const ids = (body.tiers as { id: string }[]).map(({ id }) => `/v1/promotions/tiers/${id}`);
    const answers = await Promise.all([
      ...ids.slice(0, 10).map((tier) => promotions.call('PUT', tier, { hierarchy: 5 })),
      ...ids.slice(5, 15).map((tier) => promotions.call('POST', `${tier}/disable`)),
      ...ids.slice(15).map((tier) => promotions.call('DELETE', tier)),
      ...places(10).map(() => create(campaignId, { hierarchy: 5 })),
    ]);
    expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
    const after = await placesOf(campaignId);
    expect(after).toHaveLength(25);
    expect(new Set(after).size).toBe(25);
    const { body: disabled } = await promotions.call('GET', path(campaignId));
    expect((disabled.tiers as { active: boolean }[]).filter(({ active }) => !active)).toHaveLength(10);
  });

  it('are created once when their campaign is heard of fifty times at once', async () => {
    const campaignId = newCampaign(3);
    const heard = promotions.owner.campaigns.get(campaignId)!;
    const answers = await Promise.all(places(50).map(() => promotions.port.storeCampaign(caller(), heard)));
    expect(answers.filter(({ stored }) => stored)).toHaveLength(1);
    expect(await placesOf(campaignId)).toEqual([1, 2, 3]);
  });

  it('are 300 at most, also when the last place is taken by many', async () => {
    const campaignId = newCampaign(298);
    const answers = await Promise.all(places(5).map(() => create(campaignId)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 400, 400, 400]);
    expect(answers.find(({ status }) => status === 400)?.body).toMatchObject({
      key: 'invalid_campaign',
      message: 'Invalid Campaign',
      details: 'A campaign holds at most 300 promotion tiers.',
    });
  });

  it('fold to their rows', async () => {
    expect(await promotions.events.verifyState()).toEqual([]);
  });

  it('are created once under one id', async () => {
    const campaignId = newCampaign();
    await promotions.call('GET', path(campaignId));
    const handlers = promotions.running.app.get(TierHandlers, { strict: false });
    const { id: _id, campaign_id: _campaign, hierarchy: _place, ...fields } = tierWith();
    const wanted = {
      id: newId('promo_'),
      campaign_id: campaignId,
      fields,
      category: null,
      hierarchy: null,
      ruled: false,
    };
    const answers = await Promise.all(places(5).map(() => handlers.create(caller(), wanted)));
    expect(answers).toEqual(places(5).map(() => answers[0]));
    expect(await placesOf(campaignId)).toEqual([1]);
  });
});
