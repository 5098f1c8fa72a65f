import type { CatalogItem } from '@scrip/contracts/catalog';
import { orderBytesMax, type OrderSnapshot, type StoredOrder } from '@scrip/contracts/customers';
import { isRefused, refuse } from '@scrip/kernel';
import {
  type CalculatedOrder,
  type OrderItemInput,
  type OrderKnowledge,
  type OrderState,
  keptRedemptions,
  knownDifferences,
  normaliseOrder,
  withoutTotals,
} from '@scrip/order-calculation';
import type { QualificationRefusal } from '../qualification.refusals';
import type { OrderRequest } from '@scrip/wire/requests';

/** The order of a request: ready to be calculated with, and the stored one it names. */
export interface RequestOrder {
  sent: OrderRequest;
  state: OrderState;
  stored: StoredOrder | null;
}

/** The order of a request before it is calculated with. `found`: the records of sent items that count; null: those of the
 *  stored order count as they are. */
export type LoadedOrder = Pick<RequestOrder, 'sent' | 'stored'> & { found: CatalogItem[] | null };

const namedBy = ({ id }: OrderRequest): 'id' | 'source_id' => (id === undefined ? 'source_id' : 'id');

/** Whether what was sent beside the name counts. Source: reference 03 §3.3. */
export const overwrites = ({ sent, stored }: Pick<RequestOrder, 'sent' | 'stored'>): boolean =>
  stored === null || sent.id !== undefined;

/** What records add to a few bytes of names may be much, and each redeemable shows the items. */
const itemsMustBeStorable = ({ lines }: OrderState): QualificationRefusal | null => {
  let left = orderBytesMax;
  for (const { echo } of lines) {
    left -= Buffer.byteLength(JSON.stringify(echo));
    if (left < 0)
      return refuse('invalid_payload', `Property .order cannot be larger than ${orderBytesMax} bytes`);
  }
  return null;
};

/** The items that count: those sent, else those of the stored order. */
export const countingItems = ({
  sent,
  stored,
}: Pick<RequestOrder, 'sent' | 'stored'>): readonly OrderItemInput[] =>
  (overwrites({ sent, stored }) ? sent.items : undefined) ?? stored?.order.items ?? [];

/** `stored`: what the request's id or source id names; null = nothing. `knowledge`: records and collections of the items that
 *  count; prices, names and metadata of records count where what was sent does. Refuses what cannot be calculated with, and items
 *  that with their records are larger than an order can be. Source: reference 03 §3.3. */
export const requestOrder = (
  sent: OrderRequest,
  stored: RequestOrder['stored'],
  knowledge: OrderKnowledge,
): RequestOrder | QualificationRefusal => {
  const differences = stored && knownDifferences(stored.order);
  const named = stored && {
    namedBy: namedBy(sent),
    order: stored.order,
    ...(differences ? { differences } : {}),
  };
  const state = normaliseOrder(sent, named, '.order', knowledge);
  if (isRefused(state)) return state;
  return itemsMustBeStorable(state) ?? { sent, state, stored };
};

/** The metadata of the request's order: what was sent is laid over the stored, where it counts. */
export const orderMetadata = (order: Pick<RequestOrder, 'sent' | 'stored'>): OrderSnapshot['metadata'] => {
  const { sent, stored } = order;
  if (!stored) return sent.metadata ?? {};
  return overwrites(order) ? { ...stored.order.metadata, ...sent.metadata } : stored.order.metadata;
};

/** What the request's order becomes with these figures. `newId` names an order that is created; an order belongs to the
 *  customer it had, else to the one of the request. Its status becomes PAID unless another is sent.
 *  Source: reference 03 §6.1. */
export const orderAfter = (
  order: RequestOrder,
  calculated: CalculatedOrder,
  { newId, customerId, at }: { newId: string; customerId: string | null; at: string },
): OrderSnapshot => {
  const { sent, state, stored } = order;
  const status = sent.status ?? 'PAID';
  if (!stored) {
    return {
      id: newId,
      source_id: sent.source_id ?? null,
      status,
      customer_id: customerId,
      referrer_id: null,
      ...calculated,
      metadata: orderMetadata(order),
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
    metadata: orderMetadata(order),
    redemptions: keptRedemptions(stored.order, sent, namedBy(sent), state),
    updated_at: at,
  };
};
