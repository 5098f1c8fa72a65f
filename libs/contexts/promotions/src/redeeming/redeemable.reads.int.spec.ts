import { loadAll } from '@scrip/contracts/claims';
import type { RedeemablePromotion } from '@scrip/contracts/promotions';
import { isRefused, newId, type Refusal } from '@scrip/kernel';
import { promotionCampaign } from '../campaign/promotion-campaign.fixture';
import { bootPromotions, caller, type PromotionsFixture } from '../promotions.fixture';
import { tierWith } from '../tier/tier.fixture';

let promotions: PromotionsFixture;

beforeAll(async () => {
  promotions = await bootPromotions();
});
afterAll(() => promotions?.running.close());

/** A stored campaign with two tiers and a stack of them, the second one first. */
const newCampaign = async () => {
  const campaign = promotionCampaign(newId('camp_'));
  const tiers = [1, 2].map((hierarchy) =>
    tierWith({ id: newId('promo_'), campaign_id: campaign.id, hierarchy, name: `Tier ${hierarchy}` }),
  );
  promotions.owner.add(campaign, tiers);
  await promotions.port.storeCampaign(caller(), { campaign, version: 1, epoch: 1, tiers });
  const [first, second] = tiers.map(({ id }) => id) as [string, string];
  const { body } = await promotions.call('POST', `/v1/promotions/${campaign.id}/stacks`, {
    name: newId('Stack '),
    tiers: { ids: [second, first] },
  });
  return { campaign, first, second, stack: body.id as string };
};
const load = (...objects: string[]) => promotions.port.load(caller(), { objects });
const shown = (found: RedeemablePromotion | Refusal): unknown => {
  if (isRefused(found)) return found.details;
  return 'promotion_tier' in found
    ? found.promotion_tier.name
    : [found.promotion_stack.id, ...found.tiers.map(({ name }) => name)];
};

describe('what redeeming loads', () => {
  it('is tiers and stacks with their campaign, in the order asked, each once', async () => {
    const { campaign, first, second, stack } = await newCampaign();
    const found = await load(second, stack, first, second);
    expect(found.map(shown)).toEqual(['Tier 2', [stack, 'Tier 2', 'Tier 1'], 'Tier 1', 'Tier 2']);
    expect(found.map((one) => 'campaign' in one && one.campaign)).toEqual(Array(4).fill(campaign));
  });

  it('is not found where it is unknown, deleted, or of another project', async () => {
    const { first, second, stack } = await newCampaign();
    await promotions.call('DELETE', `/v1/promotions/tiers/${first}`);
    const found = await load('promo_0', first, 'stack_0', stack);
    expect(found.map(shown)).toEqual([
      'Cannot find promotion_tier with id promo_0',
      `Cannot find promotion_tier with id ${first}`,
      'Cannot find promotion_stack with id stack_0',
      [stack, 'Tier 2'],
    ]);
    const elsewhere = await promotions.port.load(caller('proj_2'), { objects: [second, stack] });
    expect(elsewhere.every(isRefused)).toBe(true);
  });

  it('is no more than fits one answer, and all of it where the rest is asked for', async () => {
    const metadata = { note: 'x'.repeat(60_000) };
    const campaign = promotionCampaign(newId('camp_'), { metadata });
    const tiers = Array.from({ length: 9 }, (_, index) =>
      tierWith({ id: newId('promo_'), campaign_id: campaign.id, hierarchy: index + 1, metadata }),
    );
    await promotions.port.storeCampaign(caller(), { campaign, version: 1, epoch: 1, tiers });
    const ids = tiers.map(({ id }) => id);
    const part = await load(...ids);
    expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThan(1_048_576);
    expect(part.length).toBeLessThan(ids.length);
    const all = await loadAll(promotions.port, caller(), ids);
    expect(all.map((one) => !isRefused(one) && 'promotion_tier' in one && one.promotion_tier.id)).toEqual(
      ids,
    );
  });

  it('follows its campaign as soon as its owner tells, by versions', async () => {
    const { campaign, first, stack } = await newCampaign();
    const change = (version: number, active: boolean, deleted_at: string | null = null) =>
      promotions.port.changeCampaign(caller(), {
        ...{ campaign: { ...campaign, active }, version, epoch: 1, deleted_at },
      });
    const active = async () =>
      (await load(first, stack)).map((one) => (isRefused(one) ? one.refused : one.campaign.active));
    await change(3, false);
    expect(await active()).toEqual([false, false]);
    await change(2, true);
    expect(await active()).toEqual([false, false]);
    await change(4, true, '2026-04-01T00:00:00.000Z');
    await change(4, true, '2026-04-01T00:00:00.000Z');
    expect(await active()).toEqual(['not_found', 'not_found']);
    const told = await promotions.events.readStream('tier', 'proj_1', first);
    expect(told.filter(({ type }) => type === 'PromotionTierDeleted')).toHaveLength(1);
  });

  it('has the categories as they are now, by one call for all', async () => {
    const { first, second, stack } = await newCampaign();
    const category = {
      id: 'cat_1',
      name: 'Renamed',
      hierarchy: 7,
      object: 'category' as const,
      created_at: '2026-03-31T10:00:00.000Z',
    };
    promotions.owner.chooseCategory = async () => ({ category: { ...category, name: 'Old', hierarchy: 1 } });
    await promotions.call('PUT', `/v1/promotions/tiers/${first}`, { category: 'Old' });
    const calls: string[][] = [];
    promotions.owner.loadCategories = async (_, { ids }) => {
      calls.push([...ids]);
      return { categories: [category] };
    };
    expect(await load(second)).toMatchObject([{ promotion_tier: { categories: [] } }]);
    expect(calls).toEqual([]);
    expect(await load(first, stack)).toMatchObject([
      { promotion_tier: { categories: [category] } },
      { tiers: [{ categories: [] }, { categories: [category] }], promotion_stack: { categories: [] } },
    ]);
    expect(calls).toEqual([['cat_1']]);
  });
});
