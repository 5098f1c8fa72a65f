import type { CampaignSnapshot, RedeemableVoucher, VoucherSnapshot } from '@scrip/contracts/campaigns';
import type {
  PromotionStackSnapshot,
  PromotionTierSnapshot,
  RedeemableStack,
} from '@scrip/contracts/promotions';
import type { CustomerSnapshot } from '@scrip/contracts/customers';
import type { RequestContext } from '@scrip/kernel';
import type { Discount } from '@scrip/order-calculation';
import { projectOf } from '@scrip/testing';

export const project = projectOf({ timezone: 'Europe/Warsaw', currency: 'PLN' });

/** A merchant's call with a minute left. */
export const call = (overrides: Partial<RequestContext> = {}): RequestContext => ({
  requestId: 'v-000000000000000001',
  project,
  channel: 'API',
  apiKey: { id: 'app_1', name: 'Shop' },
  user: null,
  role: null,
  scopes: null,
  deadlineAt: Date.now() + 60_000,
  traceparent: null,
  ...overrides,
});

export const percent = (percent_off: number): Discount => ({ type: 'PERCENT', percent_off });
export const amount = (amount_off: number, more: Partial<Discount> = {}): Discount =>
  ({ type: 'AMOUNT', amount_off, ...more }) as Discount;

const noWindows = { validity_timeframe: null, validity_day_of_week: null, validity_hours: null };

export const voucherOf = (code: string, more: Partial<VoucherSnapshot> = {}): VoucherSnapshot => ({
  id: `v_${code.toLowerCase()}`,
  code,
  campaign_id: null,
  campaign: null,
  category_id: null,
  category: null,
  categories: [],
  type: 'DISCOUNT_VOUCHER',
  discount: percent(10),
  gift: null,
  loyalty_card: null,
  start_date: null,
  expiration_date: null,
  ...noWindows,
  active: true,
  additional_info: null,
  metadata: {},
  is_referral_code: false,
  holder_id: null,
  referrer_id: null,
  redemption: { quantity: null, redeemed_quantity: 0 },
  publish: { count: 0 },
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: null,
  ...more,
});

export const campaignOf = (more: Partial<CampaignSnapshot> = {}): CampaignSnapshot => ({
  id: 'camp_1',
  name: 'Spring',
  description: null,
  campaign_type: 'DISCOUNT_COUPONS',
  type: 'AUTO_UPDATE',
  voucher: null,
  join_once: false,
  auto_join: false,
  use_voucher_metadata_schema: false,
  activity_duration_after_publishing: null,
  vouchers_count: 1,
  vouchers_count_invalid: null,
  start_date: null,
  expiration_date: null,
  ...noWindows,
  active: true,
  metadata: {},
  category_id: null,
  category: null,
  categories: [],
  creation_status: 'DONE',
  vouchers_generation_status: 'DONE',
  protected: false,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: null,
  ...more,
});

export const redeemable = (
  code: string,
  more: Partial<VoucherSnapshot> = {},
  campaign: CampaignSnapshot | null = null,
): RedeemableVoucher => ({ voucher: voucherOf(code, more), campaign });

/** A tier of `camp_promo`. */
export const tierOf = (id: string, more: Partial<PromotionTierSnapshot> = {}): PromotionTierSnapshot => ({
  id,
  campaign_id: 'camp_promo',
  name: `Tier ${id}`,
  banner: null,
  discount: percent(10),
  metadata: {},
  hierarchy: 1,
  active: true,
  start_date: null,
  expiration_date: null,
  ...noWindows,
  category_id: null,
  category: null,
  categories: [],
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: null,
  ...more,
});

/** The campaign of tiers. */
export const promotionOf = (more: Partial<CampaignSnapshot> = {}): CampaignSnapshot =>
  campaignOf({ id: 'camp_promo', name: 'Weekdays', campaign_type: 'PROMOTION', type: 'STATIC', ...more });

/** A stack of `camp_promo` with its tiers. */
export const stackOf = (
  id: string,
  tiers: PromotionTierSnapshot[],
  more: Partial<PromotionStackSnapshot> = {},
): RedeemableStack => ({
  promotion_stack: {
    id,
    campaign_id: 'camp_promo',
    name: `Stack ${id}`,
    tier_ids: tiers.map((tier) => tier.id),
    category_id: null,
    category: null,
    categories: [],
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: null,
    ...more,
  },
  campaign: promotionOf(),
  tiers,
});

export const customerOf = (source_id: string, more: Partial<CustomerSnapshot> = {}): CustomerSnapshot => ({
  id: `cust_${source_id}`,
  source_id,
  name: null,
  description: null,
  email: null,
  phone: null,
  birthdate: null,
  birthday: null,
  address: null,
  metadata: {},
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: null,
  ...more,
});
