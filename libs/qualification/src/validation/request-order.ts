import type { OrderSnapshot } from '@scrip/contracts';
import { type Refusal, isRefused } from '@scrip/kernel';
import { type CalculatedOrder, type OrderState, normaliseOrder } from '@scrip/order-calculation';
import type { OrderRequest } from '../request/order-request';

/** The order of a request: ready to be calculated with, and the stored one it names with its version. */
export interface RequestOrder {
  sent: OrderRequest;
  state: OrderState;
  stored: { order: OrderSnapshot; version: number } | null;
}

/** `stored`: what the request's id or source id names; null = nothing. Refuses what cannot be calculated with.
 *  Source: spec 03 §3.3. */
export const requestOrder = (sent: OrderRequest, stored: RequestOrder['stored']): RequestOrder | Refusal => {
  const namedBy = sent.id === undefined ? 'source_id' : 'id';
  const state = normaliseOrder(sent, stored && { namedBy, order: stored.order }, '.order');
  return isRefused(state) ? state : { sent, state, stored };
};

/** Whether what was sent beside the name counts. Source: spec 03 §3.3. */
const overwrites = ({ sent, stored }: RequestOrder): boolean => stored === null || sent.id !== undefined;

const totalFields = [
  'amount',
  'initial_amount',
  'discount_amount',
  'items_discount_amount',
  'total_discount_amount',
  'total_amount',
  'applied_discount_amount',
  'items_applied_discount_amount',
  'total_applied_discount_amount',
] as const;

const withoutTotals = (order: OrderSnapshot): OrderSnapshot => {
  const rest: OrderSnapshot = { ...order };
  for (const field of totalFields) delete rest[field];
  return rest;
};

/** What the request's order becomes with these figures. `newId` names an order that is created; an order belongs to the
 *  customer it had, else to the one of the request. Its status becomes PAID unless another is sent.
 *  Source: spec 03 §6.1. */
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
    updated_at: at,
  };
};
