import { skipMessages } from '@scrip/order-calculation';
import type { QualificationRefusal, QualificationRefusalKey } from '../qualification.refusals';
import type { EvaluatedRedeemable } from '../evaluation/evaluate';
import { renderRefusal } from '../rendering/rendered-redeemable';

/** What a request has to say before a voucher can be judged at all. Source: reference 03 §4.3 (checks 2 and 12). */
const lacking: ReadonlySet<QualificationRefusalKey> = new Set([
  'missing_reward',
  'missing_customer',
  'missing_order',
  'missing_amount',
  'missing_order_items',
  'missing_order_items_amount',
]);

/** The refusal of a redeemable that lacks what the request should say; null: the request says enough. */
export const insufficientContext = ({ calculated }: EvaluatedRedeemable): QualificationRefusal | null =>
  calculated.status === 'INAPPLICABLE' && lacking.has(calculated.refusal.refused) ? calculated.refusal : null;

const unknown = { voucher: 'voucher not found', promotion_tier: 'promotion tier not found' } as const;

/** Why one object does not apply, within an answer. */
export interface SingleErrorResponse {
  code: number;
  key: string;
  message: string;
  details: string;
  /** Of `quantity_exceeded`. */
  redemption?: unknown;
  request_id: string;
  resource_id?: string;
  resource_type?: string;
}

/** A redeemable that does not apply. */
export type NotApplicable = Exclude<EvaluatedRedeemable['calculated'], { status: 'APPLICABLE' }>;

/** Why one object does not apply. `reason`: the generic message; `error.message`: the text that is configured for it, else the
 *  generic one. Source: reference 03 §5.3. */
export const renderWhyNot = (
  { id, object }: Pick<EvaluatedRedeemable, 'id' | 'object'>,
  calculated: NotApplicable,
  requestId: string,
): { reason: string; error: SingleErrorResponse } => {
  if (calculated.status === 'SKIPPED') {
    const message = skipMessages[calculated.reason];
    const error = { code: 400, key: calculated.reason, message, details: id, request_id: requestId };
    return { reason: message, error };
  }
  const { error: custom, ...error } = renderRefusal(calculated.refusal, requestId).error;
  return {
    reason: error.key === 'not_found' ? unknown[object] : error.message,
    error: { ...error, message: custom?.message ?? error.message, details: error.details ?? id },
  };
};
