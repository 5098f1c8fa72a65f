import type { VoucherSnapshot } from '@scrip/contracts/campaigns';
import type { VoucherState } from './voucher.decider';

/** A standalone voucher of 10 % as it was created; further fields as given. */
export const voucherSnapshot = (fields: Partial<VoucherSnapshot> = {}): VoucherSnapshot => ({
  id: 'v_1',
  code: 'CODE',
  campaign_id: null,
  campaign: null,
  category_id: null,
  category: null,
  categories: [],
  type: 'DISCOUNT_VOUCHER',
  discount: { type: 'PERCENT', percent_off: 10 },
  gift: null,
  loyalty_card: null,
  start_date: null,
  expiration_date: null,
  validity_timeframe: null,
  validity_day_of_week: null,
  validity_hours: null,
  active: true,
  additional_info: null,
  metadata: {},
  is_referral_code: false,
  holder_id: null,
  referrer_id: null,
  redemption: { quantity: null, redeemed_quantity: 0 },
  publish: { count: 0 },
  created_at: '2026-02-01T10:00:00.000Z',
  updated_at: null,
  ...fields,
});

/** Its state; `fields`: of the voucher. */
export const voucherState = (fields: Partial<VoucherSnapshot> = {}): VoucherState => ({
  voucher: voucherSnapshot(fields),
  code_key: 'CODE',
});
