import type { ClaimRow, ObjectClaim } from '@scrip/claims';
import type { OrderSnapshot } from '@scrip/contracts/customers';
import type { RowChange } from '@scrip/event-store';
import { type Refusal, type RequestContext, refuse } from '@scrip/kernel';

/** A claim on an order and the project it belongs to. */
export interface OrderClaimKey extends ObjectClaim {
  project_id: string;
}

/** A claim as it is stored. `kept`, `context`: what the order becomes, and the request that wants it; gone once the claim
 *  is settled. `base_version` null: the order is new. */
export interface OrderClaim extends ClaimRow, OrderClaimKey {
  kept: OrderSnapshot | null;
  base_version: number | null;
  context: RequestContext | null;
}

/** A claim that holds its order. */
export type OpenOrderClaim = OrderClaim & { kept: OrderSnapshot; context: RequestContext };

/** A claim as it is made. `source_id` of a new order only: no other order may have it. `after`: the claim whose draft
 *  `kept` was calculated on, null where that was the stored order. */
export interface NewOrderClaim extends OrderClaimKey {
  base_version: number | null;
  after: string | null;
  source_id: string | null;
  kept: OrderSnapshot;
  context: RequestContext;
  replaces: readonly string[];
}

/** The refusal of a change of an order that another request holds. Source: reference 03 §8. */
export const orderInUse = (orderId: string): Refusal<'multiple_requests'> =>
  refuse('multiple_requests', 'Order is in use by another request', {
    resourceId: orderId,
    resourceType: 'order',
  });

const move = (
  { project_id, object_id, claim_id, redemption_id }: OrderClaimKey,
  from: OrderClaim['state'],
  to: object,
): RowChange => ({
  update: 'order_claims',
  key: { project_id, object_id, claim_id },
  expect: { state: from, redemption_id },
  set: { ...to },
});

/** The row change that goes with a confirmation's events. */
export const confirmed = (claim: OrderClaimKey): RowChange =>
  move(claim, 'PROVISIONAL', { state: 'CONFIRMED', kept: null, context: null });

/** The row change that goes with a refund's events. */
export const refunded = (claim: OrderClaimKey, rollbackId: string): RowChange =>
  move(claim, 'CONFIRMED', { state: 'REFUNDED', rollback_id: rollbackId });
