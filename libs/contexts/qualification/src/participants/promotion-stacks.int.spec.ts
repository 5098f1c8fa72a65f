import type { QualificationFixture } from '../qualification.fixture';
import { amounts, callsOn, ends, stack, startWithTiers } from './tiers.fixture';

let fixture: QualificationFixture;
const { redeem, succeeded, validate, withSettings } = callsOn(() => fixture);

beforeAll(async () => {
  fixture = await startWithTiers('promotion_stacks');
});

afterEach(async () => {
  jest.restoreAllMocks();
  expect(await fixture.events.verifyState()).toEqual([]);
});

afterAll(() => fixture.stop());

describe('a stack', () => {
  it('is redeemed as its tiers, in its order', async () => {
    expect(amounts(await validate([stack('stack_1')]))).toEqual([
      ['promo_ten', 1_000, 9_000],
      ['promo_five', 500, 8_500],
    ]);
    const { redemptions, parent_redemption, order } = await redeem([stack('stack_1')]);
    expect(redemptions).toMatchObject([
      {
        redemption: parent_redemption.id,
        promotion_tier: { id: 'promo_ten' },
        order: { total_amount: 9_000 },
      },
      {
        redemption: parent_redemption.id,
        promotion_tier: { id: 'promo_five' },
        order: { total_amount: 8_500 },
      },
    ]);
    expect(parent_redemption).toMatchObject({ related_object_type: 'redemption', redemption: null });
    expect(order).toMatchObject({
      total_amount: 8_500,
      redemptions: { [parent_redemption.id]: { stacked: redemptions.map(({ id }: any) => id) } },
    });
    const told = await succeeded(parent_redemption.id);
    expect(told.redemption).toMatchObject({ promotion_stack: { id: 'stack_1' } });
    expect(told.redemption).not.toHaveProperty('promotion_tier');
    expect(told.counts.redeemables.map(({ object_id }: any) => object_id)).toEqual([
      'promo_ten',
      'promo_five',
    ]);
  });

  it('keeps its order where a tier is exclusive, and lets those before it apply', async () => {
    withSettings({ exclusive_categories: ['cat_exclusive'] });
    const { redeemables, skipped_redeemables } = await validate([stack('stack_mixed')]);
    expect(ends(redeemables)).toEqual([
      ['promo_five', 'APPLICABLE'],
      ['promo_alone', 'APPLICABLE'],
    ]);
    expect(ends(skipped_redeemables)).toEqual([['promo_ten', 'SKIPPED', 'exclusion_rules_not_met']]);
  });

  it('gives its tiers its own category', async () => {
    withSettings({ exclusive_categories: ['cat_exclusive'] });
    const { redeemables } = await validate([stack('stack_named')], {
      options: { expand: ['category', 'order'] },
    });
    expect(redeemables.map(({ categories }: any) => categories[0].id)).toEqual([
      'cat_of_stack',
      'cat_of_stack',
    ]);
  });

  it('counts against the limits of applicable redeemables', async () => {
    withSettings({ applicable_redeemables_limit: 1 });
    const { redeemables, skipped_redeemables } = await validate([stack('stack_1')]);
    expect([ends(redeemables), ends(skipped_redeemables)]).toEqual([
      [['promo_ten', 'APPLICABLE']],
      [['promo_five', 'SKIPPED', 'applicable_redeemables_limit_exceeded']],
    ]);
  });

  it('with a tier that does not apply is refused, or redeemed as a single where the project redeems partially', async () => {
    expect(await redeem([stack('stack_broken')])).toMatchObject({
      refused: 'promotion_inactive',
      redeemable_id: 'promo_off',
    });
    withSettings({ redeemables_application_mode: 'PARTIAL' });
    const answer = await redeem([stack('stack_broken')]);
    expect(answer).toMatchObject({
      redemptions: [{ redemption: null, promotion_tier: { id: 'promo_ten' } }],
      inapplicable_redeemables: [{ id: 'promo_off' }],
    });
    expect(answer).not.toHaveProperty('parent_redemption');
  });

  it('is not found by the id of a tier, nor where it is unknown', async () => {
    for (const id of ['stack_0', 'promo_ten']) {
      const error = { code: 404, key: 'not_found', details: `Cannot find promotion_stack with id ${id}` };
      expect((await validate([stack(id)])).inapplicable_redeemables).toMatchObject([
        { id, result: { error: { ...error, resource_id: id, resource_type: 'promotion_stack' } } },
      ]);
    }
  });
});
