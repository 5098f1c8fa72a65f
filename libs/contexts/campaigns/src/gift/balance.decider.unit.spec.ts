import type { GiftSnapshot, VoucherEvent, VoucherSnapshot } from '@scrip/contracts/campaigns';
import { givenFor } from '@scrip/testing';
import { type VoucherState, evolveVoucher } from '../voucher/voucher.decider';
import { type AdjustBalance, decideBalance } from './balance.decider';
import { giftCampaign, giftCardCreated } from './gift-card.fixture';

const given = givenFor<AdjustBalance, VoucherState | undefined, VoucherEvent>({
  decide: decideBalance,
  evolve: evolveVoucher,
  initialState: () => undefined,
});

const now = '2026-03-10T10:00:00.000Z';
const adjust = (amount: number): AdjustBalance => ({
  type: 'AdjustBalance',
  voucherId: 'v_1',
  transactionId: 'vtx_1',
  amount,
  source_id: 'refill-1',
  reason: 'Birthday',
  source: 'API',
  campaign: giftCampaign(10_000),
  now,
});

const cardWith = (gift: Partial<GiftSnapshot>) =>
  giftCardCreated(0, {
    gift: { amount: 0, subtracted_amount: 0, balance: 0, effect: 'APPLY_TO_ORDER', ...gift },
  });

/** The table of reference 04 §6.1: after its second and third line. */
const afterRedemption = { amount: 10_000, subtracted_amount: 0, balance: 7_000 };
const afterAddition = { amount: 12_500, subtracted_amount: 0, balance: 9_500 };

test.each([
  ['adjust +2500', afterRedemption, 2_500, afterAddition, 'CREDITS_ADDITION', 12_500],
  [
    'adjust −4000',
    afterAddition,
    -4_000,
    { amount: 12_500, subtracted_amount: 4_000, balance: 5_500 },
    'CREDITS_REMOVAL',
    8_500,
  ],
  [
    'all that is left',
    afterAddition,
    -9_500,
    { amount: 12_500, subtracted_amount: 9_500, balance: 0 },
    'CREDITS_REMOVAL',
    3_000,
  ],
] as const)('%s', (_, before, amount, after, type, total) => {
  const created = cardWith(before);
  const gift: GiftSnapshot = { ...after, effect: 'APPLY_TO_ORDER' };
  given(created)
    .when(adjust(amount))
    .then({
      type: 'GiftCreditsAdjusted',
      data: {
        transaction: {
          id: 'vtx_1',
          type,
          voucher_id: 'v_1',
          campaign_id: 'camp_1',
          source_id: 'refill-1',
          source: 'API',
          reason: 'Birthday',
          amount,
          total,
          balance: after.balance,
          order: null,
          redemption_id: null,
          rollback_id: null,
          related_transaction_id: null,
          created_at: now,
        },
        voucher: { ...created.data.voucher, gift, updated_at: now },
        campaign: giftCampaign(10_000),
      },
    });
});

describe('a balance is not changed', () => {
  const most = Number.MAX_SAFE_INTEGER;

  test.each([
    ['by 0', cardWith(afterAddition), 0, 'invalid_add_balance_params'],
    [
      'by 0, whatever the voucher is',
      giftCardCreated(0, { type: 'DISCOUNT_VOUCHER', gift: null }),
      0,
      'invalid_add_balance_params',
    ],
    [
      'of a discount voucher',
      giftCardCreated(0, { type: 'DISCOUNT_VOUCHER', gift: null }),
      100,
      'invalid_add_balance_params',
    ],
    [
      'of a loyalty card without a holder',
      giftCardCreated(0, { type: 'LOYALTY_CARD', gift: null, loyalty_card: { points: 5, balance: 5 } }),
      100,
      'not_published',
    ],
    [
      'of a loyalty card, whose points follow other rules',
      giftCardCreated(0, {
        type: 'LOYALTY_CARD',
        gift: null,
        loyalty_card: { points: 5, balance: 5 },
        holder_id: 'cust_1',
      }),
      100,
      'invalid_add_balance_params',
    ],
    ['below 0', cardWith(afterAddition), -9_501, 'gift_amount_exceeded'],
    ['beyond what is exact', cardWith({ amount: most - 10, balance: 10 }), 11, 'invalid_add_balance_params'],
    [
      'beyond what is exact of all that was taken away',
      cardWith({ amount: most, subtracted_amount: most - 10, balance: 10 + 1 }),
      -11,
      'invalid_add_balance_params',
    ],
  ])('%s', (_, created, amount, refused) => {
    given(created).when(adjust(amount)).thenRefused(refused);
  });

  it('where there is no such voucher', () => {
    given().when(adjust(100)).thenRefused('not_found');
  });
});

it.each<[string, Partial<VoucherSnapshot>]>([
  ['disabled', { active: false }],
  ['expired', { expiration_date: '2026-03-01T00:00:00.000Z' }],
])('a card that is %s can be adjusted too', (_, fields) => {
  const created = giftCardCreated(100, fields);
  expect(decideBalance(adjust(-40), evolveVoucher(undefined, created))).toMatchObject([
    { data: { transaction: { amount: -40, balance: 60 }, voucher: fields } },
  ]);
});

it('the largest sum that is exact is stored', () => {
  const created = cardWith({ amount: Number.MAX_SAFE_INTEGER - 10, balance: 10 });
  const events = decideBalance(adjust(10), evolveVoucher(undefined, created)) as VoucherEvent[];
  expect(
    events.reduce<VoucherState | undefined>(evolveVoucher, evolveVoucher(undefined, created)),
  ).toMatchObject({
    voucher: { gift: { amount: Number.MAX_SAFE_INTEGER, balance: 20 }, updated_at: now },
  });
});
