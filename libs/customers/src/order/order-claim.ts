import type { OrderSnapshot } from '@scrip/contracts';
import type { RowChange } from '@scrip/event-store';
import { type Refusal, type RequestContext, refuse } from '@scrip/kernel';

/** PROVISIONAL → CONFIRMED → REFUNDED, or PROVISIONAL → REVERTED; a REVERTED row that was never anything else is a
 *  tombstone: it refuses a late claim for ever. Source: architecture §8.2. */
export type OrderClaimState = 'PROVISIONAL' | 'CONFIRMED' | 'REFUNDED' | 'REVERTED';

/** Names a claim. */
export interface ClaimKey {
  redemption_id: string;
  claim_id: string;
}

/** A claim as it is stored. `draft`, `context`: what the order shall become, and the request that wants it; gone once
 *  the claim is settled. `base_version` null: the order is new. */
export interface OrderClaim extends ClaimKey {
  project_id: string;
  order_id: string;
  state: OrderClaimState;
  base_version: number | null;
  draft: OrderSnapshot | null;
  context: RequestContext | null;
}

/** A claim as it is made. `source_id` of a new order only: it must be nobody else's. */
export interface NewOrderClaim extends ClaimKey {
  project_id: string;
  order_id: string;
  base_version: number | null;
  source_id: string | null;
  draft: OrderSnapshot;
  context: RequestContext;
  replaces: readonly string[];
}

/** Told to the coordinator, which abandoned the claim itself. */
export const claimAbandoned = (claimId: string): Refusal =>
  refuse('claim_abandoned', claimId, { status: 503, message: 'The redemption was abandoned' });

/** Told to whoever comes second. Source: spec 03 §8. */
export const orderInUse = (orderId: string): Refusal =>
  refuse('multiple_requests', 'Order is in use by another request', {
    resourceId: orderId,
    resourceType: 'order',
  });

const move = ({ redemption_id, claim_id }: ClaimKey, from: OrderClaimState, to: object): RowChange => ({
  update: 'order_claims',
  key: { redemption_id, claim_id },
  expect: { state: from },
  set: { ...to },
});

/** The row change that goes with a confirmation's events. */
export const confirmed = (claim: ClaimKey): RowChange =>
  move(claim, 'PROVISIONAL', { state: 'CONFIRMED', draft: null, context: null });

/** The row change that goes with a refund's events. */
export const refunded = (claim: ClaimKey, rollbackId: string): RowChange =>
  move(claim, 'CONFIRMED', { state: 'REFUNDED', rollback_id: rollbackId });
