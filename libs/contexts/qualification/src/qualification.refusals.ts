import type { OwnerRefusalKey } from '@scrip/contracts/claims';
import type { StatusAndMessage } from '@scrip/edge';
import type { Refusal } from '@scrip/kernel';
import {
  type CalculationRefusalKey,
  type OrderRefusalKey,
  calculationMessages,
} from '@scrip/order-calculation';
import { type TierRefusalKey, tierMessages, usabilityMessages } from '@scrip/vouchers';

/** What the edge has status and message of: it answers the same by itself. */
type EdgeRefusalKey = 'idempotency_key_in_use';

/** What qualification refuses with itself. */
type OwnRefusalKey =
  | 'already_rolled_back'
  | 'ambiguous_tracking_id'
  | 'duplicate_found'
  | 'duplicated_redeemables'
  | 'idempotency_key_in_use'
  | 'invalid_customer'
  | 'invalid_order'
  | 'invalid_payload'
  | 'invalid_query_params'
  | 'invalid_redeemables'
  | 'invalid_redemption'
  | 'invalid_redemption_parent'
  | 'invalid_validation_rules'
  | 'metadata_validation_failed'
  | 'multiple_requests'
  | 'no_applicable_redeemables'
  | 'not_found'
  | 'page_over_limit'
  | 'resource_in_use';

/** What validations, redemptions and rollbacks refuse with: their own keys, those of the calculation, and those of the
 *  owners of what is redeemed. */
export type QualificationRefusalKey =
  OwnRefusalKey | OrderRefusalKey | CalculationRefusalKey | OwnerRefusalKey | TierRefusalKey;

/** A refusal of qualification. */
export type QualificationRefusal = Refusal<QualificationRefusalKey>;

const refused = <Key extends string>(
  messages: Readonly<Record<Key, string>>,
): Record<Key, StatusAndMessage> =>
  Object.fromEntries(
    Object.entries(messages).map(([key, message]) => [key, { status: 400, message }]),
  ) as Record<Key, StatusAndMessage>;

/** Status and message of every refusal that qualification answers. Source: reference 03 §3.1, §4.3, §6.2, §9. */
export const qualificationRefusals = {
  ...refused(calculationMessages),
  ...refused(usabilityMessages),
  ...refused(tierMessages),
  invalid_payload: { status: 400, message: 'Invalid payload' },
  invalid_query_params: { status: 400, message: 'Invalid query params' },
  page_over_limit: { status: 400, message: 'Listing resource above 99 page is not supported' },
  ambiguous_tracking_id: { status: 400, message: 'Ambiguous tracking id' },
  duplicated_redeemables: { status: 400, message: 'Duplicated redeemables detected' },
  invalid_redeemables: { status: 400, message: 'Invalid redeemables' },
  not_found: { status: 404, message: 'Resource not found' },
  multiple_requests: { status: 400, message: 'Multiple requests', temporary: true },
  invalid_order: { status: 400, message: 'Invalid order' },
  invalid_customer: { status: 400, message: 'Invalid customer' },
  no_applicable_redeemables: { status: 400, message: 'No applicable redeemables' },
  metadata_validation_failed: { status: 400, message: 'Metadata validation failed' },
  invalid_redemption: { status: 400, message: 'Invalid redemption' },
  invalid_redemption_parent: { status: 400, message: 'Invalid redemption parent' },
  duplicate_found: { status: 409, message: 'Duplicated resource found' },
  invalid_validation_rules: { status: 400, message: 'Invalid Validation Rule Definition' },
  resource_in_use: { status: 400, message: 'Resource in use' },
  already_rolled_back: { status: 400, message: 'Already rolled back' },
  claim_abandoned: { status: 503, message: 'The redemption was abandoned' },
} satisfies Record<Exclude<QualificationRefusalKey, EdgeRefusalKey>, StatusAndMessage>;

/** What a validation may answer, and a redemption too. */
export const requestRefusals: readonly QualificationRefusalKey[] = [
  'invalid_payload',
  'duplicated_redeemables',
  'invalid_redeemables',
  'not_found',
  'voucher_not_active',
  'voucher_expired',
  'voucher_disabled',
  'voucher_not_active_now',
  'promotion_inactive',
  'promotion_not_active_now',
  'quantity_exceeded',
  'not_published',
  'referrer_not_permitted_to_redeem',
  'missing_customer',
  'missing_order',
  'missing_amount',
  'missing_order_items',
  'missing_order_items_amount',
  'gift_amount_exceeded',
  'customer_rules_violated',
  'order_rules_violated',
  'redemption_rules_violated',
  'multiple_requests',
  'invalid_order',
  'invalid_customer',
  'unsupported_discount',
  'no_applicable_redeemables',
  'metadata_validation_failed',
  'ambiguous_tracking_id',
];

