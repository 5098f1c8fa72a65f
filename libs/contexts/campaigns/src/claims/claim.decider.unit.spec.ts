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
});
const now = '2026-03-10T10:00:00.000Z';
const dependencies = { campaign, timezone: 'UTC' };
const ids = { redemption_id: 'r_1', claim_id: 'cl_1' };
const claim = { ...ids, asks: { uses: 1 as const } };
const { take, giveBack } = voucherClaimRules(new Date(now));

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
    ['the last use is taken', voucher(5), dependencies, 'quantity_exceeded'],
    [
      'the campaign is switched off',
      voucher(0),
      { ...dependencies, campaign: { ...campaign, active: false } },
      'voucher_disabled',
    ],
  ])('refuses when %s', (_, state, around, refused) => {
    expect(take(state, claim, around)).toMatchObject({ refused, details: 'CODE' });
  });

  it('refuses before the campaign has begun', () => {
    const early = voucherClaimRules(new Date('2026-02-28T10:00:00Z'));
    expect(early.take(voucher(5), claim, dependencies)).toMatchObject({
      refused: 'voucher_not_active',
      details: 'CODE',
    });
  });

  it('never runs out of unlimited uses', () => {
    expect(isRefused(take(voucher(1_000_000, null), claim, dependencies))).toBe(false);
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
  expect(giveBack(voucher(2), { ...ids, kept: { redeemed_quantity: 1 } }, cause)).toEqual([restored]);
});
