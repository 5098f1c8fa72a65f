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
const { take, giveBack } = voucherClaimRules(new Date(now), 'vtx_1', 'proj_1');

describe('claiming a use', () => {
  it('takes one now, and keeps how the voucher stands after it', () => {
    const consumed: VoucherEvent = {
      type: 'VoucherQuantityConsumed',
      data: { ...ids, redeemed_quantity: 5, consumed_at: now },
    };
    expect(take(voucher(4), claim, dependencies)).toEqual({
      events: [consumed],
      kept: { redeemed_quantity: 5, updated_at: now },
      rows: [],
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
    const early = voucherClaimRules(new Date('2026-02-28T10:00:00Z'), 'vtx_1', 'proj_1');
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

  describe('of a voucher that sessions hold', () => {
    const later = '2026-03-17T10:00:00.000Z';
    const [own, others] = [{ uses: 1, credits: 0 }, 4];
    const held = (uses: number): VoucherState => ({
      ...voucher(0),
      holds: { uses, credits: 0, first_expiry: later },
    });
    const hold = {
      ...own,
      voucher_id: 'v_1',
      session_key: 'cart',
      generation: 'hold_1',
      expires_at: later,
      claim_id: null as string | null,
    };
    const asked = { ...ids, asks: { uses: 1 as const, hold: { session: 'cart' } } };
    const claimed = (from: string | null) => ({
      update: 'voucher_holds',
      key: { project_id: 'proj_1', voucher_id: 'v_1', session_key: 'cart' },
      expect: { generation: 'hold_1', claim_id: from },
      set: { claim_id: 'cl_1' },
    });

    it('leaves to others what they hold', () => {
      expect(take(held(others), claim, dependencies)).toMatchObject({ kept: { redeemed_quantity: 1 } });
      expect(take(held(others + 1), claim, dependencies)).toMatchObject({ refused: 'quantity_exceeded' });
    });

    it('uses up what its session holds', () => {
      expect(take(held(others + 1), asked, { ...dependencies, hold })).toEqual({
        events: [
          {
            type: 'VoucherHoldsEnded',
            data: {
              cause: 'REDEEMED',
              count: 1,
              holds: { uses: others, credits: 0, first_expiry: later },
              ended_at: now,
            },
          },
          { type: 'VoucherQuantityConsumed', data: { ...ids, redeemed_quantity: 1, consumed_at: now } },
        ],
        kept: { redeemed_quantity: 1, updated_at: now, hold: true },
        rows: [claimed(null)],
      });
    });

    it('takes over what a claim used up that it replaces, and nothing that another claim did', () => {
      const ofOther = { ...dependencies, hold: { ...hold, claim_id: 'cl_0' } };
      expect(take(held(others), { ...asked, replaces: ['cl_0'] } as never, ofOther)).toMatchObject({
        events: [{ type: 'VoucherQuantityConsumed' }],
        rows: [claimed('cl_0')],
      });
      expect(take(held(others + 1), asked, ofOther)).toMatchObject({ refused: 'quantity_exceeded' });
    });

    it('is one without session where that is over', () => {
      const over = { ...dependencies, hold: { ...hold, expires_at: now } };
      expect(take(held(others), asked, over)).toMatchObject({ rows: [] });
    });

    it('gives its session back what it used up, unless that is over or the redemption was rolled back', () => {
      const beside = { ...hold, claim_id: 'cl_1', expires_at: '2026-03-17T10:00:00+00:00' };
      const kept = { redeemed_quantity: 1, hold: true };
      const back = giveBack(voucher(1), { ...ids, kept, beside }, 'ABANDONED');
      expect(back.events).toMatchObject([
        { type: 'VoucherQuantityRestored' },
        { type: 'VoucherHeld', data: { cause: 'RESTORED', holds: { ...own, first_expiry: later } } },
      ]);
      expect(back.rows).toMatchObject([{ expect: { claim_id: 'cl_1' }, set: { claim_id: null } }]);
      const over = { ...beside, expires_at: now };
      for (const none of [
        giveBack(voucher(1), { ...ids, kept, beside: over }, 'ABANDONED'),
        giveBack(voucher(1), { ...ids, kept, beside }, 'ROLLED_BACK'),
        giveBack(voucher(1), { ...ids, kept, beside: null }, 'ABANDONED'),
      ])
        expect(none).toMatchObject({ events: [{ type: 'VoucherQuantityRestored' }], rows: [] });
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
    rows: [],
  });
});
