import type { GiftSnapshot } from '@scrip/contracts/campaigns';
import { campaignOf, redeemable } from '../redeemables.fixture';
import { voucherKind } from './voucher-kind';

const gift: GiftSnapshot = { amount: 100, subtracted_amount: 0, balance: 60, effect: 'APPLY_TO_ITEMS' };
const card = redeemable('GIFT', { type: 'GIFT_VOUCHER', discount: null, gift });
const giftOf = (credits: number | undefined, ownerDecides: boolean) =>
  voucherKind.calculable(card, { credits, ownerDecides }).incentive;

describe('a gift card', () => {
  it('pays with what it has, or with the credits that are named', () => {
    expect(giftOf(undefined, false)).toEqual({ gift: { balance: 60, effect: 'APPLY_TO_ITEMS' } });
    expect(giftOf(80, false)).toEqual({ gift: { balance: 60, credits: 80, effect: 'APPLY_TO_ITEMS' } });
  });

  it('is taken to have the credits that are named where the claim decides about them', () => {
    expect(giftOf(80, true)).toMatchObject({ gift: { balance: 80, credits: 80 } });
    expect(giftOf(50, true)).toMatchObject({ gift: { balance: 60, credits: 50 } });
    expect(giftOf(undefined, true)).toMatchObject({ gift: { balance: 60 } });
  });

  it('asks for a use, and for credits where it spends some', () => {
    const spentOn = { redemption_id: 'r_1', order: { id: 'ord_1', source_id: null } };
    const asksFor = (credits: number) =>
      voucherKind.asks(
        card,
        { gift: { balance: 60, credits } },
        { spentOn, customerId: 'cust_1', session: null },
      );
    expect(asksFor(40)).toEqual({
      object_id: 'v_gift',
      asks: { uses: 1, credits: 40, spent_on: spentOn },
    });
    expect(asksFor(0)).toEqual({ object_id: 'v_gift', asks: { uses: 1 } });
  });

  it('gives nothing as a loyalty card, whose points are not served', () => {
    const points = redeemable('CARD', { type: 'LOYALTY_CARD', discount: null });
    expect(voucherKind.calculable(points, { ownerDecides: false }).incentive).toBeNull();
  });
});

describe('a referral code', () => {
  const friend = redeemable('FRIEND', {
    is_referral_code: true,
    referrer_id: 'cust_ref',
    publish: { count: 1 },
    redemption: { quantity: 1, redeemed_quantity: 0 },
  });
  const refusalFor = (customerId: string | null, usesAreClaimed = false, one = friend) =>
    voucherKind.unusable(one, {
      now: new Date('2026-06-15T10:00:00Z'),
      timezone: 'UTC',
      usesAreClaimed,
      customerId,
    })?.refused;

  it('is for other customers than its referrer, and leaves that to the claim where there will be one', () => {
    expect([refusalFor('cust_friend'), refusalFor('cust_ref'), refusalFor(null)]).toEqual([
      undefined,
      'referrer_not_permitted_to_redeem',
      'missing_customer',
    ]);
    expect(refusalFor('cust_ref', true)).toBeUndefined();
  });

  it('tells that its uses are taken first', () => {
    const used = redeemable('FRIEND', {
      ...friend.voucher,
      redemption: { quantity: 1, redeemed_quantity: 1 },
    });
    expect(refusalFor('cust_ref', false, used)).toBe('quantity_exceeded');
  });

  it('asks for a use of the customer', () => {
    const use = { spentOn: { redemption_id: 'r_1', order: null }, customerId: null, session: null };
    expect(voucherKind.asks(friend, {}, use)).toEqual({
      object_id: 'v_friend',
      asks: { uses: 1, customer_id: null },
    });
  });
});

describe('a voucher', () => {
  const category = (id: string) => ({
    id,
    name: id,
    hierarchy: 1,
    object: 'category' as const,
    created_at: '2026-01-01T00:00:00.000Z',
  });
  const campaign = campaignOf({ categories: [category('cat_campaign')] });

  it.each([
    ['shows its own category and is sorted by it', [category('cat_own')], 'cat_own'],
    ['shows that of its campaign and is sorted by it, where it has none', [], 'cat_campaign'],
  ])('%s', (_, categories, expected) => {
    const found = redeemable('A', { categories }, campaign);
    expect(voucherKind.describe(found).categories).toMatchObject([{ id: expected }]);
    expect(voucherKind.calculable(found, { ownerDecides: false }).categories).toMatchObject([
      { id: expected },
    ]);
  });
});
