import type { RedeemableVoucher } from '@scrip/contracts/campaigns';
import type { Discount } from '@scrip/order-calculation';
import { quantityAllows, usableAt } from '@scrip/vouchers';
import type { RedeemableKind } from './redeemable-kind';

/** Free units need catalogue records and formulas need facts that are not loaded here. */
const isCalculable = (discount: Discount): boolean =>
  discount.type !== 'UNIT' && Object.keys(discount).every((field) => !field.endsWith('_formula'));

/** Discount vouchers of campaigns and singles: one use each. Source: reference 03 §4.3, reference 01 §10. */
export const voucherKind: RedeemableKind<RedeemableVoucher> = {
  object: 'voucher',
  participant: 'campaigns',
  calculable: ({ voucher: { code, type, discount, categories }, campaign }) => ({
    id: code,
    incentive: type === 'DISCOUNT_VOUCHER' && discount && isCalculable(discount) ? { discount } : null,
    // Its own, else its campaign's.
    categories: categories.length > 0 ? categories : (campaign?.categories ?? []),
  }),
  unusable: ({ voucher, campaign }, { now, timezone, usesAreClaimed }) =>
    usableAt(voucher, campaign, now, timezone) ?? (usesAreClaimed ? null : quantityAllows(voucher)),
  asks: ({ voucher }) => ({ object_id: voucher.id, asks: { uses: 1 } }),
  describe: ({ voucher, campaign }) => ({
    related: { type: 'voucher', id: voucher.id, parentId: voucher.campaign_id },
    voucher,
    campaign,
    metadata: voucher.metadata,
    campaignName: voucher.campaign,
    campaignId: voucher.campaign_id,
    categories: voucher.categories,
  }),
};
