import { isDeepStrictEqual } from 'node:util';
import type { OrderEvent, OrderSnapshot, OrderStatus } from '@scrip/contracts/customers';
import type { Instant, Metadata } from '@scrip/contracts/snapshot';
import { type Refusal, isRefused, notFound } from '@scrip/kernel';
import { type OrderChecks, orderMetadataRefusal } from '@scrip/metadata-schemas';
import {
  type Catalogue,
  type NamedOrder,
  type OrderItemInput,
  keptRedemptions,
  knownDifferences,
  normaliseOrder,
  orderView,
  storedOrderState,
  withoutTotals,
} from '@scrip/order-calculation';
import { changeOrder } from './order-change';
import { tooLarge } from './order-size';

/** What a call says about an order; what it leaves out stays as it is. Amounts: minor units. */
export interface OrderDraft {
  source_id?: string | null;
  status?: OrderStatus;
  amount?: number;
  items?: readonly OrderItemInput[];
  metadata?: Metadata;
  customer_id?: string;
  referrer_id?: string | null;
}

/** A call that stores an order. */
export interface WriteOrder {
  type: 'CreateOrder' | 'ChangeOrder';
  order_id: string;
  draft: OrderDraft;
  /** The records that the draft's items name; absent: none. */
  catalogue?: Catalogue;
  /** Absent: metadata are stored as sent. */
  checks?: OrderChecks;
  now: Instant;
}

/** What a write of an order is refused with. */
export type WriteRefusal = Refusal<'invalid_payload' | 'not_found' | 'metadata_validation_failed'>;

const storable = (before: OrderSnapshot | undefined, after: OrderSnapshot): OrderEvent[] | WriteRefusal =>
  tooLarge(after, 'Payload cannot make the order') ?? changeOrder(before, after);

/** A new order; nothing where it exists: the same call stored it before. Refuses `metadata_validation_failed`, and
 *  `invalid_payload` for figures that no order can have. Source: reference 07 §5. */
const createOrder = (
  { order_id, draft, catalogue, checks, now }: WriteOrder,
  order: OrderSnapshot | undefined,
): OrderEvent[] | WriteRefusal => {
  if (order) return [];
  const misfit = checks && orderMetadataRefusal(checks, { stored: null, sent: draft });
  if (misfit) return misfit;
  const state = normaliseOrder(draft, null, '', catalogue && { catalogue });
  if (isRefused(state)) return state;
  return storable(undefined, {
    id: order_id,
    source_id: draft.source_id ?? null,
    status: draft.status ?? 'CREATED',
    customer_id: draft.customer_id ?? null,
    referrer_id: draft.referrer_id ?? null,
    ...orderView(state, state),
    metadata: draft.metadata ?? {},
    redemptions: {},
    created_at: now,
    updated_at: null,
  });
};

/** The order with the figures that the draft leaves it. Figures that come out as they were keep what the last redemption
 *  noted beside them. */
const withFigures = (
  order: OrderSnapshot,
  { draft, catalogue }: WriteOrder,
): OrderSnapshot | WriteRefusal => {
  if (draft.items === undefined && draft.amount === undefined) return order;
  const differences = knownDifferences(order);
  const named: NamedOrder = { namedBy: 'id', order, ...(differences ? { differences } : {}) };
  const state = normaliseOrder(draft, named, '', catalogue && { catalogue });
  if (isRefused(state)) return state;
  const view = orderView(state, state);
  const before = storedOrderState(order, undefined, differences);
  if (isDeepStrictEqual(view, orderView(before, before))) return order;
  return { ...withoutTotals(order), ...view, redemptions: keptRedemptions(order, draft, 'id', state) };
};

/** A stored order with what the draft says over it: items replace the list and, like an amount, the figures; metadata is
 *  merged by its top-level keys. Nothing where nothing differs. Refuses `not_found`, and as `createOrder`.
 *  Source: reference 07 §1.1, §5. */
const changeStoredOrder = (
  command: WriteOrder,
  order: OrderSnapshot | undefined,
): OrderEvent[] | WriteRefusal => {
  const { order_id, draft, checks, now } = command;
  if (!order) return notFound('order', order_id);
  const misfit = checks && orderMetadataRefusal(checks, { stored: order.metadata, sent: draft });
  if (misfit) return misfit;
  const figured = withFigures(order, command);
  if (isRefused(figured)) return figured;
  const after: OrderSnapshot = {
    ...figured,
    source_id: draft.source_id === undefined ? order.source_id : draft.source_id,
    status: draft.status ?? order.status,
    customer_id: draft.customer_id ?? order.customer_id,
    referrer_id: draft.referrer_id === undefined ? order.referrer_id : draft.referrer_id,
    metadata: { ...order.metadata, ...draft.metadata },
  };
  return isDeepStrictEqual(order, after) ? [] : storable(order, { ...after, updated_at: now });
};

/** Decides as `createOrder` and `changeStoredOrder` say. */
export const decideOrderWrite = (
  command: WriteOrder,
  order: OrderSnapshot | undefined,
): OrderEvent[] | WriteRefusal => {
  switch (command.type) {
    case 'CreateOrder':
      return createOrder(command, order);
    case 'ChangeOrder':
      return changeStoredOrder(command, order);
  }
};
