import type { PublicationEvent, ReferralEvent, VoucherEvent } from '@scrip/contracts/campaigns';
import type { RedemptionEvent } from '@scrip/contracts/qualification';
import { type Addition, ofPublication, ofRedemption, ofReferral, ofVoucher } from './summed';

const at = '2026-03-31T10:00:00.000Z';
const added = (sums: Addition['sums']): Addition[] => [{ campaign_id: 'camp_1', at, sums }];
const named = <Event>(type: string, data: object) => ({ type, data }) as Event;

const counted = (more: object) => ({
  campaign_id: 'camp_1',
  object: 'voucher',
  object_id: 'v_1',
  order_amount: 2_000,
  discount_amount: 200,
  ...more,
});
const countsOf = (...redeemables: object[]) => ({ counts: { day: '2026-03-31', redeemables } });

describe('a redemption adds to the sums of a campaign', () => {
  const redemption = { redemption: { date: at } };
  const rollback = { rollback: { date: at } };
  const campaign = { campaign: { id: 'camp_1' } };
  it.each<[string, string, object, Addition[]]>([
    [
      'one with the order and the discount',
      'RedemptionSucceeded',
      { ...redemption, ...countsOf(counted({})) },
      added({ redemptions_succeeded: 1, orders_amount: 2_000, discounted_amount: 200, amount_redeemed: 0 }),
    ],
    [
      'the credits of a card, and nothing of a voucher without a campaign in the same stack',
      'RedemptionSucceeded',
      { ...redemption, ...countsOf(counted({ credits: 150 }), counted({ campaign_id: null })) },
      added({ redemptions_succeeded: 1, orders_amount: 2_000, discounted_amount: 200, amount_redeemed: 150 }),
    ],
    ['nothing by the child of a stack', 'RedemptionSucceeded', { ...redemption, counts: null }, []],
    [
      'what a rollback takes back, when it has begun',
      'RedemptionRollbackStarted',
      { ...rollback, ...countsOf(counted({ credits: 150 })) },
      added({
        rollbacks_succeeded: 1,
        orders_rolledback_amount: 2_000,
        rolledback_discounted_amount: 200,
        amount_rolledback: 150,
      }),
    ],
    ['nothing at its end', 'RedemptionRolledBack', { ...redemption, ...rollback, ...campaign }, []],
    ['one that failed', 'RedemptionFailed', { ...redemption, ...campaign }, added({ redemptions_failed: 1 })],
    [
      'nothing by one that failed without a campaign',
      'RedemptionFailed',
      { ...redemption, campaign: null },
      [],
    ],
    [
      'a rollback that was refused',
      'RedemptionRollbackFailed',
      { ...redemption, ...rollback, ...campaign },
      added({ rollbacks_failed: 1 }),
    ],
  ])('%s', (_, type, data, expected) =>
    expect(ofRedemption(named<RedemptionEvent>(type, data))).toEqual(expected),
  );
});

describe('a voucher adds to the sums of its campaign', () => {
  const voucher = (more: object) => ({
    voucher: { campaign_id: 'camp_1', created_at: at, gift: null, loyalty_card: null, ...more },
  });
  const credits = (amount: number, campaign_id: string | null = 'camp_1') => ({
    transaction: { campaign_id, created_at: at, amount },
  });
  const gift = { gift: { amount: 1_000, balance: 300 } };
  it.each<[string, string, object, Addition[]]>([
    ['itself', 'VoucherCreated', voucher({}), added({ vouchers_created: 1, amount_created: 0 })],
    ['its credits', 'VoucherCreated', voucher(gift), added({ vouchers_created: 1, amount_created: 1_000 })],
    [
      'its points',
      'VoucherCreated',
      voucher({ loyalty_card: { points: 70, balance: 70 } }),
      added({ vouchers_created: 1, amount_created: 70 }),
    ],
    ['nothing without a campaign', 'VoucherCreated', voucher({ campaign_id: null }), []],
    [
      'what was left on a deleted card',
      'VoucherDeleted',
      { ...voucher(gift), deleted_at: at },
      added({ vouchers_deleted: 1, amount_deleted: 300 }),
    ],
    [
      'nothing by its purge: it was deleted before',
      'VoucherPurged',
      { campaign_id: 'camp_1', purged_at: at },
      [],
    ],
    ['credits added by hand', 'GiftCreditsAdjusted', credits(500), added({ amount_added: 500 })],
    ['credits taken by hand', 'GiftCreditsAdjusted', credits(-200), added({ amount_subtracted: 200 })],
    ['no credits of a card without a campaign', 'GiftCreditsAdjusted', credits(500, null), []],
    ['nothing by a use that may be given up', 'GiftCreditsRedeemed', credits(-200), []],
  ])('%s', (_, type, data, expected) => expect(ofVoucher(named<VoucherEvent>(type, data))).toEqual(expected));
});

it.each<[string, object, Addition[]]>([
  ['PublicationSucceeded', { campaign_id: 'camp_1' }, added({ publications_succeeded: 1 })],
  ['PublicationFailed', { campaign_id: 'camp_1' }, added({ publications_failed: 1 })],
  ['PublicationFailed', { campaign_id: null }, []],
  ['HolderAssigned', { campaign_id: 'camp_1' }, []],
])('%s of %j adds %j', (type, publication, expected) => {
  const data = { publication: { ...publication, created_at: at } };
  expect(ofPublication(named<PublicationEvent>(type, data))).toEqual(expected);
});

it.each([
  ['CustomerReferred', 1],
  ['ReferralRevoked', -1],
])('%s adds %d referred customer, where it happened', (type, referred_customers) => {
  const data = { referral: { campaign_id: 'camp_1', date: at } };
  expect(ofReferral(named<ReferralEvent>(type, data))).toEqual(added({ referred_customers }));
});
