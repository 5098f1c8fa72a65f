import type { CampaignSnapshot, VoucherSnapshot } from '@scrip/contracts/campaigns';
import { campaignSnapshot } from '../campaign/campaign.fixture';
import { voucherTemplateOf } from '../voucher/voucher-template';
import { voucherOf } from '../voucher/voucher.decider';
import {
  type Convert,
  converts,
  evolveReferral,
  refer,
  type ReferralState,
  revoke,
} from './conversion.decider';

const at = '2026-03-10T10:00:00.000Z';
const later = '2026-03-10T10:00:00.001Z';
const program = campaignSnapshot({
  campaign_type: 'REFERRAL_PROGRAM',
  start_date: null,
  expiration_date: null,
  referral_program: { conversion_event_type: 'redemption' },
});
const code: VoucherSnapshot = {
  ...voucherOf(voucherTemplateOf(program), { id: 'v_1', code: 'FRIEND', created_at: at }),
  is_referral_code: true,
  referrer_id: 'cust_ref',
  publish: { count: 1 },
};
const redeeming = (
  voucher: Partial<VoucherSnapshot> = {},
  campaign: Partial<CampaignSnapshot> = {},
  more: Partial<Convert> = {},
): Convert => ({
  voucher: { ...code, ...voucher },
  campaign: { ...program, ...campaign },
  customer_id: 'cust_bea',
  cause: { type: 'redemption', id: 'r_1' },
  at,
  ...more,
});
const byEvent = { referral_program: { conversion_event_type: 'custom_event' as const } };
const event = { cause: { type: 'event' as const, id: 'event_1' } };
const P10D = { activity_duration_after_publishing: 'P10D' };

describe('what converts (reference 04 §11)', () => {
  test.each<[string, Convert, boolean]>([
    ['a redemption', redeeming(), true],
    ['a redemption where an event is to convert', redeeming({}, byEvent), false],
    ['an event where a redemption is to convert', redeeming({}, {}, event), false],
    ['the event where one is to convert', redeeming({}, byEvent, event), true],
    ['a code without a referrer', redeeming({ referrer_id: null }), false],
    ['a code that refers nobody', redeeming({ is_referral_code: false }), false],
    ['its referrer', redeeming({}, {}, { customer_id: 'cust_ref' }), false],
    ['a campaign of another kind', redeeming({}, { campaign_type: 'DISCOUNT_COUPONS' }), false],
    ['a disabled campaign', redeeming({}, { active: false }), false],
    ['the first instant of the campaign', redeeming({}, { start_date: at }), true],
    ['before it', redeeming({}, { start_date: later }), false],
    ['its last instant', redeeming({}, { expiration_date: at }), true],
    ['after it', redeeming({}, { expiration_date: at }, { at: later }), false],
    [
      'a code that outlives it',
      redeeming({ expiration_date: later }, { ...P10D, expiration_date: at }, { at: later }),
      true,
    ],
    ['a code that was to outlive it', redeeming({ expiration_date: at }, P10D, { at: later }), false],
  ])('%s', (_, command, expected) => {
    expect(converts(command)).toBe(expected);
  });
});

describe('a customer of a campaign', () => {
  const after = (state: ReferralState | undefined, command: Convert) =>
    refer(command, state).reduce<ReferralState | undefined>(evolveReferral, state);
  const other = redeeming(
    { id: 'v_2', referrer_id: 'cust_two' },
    {},
    { cause: { type: 'redemption', id: 'r_2' } },
  );

  it('is referred once, by the first', () => {
    const [referred, ...more] = refer(redeeming(), undefined);
    expect(more).toEqual([]);
    expect(referred?.data.referral).toEqual({
      campaign_id: program.id,
      campaign: program.name,
      voucher_id: 'v_1',
      referee_id: 'cust_bea',
      referrer_id: 'cust_ref',
      cause: { type: 'redemption', id: 'r_1' },
      date: at,
    });
    expect(refer(other, after(undefined, redeeming()))).toEqual([]);
  });

  it('is no longer once the redemption that referred it is rolled back, and can be referred again', () => {
    const referred = after(undefined, redeeming());
    expect(revoke('r_2', referred)).toEqual([]);
    const [revoked] = revoke('r_1', referred);
    const state = evolveReferral(referred, revoked!);
    expect(state).toEqual({ referral: null });
    expect(revoke('r_1', state)).toEqual([]);
    expect(refer(other, state)).toHaveLength(1);
  });

  it('stays referred by an event whatever is rolled back', () => {
    const state = after(undefined, redeeming({}, {}, { cause: { type: 'event', id: 'r_1' } }));
    expect(revoke('r_1', state)).toEqual([]);
  });
});
