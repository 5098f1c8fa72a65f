/** What each refusal of a voucher says. Source: reference 03 §4.3 (checks 3–6, 9). */
export const usabilityMessages = {
  voucher_not_active: 'voucher not active',
  voucher_expired: 'voucher expired',
  voucher_disabled: 'voucher is disabled',
  voucher_not_active_now: 'voucher not active now',
  quantity_exceeded: 'quantity exceeded',
} as const;

/** Why a voucher cannot be used. */
export type UsabilityRefusalKey = keyof typeof usabilityMessages;
