import { type CalculatedOrder, skipMessages } from '@scrip/order-calculation';
import { renderOrder } from '@scrip/wire/customers';
import type { Refusal } from '@scrip/kernel';
import { statusAndMessageOf } from '../qualification.refusals';
import type { Expand } from '../request/redeemables-request';
import type { EvaluatedRedeemable } from './evaluate';

/** What `options.expand` adds to an entry. Source: reference 03 §3.5. */
const expanded = ({ described }: EvaluatedRedeemable, expand: ReadonlySet<Expand>) => ({
  ...(expand.has('redeemable') && described
    ? {
        metadata: described.metadata,
        ...(described.campaignName === null ? {} : { campaign_name: described.campaignName }),
        ...(described.campaignId === null ? {} : { campaign_id: described.campaignId }),
      }
    : {}),
  ...(expand.has('category') && described ? { categories: described.categories } : {}),
});

/** Why a redeemable does not apply, as an error body within an answer. Source: reference 03 §5.2. */
export const renderRedeemableError = (refusal: Refusal<string>, requestId: string) => {
  const { status, message } = statusAndMessageOf(refusal);
  return {
    code: status,
    key: refusal.refused,
    message,
    ...(refusal.details === undefined ? {} : { details: refusal.details }),
    ...(refusal.redemption === undefined ? {} : { redemption: refusal.redemption }),
    request_id: requestId,
    ...(refusal.resourceId === undefined ? {} : { resource_id: refusal.resourceId }),
    ...(refusal.resourceType === undefined ? {} : { resource_type: refusal.resourceType }),
  };
};

/** Shows the order after a step; `show` adds what the request's order is known by. */
export type ShowOrder = (order: CalculatedOrder) => Parameters<typeof renderOrder>[0];

/** One evaluated redeemable as validations (all of them) and redemptions (those left out) show it.
 *  Source: reference 03 §5.1, §5.2. */
export const renderRedeemable = (
  evaluated: EvaluatedRedeemable,
  { expand, requestId, show }: { expand: ReadonlySet<Expand>; requestId: string; show: ShowOrder },
) => {
  const { id, object, calculated } = evaluated;
  switch (calculated.status) {
    case 'APPLICABLE':
      return {
        status: calculated.status,
        id,
        object,
        ...(calculated.order && expand.has('order') ? { order: renderOrder(show(calculated.order)) } : {}),
        applicable_to: calculated.applicable_to,
        inapplicable_to: calculated.inapplicable_to,
        result: calculated.result,
        ...expanded(evaluated, expand),
      };
    case 'INAPPLICABLE': {
      const error = renderRedeemableError(calculated.refusal, requestId);
      return {
        status: calculated.status,
        id,
        object,
        result: {
          error,
          details: { message: error.message, key: error.key },
          ...(calculated.bundle ? { bundle: calculated.bundle } : {}),
        },
        ...expanded(evaluated, expand),
      };
    }
    case 'SKIPPED':
      return {
        status: calculated.status,
        id,
        object,
        result: { details: { key: calculated.reason, message: skipMessages[calculated.reason] } },
        ...expanded(evaluated, expand),
      };
  }
};
