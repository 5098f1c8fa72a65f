import type { RedeemableVoucher, VoucherSnapshot } from '@scrip/contracts/campaigns';
import type { CategorySnapshot } from '@scrip/contracts/snapshot';
import type { Redeemable } from '@scrip/order-calculation';
import type { IncentiveLabel } from '@scrip/rules';
import { quantityAllows, referralAllows, usableAt } from '@scrip/vouchers';
import type { RedeemableKind, Wanted } from './redeemable-kind';

/** What formulas read of a voucher. Source: reference 01 §8. */
const factsOf = ({ metadata, redemption, publish, start_date, expiration_date }: VoucherSnapshot) => ({
  redeemableMetadata: metadata,
  voucher: {
    redemptionQuantity: redemption.quantity,
    redeemedQuantity: redemption.redeemed_quantity,
    publishCount: publish.count,
    startDate: start_date,
    expirationDate: expiration_date,
  },
});

/** What a voucher gives; null for what redemptions cannot calculate. `locked`: credits that sessions of others hold. */
const incentiveOf = (
  { type, discount, gift }: VoucherSnapshot,
  locked: number,
  { credits, ownerDecides }: Wanted,
): Redeemable['incentive'] => {
  if (type === 'DISCOUNT_VOUCHER') return discount && { discount };
  if (type !== 'GIFT_VOUCHER' || !gift) return null;
  const { effect } = gift;
  const held = locked > 0 ? { locked } : {};
  if (credits === undefined) return { gift: { balance: gift.balance, effect, ...held } };
  if (ownerDecides) return { gift: { balance: Math.max(gift.balance, credits), credits, effect } };
  return { gift: { balance: gift.balance, credits, effect, ...held } };
};

/** Its own, else its campaign's. Source: reference 01 §10. */
const categoriesOf = (
  { categories }: VoucherSnapshot,
  campaign: RedeemableVoucher['campaign'],
): CategorySnapshot[] => (categories.length > 0 ? categories : (campaign?.categories ?? []));

const labels = {
  DISCOUNT_VOUCHER: 'Discount Coupon',
  GIFT_VOUCHER: 'Gift Card',
  LOYALTY_CARD: 'Loyalty Card',
} as const satisfies Record<VoucherSnapshot['type'], IncentiveLabel>;

/** Discount vouchers and gift cards, of campaigns and singles: one use each, and of a card the credits that the order takes.
 *  Source: reference 03 §4.3, reference 01 §10. */
export const voucherKind: RedeemableKind<RedeemableVoucher> = {
  object: 'voucher',
  participant: 'campaigns',
  calculable: ({ voucher, campaign, held }, wanted) => ({
    id: voucher.code,
    incentive: incentiveOf(voucher, held?.credits ?? 0, wanted),
    categories: categoriesOf(voucher, campaign),
    facts: factsOf(voucher),
  }),
  unusable: ({ voucher, campaign, held }, { now, timezone, usesAreClaimed, customerId }) =>
    usableAt(voucher, campaign, now, timezone) ??
    (usesAreClaimed ? null : (quantityAllows(voucher, held?.uses) ?? referralAllows(voucher, customerId))),
  asks: ({ voucher }, { gift }, { spentOn, customerId, session }) => ({
    object_id: voucher.id,
    asks: {
      uses: 1,
      ...(voucher.is_referral_code ? { customer_id: customerId } : {}),
      ...(gift && gift.credits > 0 ? { credits: gift.credits, spent_on: spentOn } : {}),
      ...(session === null ? {} : { hold: { session } }),
    },
  }),
  describe: ({ voucher, campaign }) => ({
    related: { type: 'voucher', id: voucher.id, parentId: voucher.campaign_id },
    voucher,
    campaign,
    metadata: voucher.metadata,
    campaignName: voucher.campaign,
    campaignId: voucher.campaign_id,
    categories: categoriesOf(voucher, campaign),
  }),
  label: ({ voucher }) => (voucher.is_referral_code ? 'Referral Code' : labels[voucher.type]),
  isHeldBy: ({ voucher }, customerId) => Boolean(customerId) && voucher.holder_id === customerId,
};