/** Of calls that browsers make too. */
const ofBrowsers: readonly QualificationRefusalKey[] = ['ambiguous_tracking_id'];
const ofSeveral: readonly QualificationRefusalKey[] = ['duplicated_redeemables', 'invalid_redeemables'];
const ofTiers: readonly QualificationRefusalKey[] = ['promotion_inactive', 'promotion_not_active_now'];

/** What a redemption of one voucher may answer. */
export const voucherRedemptionRefusals: readonly QualificationRefusalKey[] = requestRefusals.filter(
  (key) => ![...ofBrowsers, ...ofSeveral, ...ofTiers].includes(key),
);

/** The same from browsers, where a query names the voucher. */
export const browserVoucherRedemptionRefusals: readonly QualificationRefusalKey[] = [
  ...voucherRedemptionRefusals,
  ...ofBrowsers,
  'invalid_query_params',
];

/** What a validation of one voucher may answer: what else is wrong with it stands in its answer. */
export const voucherValidationRefusals: readonly QualificationRefusalKey[] = [
  'invalid_payload',
  'not_found',
  'missing_customer',
  'missing_order',
  'missing_amount',
  'missing_order_items',
  'missing_order_items_amount',
  'multiple_requests',
  'invalid_order',
  'invalid_customer',
  'metadata_validation_failed',
];

/** The same from browsers, where a query says everything. */
export const browserVoucherValidationRefusals: readonly QualificationRefusalKey[] = [
  ...ofBrowsers,
  'invalid_query_params',
  ...voucherValidationRefusals.filter((key) => key !== 'invalid_payload'),
];

const ofVouchers: readonly QualificationRefusalKey[] = [
  'voucher_not_active',
  'voucher_expired',
  'voucher_disabled',
  'voucher_not_active_now',
  'quantity_exceeded',
  'not_published',
  'referrer_not_permitted_to_redeem',
  'missing_order',
  'missing_amount',
  'missing_order_items',
  'missing_order_items_amount',
  'gift_amount_exceeded',
];

/** What a redemption of one tier may answer. */
export const tierRedemptionRefusals: readonly QualificationRefusalKey[] = requestRefusals.filter(
  (key) => ![...ofBrowsers, ...ofSeveral, ...ofVouchers].includes(key),
);

/** What a validation of one tier may answer: what is wrong with it stands in its answer. */
export const tierValidationRefusals: readonly QualificationRefusalKey[] = [
  'invalid_payload',
  'not_found',
  'invalid_order',
  'invalid_customer',
  'metadata_validation_failed',
];

/** What a list of valid tiers may answer. */
export const tiersValidationRefusals: readonly QualificationRefusalKey[] = [
  ...tierValidationRefusals,
  'invalid_query_params',
];

/** What a qualification may answer: what does not qualify is left out. */
export const qualificationCallRefusals: readonly QualificationRefusalKey[] = [
  'invalid_payload',
  'invalid_order',
  'not_found',
  'ambiguous_tracking_id',
];

/** What a qualification of campaigns or vouchers alone may answer. */
export const legacyQualificationRefusals: readonly QualificationRefusalKey[] =
  qualificationCallRefusals.filter((key) => !ofBrowsers.includes(key));

/** What a rollback may answer. */
export const rollbackRefusals: readonly QualificationRefusalKey[] = [
  'invalid_redemption',
  'invalid_redemption_parent',
  'metadata_validation_failed',
  'already_rolled_back',
  'invalid_payload',
  'invalid_customer',
  'invalid_order',
  'multiple_requests',
  'not_found',
];

/** The status and message that a refusal is answered with. An owner of a newer release may refuse with a key that this one
 *  does not know: it is answered as a refusal too. */
export const statusAndMessageOf = (refusal: Refusal<string>): StatusAndMessage => {
  const known = Object.hasOwn(qualificationRefusals, refusal.refused)
    ? qualificationRefusals[refusal.refused as keyof typeof qualificationRefusals]
    : { status: 400, message: refusal.refused };
  return { status: known.status, message: refusal.message ?? known.message };
};
