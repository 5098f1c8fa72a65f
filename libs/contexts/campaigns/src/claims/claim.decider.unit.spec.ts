import type { VoucherEvent } from '@scrip/contracts/campaigns';
import { isRefused } from '@scrip/kernel';
import { campaignSnapshot } from '../campaign/campaign.fixture';
import { voucherTemplateOf } from '../voucher/voucher-template';
import { type VoucherState, voucherOf } from '../voucher/voucher.decider';
import { voucherClaimRules } from './claim.decider';

const campaign = campaignSnapshot();
/** A voucher of which `redeemed` of 5 uses are taken. */
const voucher = (redeemed: number, quantity: number | null = 5): VoucherState => ({
  voucher: {
    ...voucherOf(voucherTemplateOf(campaign), {
      id: 'v_1',
      code: 'CODE',
      created_at: '2026-02-01T10:00:00.000Z',
    }),
    redemption: { quantity, redeemed_quantity: redeemed },
  },
  code_key: 'CODE',
  campaign,
});
const now = '2026-03-10T10:00:00.000Z';
const dependencies = { timezone: 'UTC' };
const ids = { redemption_id: 'r_1', claim_id: 'cl_1' };
const claim = { ...ids, asks: { uses: 1 as const } };
const { take, giveBack } = voucherClaimRules(new Date(now), 'vtx_1');

describe('claiming a use', () => {
  it('takes one now, and keeps how the voucher stands after it', () => {
    const consumed: VoucherEvent = {
      type: 'VoucherQuantityConsumed',
      data: { ...ids, redeemed_quantity: 5, consumed_at: now },
    };
    expect(take(voucher(4), claim, dependencies)).toEqual({
      events: [consumed],
      kept: { redeemed_quantity: 5, updated_at: now },
    });
  });

  test.each([
    ['the last use is taken', voucher(5), 'quantity_exceeded'],
    [
      'the campaign is switched off',
      { ...voucher(0), campaign: { ...campaign, active: false } },
      'voucher_disabled',
    ],
  ])('refuses when %s', (_, state, refused) => {
    expect(take(state, claim, dependencies)).toMatchObject({ refused, details: 'CODE' });
  });

  it('refuses before the campaign has begun', () => {
    const early = voucherClaimRules(new Date('2026-02-28T10:00:00Z'), 'vtx_1');
    expect(early.take(voucher(5), claim, dependencies)).toMatchObject({
      refused: 'voucher_not_active',
      details: 'CODE',
    });
  });

  it('never runs out of unlimited uses', () => {
    expect(isRefused(take(voucher(1_000_000, null), claim, dependencies))).toBe(false);
  });

  describe('of a referral code', () => {
    const { voucher: plain } = voucher(4);
    const friend = (redeemed = 4): VoucherState => ({
      ...voucher(redeemed),
      voucher: {
        ...plain,
        redemption: { quantity: 5, redeemed_quantity: redeemed },
        is_referral_code: true,
        referrer_id: 'cust_ref',
        publish: { count: 1 },
      },
    });
    const by = (customer_id: string | null) => ({ ...ids, asks: { uses: 1 as const, customer_id } });

    it('is granted to other customers than its referrer', () => {
      expect(isRefused(take(friend(), by('cust_friend'), dependencies))).toBe(false);
    });

    test.each([
      ['its referrer', by('cust_ref'), friend(), 'referrer_not_permitted_to_redeem'],
      ['no customer', by(null), friend(), 'missing_customer'],
      ['a claim that does not say whose it is', claim, friend(), 'missing_customer'],
      ['its referrer, once the uses are taken', by('cust_ref'), friend(5), 'quantity_exceeded'],
    ])('is refused to %s', (_, asked, state, refused) => {
      expect(take(state, asked, dependencies)).toMatchObject({ refused });
    });
  });

  it('serves no other ask', () => {
    expect(() => take(voucher(0), { ...ids, asks: { credits: 100 } }, dependencies)).toThrow(
      'asks for no use',
    );
  });
});

test.each(['ABANDONED', 'ROLLED_BACK'] as const)('gives one use back (%s)', (cause) => {
  const restored: VoucherEvent = {
    type: 'VoucherQuantityRestored',
    data: { ...ids, redeemed_quantity: 1, cause, restored_at: now },
  };
  expect(giveBack(voucher(2), { ...ids, kept: { redeemed_quantity: 1 } }, cause)).toEqual({
    events: [restored],
  });
});
