import type { Refusal } from '@scrip/kernel';

/** Status and message of every refusal that qualification answers. Source: spec 03 §3.1, §4.3, §6.2, §9. */
export const qualificationRefusals = {
  invalid_payload: { status: 400, message: 'Invalid payload' },
  invalid_query_params: { status: 400, message: 'Invalid query params' },
  page_over_limit: { status: 400, message: 'Listing resource above 99 page is not supported' },
  duplicated_redeemables: { status: 400, message: 'Duplicated redeemables detected' },
  invalid_redeemables: { status: 400, message: 'Invalid redeemables' },
  not_found: { status: 404, message: 'Resource not found' },
  voucher_not_active: { status: 400, message: 'voucher not active' },
  voucher_expired: { status: 400, message: 'voucher expired' },
  voucher_disabled: { status: 400, message: 'voucher is disabled' },
  voucher_not_active_now: { status: 400, message: 'voucher not active now' },
  quantity_exceeded: { status: 400, message: 'quantity exceeded' },
  multiple_requests: { status: 400, message: 'Multiple requests' },
  invalid_order: { status: 400, message: 'Invalid order' },
  invalid_customer: { status: 400, message: 'Invalid customer' },
  unsupported_discount: { status: 400, message: 'Unsupported discount' },
  no_applicable_redeemables: { status: 400, message: 'No applicable redeemables' },
  invalid_redemption: { status: 400, message: 'Invalid redemption' },
  invalid_redemption_parent: { status: 400, message: 'Invalid redemption parent' },
  already_rolled_back: { status: 400, message: 'Already rolled back' },
  request_in_progress: { status: 409, message: 'Request in progress' },
} as const;

export type QualificationRefusalKey = keyof typeof qualificationRefusals;

const known = qualificationRefusals as Record<string, { status: number; message: string } | undefined>;

/** The status and message that a refusal is answered with: its own, else the table's. */
export const statusAndMessageOf = (refusal: Refusal): { status: number; message: string } => ({
  status: refusal.status ?? known[refusal.refused]?.status ?? 400,
  message: refusal.message ?? known[refusal.refused]?.message ?? refusal.refused,
});
