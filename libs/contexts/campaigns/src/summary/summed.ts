import type { PublicationEvent, ReferralEvent, VoucherEvent } from '@scrip/contracts/campaigns';
import type { RedemptionCounts, RedemptionEvent } from '@scrip/contracts/qualification';
import type { Instant } from '@scrip/contracts/snapshot';

/** What is summed of a campaign, as columns. Amounts: minor units, points of loyalty cards. */
export const summedNames = [
  'redemptions_succeeded',
  'redemptions_failed',
  'rollbacks_succeeded',
  'rollbacks_failed',
  'orders_amount',
  'orders_rolledback_amount',
  'discounted_amount',
  'rolledback_discounted_amount',
  'vouchers_created',
  'vouchers_deleted',
  'publications_succeeded',
  'publications_failed',
  'amount_created',
  'amount_deleted',
  'amount_added',
  'amount_subtracted',
  'amount_redeemed',
  'amount_rolledback',
  'referred_customers',
] as const;

/** What happened in a campaign. */
export type Sums = Record<(typeof summedNames)[number], number>;

/** What an event adds to the sums of a campaign, at the instant that it tells. */
export interface Addition {
  campaign_id: string;
  at: Instant;
  sums: Partial<Sums>;
}

interface Held {
  gift: { amount: number; balance: number } | null;
  loyalty_card: { points: number; balance: number } | null;
}

const createdWith = ({ gift, loyalty_card }: Held): number => gift?.amount ?? loyalty_card?.points ?? 0;
const leftOn = ({ gift, loyalty_card }: Held): number => gift?.balance ?? loyalty_card?.balance ?? 0;

type Counted = RedemptionCounts['redeemables'][number];

const redeemed = ({ order_amount, discount_amount, credits = 0 }: Counted): Partial<Sums> => ({
  redemptions_succeeded: 1,
  orders_amount: order_amount,
  discounted_amount: discount_amount,
  amount_redeemed: credits,
});

const rolledBack = ({ order_amount, discount_amount, credits = 0 }: Counted): Partial<Sums> => ({
  rollbacks_succeeded: 1,
  orders_rolledback_amount: order_amount,
  rolledback_discounted_amount: discount_amount,
  amount_rolledback: credits,
});

const ofEach = (
  counts: RedemptionCounts | null,
  at: Instant,
  sumsOf: (counted: Counted) => Partial<Sums>,
): Addition[] =>
  (counts?.redeemables ?? []).flatMap((counted) =>
    counted.campaign_id === null ? [] : [{ campaign_id: counted.campaign_id, at, sums: sumsOf(counted) }],
  );

/** What a redemption adds. A stack adds what each of its redeemables did. Source: reference 04 §4.9. */
export const ofRedemption = (event: RedemptionEvent): Addition[] => {
  switch (event.type) {
    case 'RedemptionSucceeded':
      return ofEach(event.data.counts, event.data.redemption.date, redeemed);
    case 'RedemptionRollbackStarted':
      return ofEach(event.data.counts, event.data.rollback.date, rolledBack);
    case 'RedemptionRolledBack':
      return [];
    case 'RedemptionFailed': {
      const { campaign, redemption } = event.data;
      return campaign
        ? [{ campaign_id: campaign.id, at: redemption.date, sums: { redemptions_failed: 1 } }]
        : [];
    }
    case 'RedemptionRollbackFailed': {
      const { campaign, rollback } = event.data;
      return campaign ? [{ campaign_id: campaign.id, at: rollback.date, sums: { rollbacks_failed: 1 } }] : [];
    }
    default:
      return event satisfies never;
  }
};

/** What a voucher adds by itself. Source: reference 04 §4.9. */
export const ofVoucher = (event: VoucherEvent): Addition[] => {
  switch (event.type) {
    case 'VoucherCreated': {
      const { voucher } = event.data;
      if (voucher.campaign_id === null) return [];
      const sums = { vouchers_created: 1, amount_created: createdWith(voucher) };
      return [{ campaign_id: voucher.campaign_id, at: voucher.created_at, sums }];
    }
    case 'VoucherDeleted': {
      const { voucher, deleted_at } = event.data;
      if (voucher.campaign_id === null) return [];
      const sums = { vouchers_deleted: 1, amount_deleted: leftOn(voucher) };
      return [{ campaign_id: voucher.campaign_id, at: deleted_at, sums }];
    }
    case 'GiftCreditsAdjusted': {
      const { campaign_id, created_at, amount } = event.data.transaction;
      if (campaign_id === null) return [];
      const sums = amount > 0 ? { amount_added: amount } : { amount_subtracted: -amount };
      return [{ campaign_id, at: created_at, sums }];
    }
    default:
      return [];
  }
};

/** What a publication adds. Source: reference 04 §4.9. */
export const ofPublication = (event: PublicationEvent): Addition[] => {
  if (event.type !== 'PublicationSucceeded' && event.type !== 'PublicationFailed') return [];
  const { campaign_id, created_at } = event.data.publication;
  if (campaign_id === null) return [];
  const sums =
    event.type === 'PublicationSucceeded' ? { publications_succeeded: 1 } : { publications_failed: 1 };
  return [{ campaign_id, at: created_at, sums }];
};

/** What a referral adds; one that is revoked is taken back where it was added. Source: reference 04 §4.9. */
export const ofReferral = ({ type, data: { referral } }: ReferralEvent): Addition[] => [
  {
    campaign_id: referral.campaign_id,
    at: referral.date,
    sums: { referred_customers: type === 'CustomerReferred' ? 1 : -1 },
  },
];
