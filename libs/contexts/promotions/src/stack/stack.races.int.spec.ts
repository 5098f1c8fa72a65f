import { newId } from '@scrip/kernel';
import { promotionCampaign } from '../campaign/promotion-campaign.fixture';
import { bootPromotions, caller, type PromotionsFixture } from '../promotions.fixture';
import { tierWith } from '../tier/tier.fixture';
import { StackHandlers } from './stack.handlers';

interface Stack {
  id: string;
  tiers: { ids: string[] };
}

let promotions: PromotionsFixture;

beforeAll(async () => {
  promotions = await bootPromotions();
});
afterAll(() => promotions?.running.close());

/** A campaign with tiers, in the order of their places. */
const newCampaign = (tiers: number): { id: string; tiers: string[]; path: string } => {
  const id = newId('camp_');
  const first = Array.from({ length: tiers }, (_, index) =>
    tierWith({ id: newId('promo_'), campaign_id: id, hierarchy: index + 1 }),
  );
  promotions.owner.add(promotionCampaign(id), first);
  return { id, tiers: first.map((tier) => tier.id), path: `/v1/promotions/${id}/stacks` };
};
const times = (count: number) => Array.from({ length: count }, (_, index) => index);
const create = (path: string, ids: string[], name = 'One') =>
  promotions.call('POST', path, { name, tiers: { ids } });
const deleteTier = (id: string) => promotions.call('DELETE', `/v1/promotions/tiers/${id}`);
const stacksOf = async (path: string): Promise<Stack[]> =>
  (await promotions.call('GET', path)).body.data as Stack[];
const liveTiers = async (id: string): Promise<string[]> =>
  ((await promotions.call('GET', `/v1/promotions/${id}/tiers`)).body.tiers as { id: string }[]).map(
    (tier) => tier.id,
  );

describe('stacks of one campaign', () => {
  it('hold no deleted tier when fifty are created while their tiers are deleted', async () => {
    const { id, tiers, path } = newCampaign(6);
    await promotions.call('GET', path);
    const [kept, ...others] = tiers as [string, ...string[]];
    const answers = await Promise.all(
      times(50).flatMap((index) => [
        create(path, [others[index % 5]!, kept]),
        ...(index % 10 === 0 ? [deleteTier(others[index / 10]!)] : []),
      ]),
    );
    const created = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 404);
    expect(created.length + refused.length + others.length).toBe(answers.length);
    expect(refused.every(({ body }) => body.resource_type === 'promotion_tier')).toBe(true);
    expect(await liveTiers(id)).toEqual([kept]);
    const stacks = await stacksOf(path);
    expect(stacks.map(({ tiers: { ids } }) => ids)).toEqual(created.map(() => [kept]));
  });

  it('hold no deleted tier when they are changed while it is deleted', async () => {
    const { tiers, path } = newCampaign(3);
    const [kept, gone, last] = tiers as [string, string, string];
    const stacks = await Promise.all(times(25).map(() => create(path, [kept])));
    const answers = await Promise.all([
      ...stacks.map(({ body }) =>
        promotions.call('PUT', `${path}/${body.id as string}`, { tiers: { ids: [gone, last, kept] } }),
      ),
      deleteTier(gone),
    ]);
    expect(answers.every(({ status }) => [200, 204, 404].includes(status))).toBe(true);
    const held = (await stacksOf(path)).map(({ tiers: { ids } }) => ids.join());
    expect(held).toHaveLength(25);
    const changed = answers.slice(0, 25).filter(({ status }) => status === 200);
    expect(held.filter((ids) => ids === [last, kept].join())).toHaveLength(changed.length);
    expect(held.filter((ids) => ids === kept)).toHaveLength(25 - changed.length);
  });

  it('go with their last tier, whichever of the deletions is the last', async () => {
    const { tiers, path } = newCampaign(5);
    await Promise.all(times(10).map(() => create(path, tiers)));
    expect(await stacksOf(path)).toHaveLength(10);
    const answers = await Promise.all(tiers.map(deleteTier));
    expect(answers.map(({ status }) => status)).toEqual(tiers.map(() => 204));
    expect(await stacksOf(path)).toEqual([]);
  });

  it('are deleted once when fifty ask for it', async () => {
    const { tiers, path } = newCampaign(1);
    const { body } = await create(path, tiers);
    const answers = await Promise.all(
      times(50).map(() => promotions.call('DELETE', `${path}/${body.id as string}`)),
    );
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(49);
  });

  it('are created once under one id', async () => {
    const { id, tiers, path } = newCampaign(2);
    await promotions.call('GET', path);
    const handlers = promotions.running.app.get(StackHandlers, { strict: false });
    const wanted = { id: newId('stack_'), campaign_id: id, name: 'One', tier_ids: tiers, category: null };
    const answers = await Promise.all(times(5).map(() => handlers.create(caller(), wanted)));
    expect(answers).toEqual(times(5).map(() => answers[0]));
    expect(await stacksOf(path)).toMatchObject([{ id: wanted.id }]);
  });

  it('are 300 at most, also when the last place is taken by many', async () => {
    const { tiers, path } = newCampaign(1);
    for (const _ of times(6)) await Promise.all(times(49).map(() => create(path, tiers)));
    await Promise.all(times(4).map(() => create(path, tiers)));
    const answers = await Promise.all(times(5).map(() => create(path, tiers)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 400, 400, 400]);
    expect(answers.find(({ status }) => status === 400)?.body).toMatchObject({
      key: 'invalid_campaign',
      details: 'A campaign holds at most 300 promotion stacks.',
    });
    expect((await deleteTier(tiers[0]!)).status).toBe(204);
    expect(await stacksOf(path)).toEqual([]);
  });

  it('fold to their rows', async () => {
    expect(await promotions.events.verifyState()).toEqual([]);
  });
});
