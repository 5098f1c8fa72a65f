import type { RedemptionEvent } from '@scrip/contracts/qualification';
import { bootPromotions, caller, type PromotionsFixture } from '../promotions.fixture';
import { type AddedToTier, addedToTier, addToTiers, TierSummaries } from './tier-summary.table';

const event = (type: string, redemption: object) => ({ type, data: { redemption } }) as RedemptionEvent;
const ofTier = { related_object_type: 'promotion_tier', related_object_id: 'promo_1' };
const order = { amount: 1_000, total_amount: 900, total_applied_discount_amount: 100 };

describe('a redemption adds to the summary of its tier', () => {
  const none = { redemptions: 1, total_amount: 0, total_discount_amount: 0 };

  it.each<[string, string, object, object | null]>([
    [
      'its order as the tier left it',
      'RedemptionSucceeded',
      { ...ofTier, order },
      { redemptions: 1, total_amount: 900, total_discount_amount: 100 },
    ],
    ['itself where it has no order', 'RedemptionSucceeded', { ...ofTier, order: null }, none],
    ['itself where the tier took nothing', 'RedemptionSucceeded', { ...ofTier, order: {} }, none],
    ['nothing where it failed', 'RedemptionFailed', { ...ofTier, order: null }, null],
    ['nothing where it is undone', 'RedemptionRolledBack', ofTier, null],
    ['nothing of a voucher', 'RedemptionSucceeded', { related_object_type: 'voucher', order }, null],
    ['nothing of the parent', 'RedemptionSucceeded', { related_object_type: 'redemption', order }, null],
  ])('%s', (_, type, redemption, added) => {
    const own = addedToTier('proj_1', event(type, redemption));
    expect(own).toEqual(added && { project_id: 'proj_1', tier_id: 'promo_1', ...added });
  });
});

describe('summaries', () => {
  let promotions: PromotionsFixture;

  beforeAll(async () => {
    promotions = await bootPromotions();
  });
  afterAll(() => promotions?.running.close());

  it('add up per tier and project, several of a tier in one statement', async () => {
    const added = (tier_id: string, total_amount: number, project_id = 'proj_1'): AddedToTier => ({
      ...{ project_id, tier_id, redemptions: 1, total_amount, total_discount_amount: 10 },
    });
    const { manager } = promotions.database;
    await addToTiers(manager, [added('promo_1', 5), added('promo_2', 7), added('promo_1', 6)]);
    await addToTiers(manager, [added('promo_1', 9), added('promo_1', 99, 'proj_2')]);
    const summaries = promotions.running.app.get(TierSummaries, { strict: false });
    expect(Object.fromEntries(await summaries.of(caller(), ['promo_1', 'promo_2', 'promo_3']))).toEqual({
      promo_1: { redemptions: 3, total_amount: 20, total_discount_amount: 30 },
      promo_2: { redemptions: 1, total_amount: 7, total_discount_amount: 10 },
    });
  });
});
