import type { OrderSnapshot, StoredOrder } from '@scrip/contracts/customers';
import { isRefused } from '@scrip/kernel';
import {
  heldDifferences,
  type CalculatedOrder,
  type OrderDifference,
  type OrderState,
  keptDifferences,
  normaliseOrder,
  withoutTotals,
} from '@scrip/order-calculation';
import type { QualificationRefusal } from '../qualification.refusals';
import type { OrderRequest } from '../request/order-request';

/** The order of a request: ready to be calculated with, and the stored one it names. */
export interface RequestOrder {
  sent: OrderRequest;
  state: OrderState;
  stored: StoredOrder | null;
}

const namedBy = ({ id }: OrderRequest): 'id' | 'source_id' => (id === undefined ? 'source_id' : 'id');

/** Undefined where one of the redemptions is from before differences were kept. */
const knownDifferences = (order: OrderSnapshot): OrderDifference[] | undefined =>
  Object.values(order.redemptions).every(({ difference, rollback_id }) => difference ?? rollback_id)
    ? Object.values(heldDifferences(order))
    : undefined;

/** `stored`: what the request's id or source id names; null = nothing. Refuses what cannot be calculated with.
 *  Source: reference 03 §3.3. */
export const requestOrder = (
  sent: OrderRequest,
  stored: RequestOrder['stored'],
): RequestOrder | QualificationRefusal => {
  const differences = stored && knownDifferences(stored.order);
  const named = stored && {
    namedBy: namedBy(sent),
    order: stored.order,
    ...(differences ? { differences } : {}),
  };
  const state = normaliseOrder(sent, named, '.order');
  return isRefused(state) ? state : { sent, state, stored };
};

/** Whether what was sent beside the name counts. Source: reference 03 §3.3. */
const overwrites = ({ sent, stored }: RequestOrder): boolean => stored === null || sent.id !== undefined;

/** The entries of earlier redemptions with what the order still holds of them. */
const keptEntries = ({ sent, state }: RequestOrder, stored: OrderSnapshot): OrderSnapshot['redemptions'] => {
  const kept = keptDifferences(heldDifferences(stored), sent, namedBy(sent), state);
  return Object.fromEntries(
    Object.entries(stored.redemptions).map(([id, entry]) => {
      const difference = kept[id];
      return [id, difference ? { ...entry, difference } : entry];
    }),
  );
};

/** What the request's order becomes with these figures. `newId` names an order that is created; an order belongs to the
 *  customer it had, else to the one of the request. Its status becomes PAID unless another is sent.
 *  Source: reference 03 §6.1. */
export const orderAfter = (
  order: RequestOrder,
  calculated: CalculatedOrder,
  { newId, customerId, at }: { newId: string; customerId: string | null; at: string },
): OrderSnapshot => {
  const { sent, stored } = order;
  const status = sent.status ?? 'PAID';
  if (!stored) {
    return {
      id: newId,
      source_id: sent.source_id ?? null,
      status,
      customer_id: customerId,
      referrer_id: null,
      ...calculated,
      metadata: sent.metadata ?? {},
      redemptions: {},
      created_at: at,
      updated_at: null,
    };
  }
  return {
    ...withoutTotals(stored.order),
    status,
    customer_id: stored.order.customer_id ?? customerId,
    ...calculated,
    metadata: overwrites(order) ? { ...stored.order.metadata, ...sent.metadata } : stored.order.metadata,
    redemptions: keptEntries(order, stored.order),
    updated_at: at,
  };
};
