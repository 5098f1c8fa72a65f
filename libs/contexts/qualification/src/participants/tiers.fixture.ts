import { defaultStackingSettings } from '@scrip/order-calculation';
import { ProjectSettings } from '../evaluation/project-settings';
import { type QualificationFixture, startQualification } from '../qualification.fixture';
import { amount, call, percent, promotionOf, redeemable, stackOf, tierOf } from '../redeemables.fixture';
import { RedeemHandlers } from '../redemption/redeem.handlers';
import type { RedeemablesRequest } from '../request/redeemables-request';
import { SettlementPusher } from '../settlement/settlement';
import { ValidateHandlers } from '../validation/validate.handlers';

/** The campaign of the tiers. */
export const campaign = promotionOf();

export const category = (id: string, hierarchy = 1) => ({
  ...{ id, name: id, hierarchy, object: 'category' as const, created_at: '2026-01-01T00:00:00.000Z' },
});

const ten = tierOf('promo_ten', { discount: percent(10), metadata: { note: 'quiet' }, banner: 'Ten off' });
const five = tierOf('promo_five', { discount: amount(500) });
const off = tierOf('promo_off', { active: false });
const weekly = tierOf('promo_weekly', { validity_day_of_week: [2] }); // it is a Monday
const alone = tierOf('promo_alone', { categories: [category('cat_exclusive')] });

/** Starts qualification beside an owner of some tiers and stacks, and a voucher `OFF`. */
export const startWithTiers = async (name: string): Promise<QualificationFixture> => {
  const fixture = await startQualification(name);
  fixture.campaigns.add(redeemable('OFF', { discount: amount(100) }));
  for (const promotion_tier of [ten, five, off, weekly, alone])
    fixture.promotions.add({ promotion_tier, campaign });
  fixture.promotions.add(
    stackOf('stack_1', [ten, five]),
    stackOf('stack_mixed', [five, alone, ten]),
    stackOf('stack_named', [alone, five], { categories: [category('cat_of_stack')] }),
    stackOf('stack_broken', [ten, off]),
  );
  return fixture;
};

export const tier = (id: string) => ({ object: 'promotion_tier' as const, id });
export const stack = (id: string) => ({ object: 'promotion_stack' as const, id });
export const voucher = (id: string) => ({ object: 'voucher' as const, id });

/** A request for redeemables on an order of 100.00. */
export const request = (
  redeemables: RedeemablesRequest['redeemables'],
  more: Partial<RedeemablesRequest> = {},
): RedeemablesRequest => ({ redeemables, order: { amount: 10_000 }, ...more });

/** Calls of the fixture that a spec starts later. */
export const callsOn = (fixture: () => QualificationFixture) => ({
  /** The project's stacking rules, until mocks are restored. */
  withSettings: (settings: Partial<typeof defaultStackingSettings>) =>
    jest
      .spyOn(fixture().get(ProjectSettings), 'stackingOf')
      .mockResolvedValue({ ...defaultStackingSettings, ...settings }),
  validate: async (...of: Parameters<typeof request>): Promise<any> =>
    fixture()
      .get(ValidateHandlers)
      .validate(call(), request(...of)),
  redeem: async (...of: Parameters<typeof request>): Promise<any> => {
    const answer = await fixture()
      .get(RedeemHandlers)
      .redeem(call(), request(...of));
    await fixture().get(SettlementPusher).drained();
    return answer;
  },
  /** What the first event of a redemption says. */
  succeeded: async (id: string): Promise<any> =>
    (await fixture().events.readStream('redemption', 'proj_1', id))[0]!.data,
});

/** Of each redeemable that was validated: its id, the discount, and the order's total after it. */
export const amounts = ({ redeemables }: { redeemables: any[] }) =>
  redeemables.map(({ id, order }) => [id, order.total_applied_discount_amount, order.total_amount]);

/** Of each entry of a validation: its id, its status, and the key of the reason. */
export const ends = (entries: any[]) =>
  entries.map(({ id, status, result }) => [id, status, result?.details?.key].filter((one) => one));
