/** What each refusal of a voucher says. Source: reference 03 §4.3 (checks 3–6, 9, 10). */
export const usabilityMessages = {
  voucher_not_active: 'voucher not active',
  voucher_expired: 'voucher expired',
  voucher_disabled: 'voucher is disabled',
  voucher_not_active_now: 'voucher not active now',
  quantity_exceeded: 'quantity exceeded',
  not_published: 'Voucher is not published',
  referrer_not_permitted_to_redeem: 'voucher cannot be redeemed by referrer',
  missing_customer: 'Missing customer',
} as const;

/** Why a voucher cannot be used. */
export type UsabilityRefusalKey = keyof typeof usabilityMessages;

/** What each refusal of a promotion tier says. Source: reference 03 §4.3 (checks 7, 8). */
export const tierMessages = {
  promotion_inactive: 'Inactive Promotion',
  promotion_not_active_now: 'promotion not active now',
} as const;

/** Why a promotion tier cannot be used. */
export type TierRefusalKey = keyof typeof tierMessages;
