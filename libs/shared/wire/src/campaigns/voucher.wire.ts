import type { VoucherSnapshot } from '@scrip/contracts/campaigns';
import { noAssignments } from '../qualification/assignment.wire';
import type { VoucherAssets } from './voucher-assets';

/** The only value object that fits the voucher's type, the others null. */
const valuesOf = ({ discount, gift, loyalty_card }: VoucherSnapshot) => ({ discount, gift, loyalty_card });

const redeemedValueOf = ({ gift, loyalty_card: card }: VoucherSnapshot) => ({
  ...(gift ? { redeemed_amount: gift.amount - gift.subtracted_amount - gift.balance } : {}),
  ...(card ? { redeemed_points: card.points - card.balance } : {}),
});

/** Where lists of a voucher begin. */
const listUrl = (code: string, list: 'redemptions' | 'publications'): string =>
  `/v1/vouchers/${encodeURIComponent(code)}/${list}?page=1&limit=10`;

const renderPublications = ({ code, publish }: VoucherSnapshot) => ({
  object: 'list' as const,
  count: publish.count,
  url: listUrl(code, 'publications'),
});

/** How often a voucher was published. */
export type VoucherPublicationsResponse = ReturnType<typeof renderPublications>;

/** The uses of a voucher as the API shows them. */
export const renderUses = (voucher: VoucherSnapshot) => ({
  quantity: voucher.redemption.quantity,
  redeemed_quantity: voucher.redemption.redeemed_quantity,
  ...redeemedValueOf(voucher),
  object: 'list' as const,
  url: listUrl(voucher.code, 'redemptions'),
});

/** The uses of a voucher: how many there may be (null: any number) and how many there were. */
export type VoucherUsesResponse = ReturnType<typeof renderUses>;

/** A voucher as the API shows it; unset fields are null. `assets` come from `assetIds`; `assignments`: of rules, its own and those
 *  of its campaign. Source: reference 04 §5. */
export const renderVoucher = (
  voucher: VoucherSnapshot,
  assets: VoucherAssets,
  assignments = noAssignments(),
) => ({
  id: voucher.id,
  code: voucher.code,
  campaign: voucher.campaign,
  campaign_id: voucher.campaign_id,
  category: voucher.category,
  category_id: voucher.category_id,
  categories: voucher.categories,
  type: voucher.type,
  ...valuesOf(voucher),
  start_date: voucher.start_date,
  expiration_date: voucher.expiration_date,
  validity_timeframe: voucher.validity_timeframe,
  validity_day_of_week: voucher.validity_day_of_week,
  validity_hours: voucher.validity_hours,
  publish: renderPublications(voucher),
  redemption: renderUses(voucher),
  active: voucher.active,
  additional_info: voucher.additional_info,
  metadata: voucher.metadata,
  assets,
  is_referral_code: voucher.is_referral_code,
  validation_rules_assignments: assignments,
  holder_id: voucher.holder_id,
  referrer_id: voucher.referrer_id,
  created_at: voucher.created_at,
  updated_at: voucher.updated_at,
  object: 'voucher' as const,
});

/** What `renderVoucher` makes. */
export type VoucherResponse = ReturnType<typeof renderVoucher>;

/** What a browser may see of a voucher: no customer, and nothing that the shop notes. Source: reference 07 §2.3, ADR 124. */
export const voucherForBrowsers = (voucher: VoucherSnapshot): VoucherSnapshot => ({
  ...voucher,
  holder_id: null,
  referrer_id: null,
  additional_info: null,
  metadata: {},
});

/** The short form in webhooks and redemptions: only the voucher's own value object, no assets, publication block or
 *  assignments. Absent relations are null. Source: reference 06 §2. */
export const simpleVoucher = (voucher: VoucherSnapshot) => ({
  id: voucher.id,
  code: voucher.code,
  ...(voucher.discount ? { discount: voucher.discount } : {}),
  ...(voucher.gift ? { gift: voucher.gift } : {}),
  ...(voucher.loyalty_card ? { loyalty_card: voucher.loyalty_card } : {}),
  type: voucher.type,
  campaign: voucher.campaign,
  campaign_id: voucher.campaign_id,
  is_referral_code: voucher.is_referral_code,
  holder_id: voucher.holder_id,
  referrer_id: voucher.referrer_id,
  category_id: voucher.category_id,
  categories: voucher.categories,
  active: voucher.active,
  created_at: voucher.created_at,
  updated_at: voucher.updated_at,
  redemption: {
    quantity: voucher.redemption.quantity,
    redeemed_quantity: voucher.redemption.redeemed_quantity,
    ...redeemedValueOf(voucher),
  },
  start_date: voucher.start_date,
  expiration_date: voucher.expiration_date,
  metadata: voucher.metadata,
  object: 'voucher' as const,
});

/** What `simpleVoucher` makes. */
export type SimpleVoucher = ReturnType<typeof simpleVoucher>;
