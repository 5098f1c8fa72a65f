import type { OrderRedemption, OrderSnapshot } from '@scrip/contracts/customers';
import type { CalculatedOrder } from '@scrip/order-calculation';

/** An order that answers show: a stored one, or the calculated one of a validation, which has no id, status and dates
 *  of its own. */
export type ShownOrder = CalculatedOrder &
  Partial<Pick<OrderSnapshot, 'id' | 'source_id' | 'status' | 'redemptions' | 'created_at' | 'updated_at'>> &
  Pick<OrderSnapshot, 'customer_id' | 'referrer_id' | 'metadata'>;

/** A stored or calculated order as answers show it. Amounts: minor units; `redemptions` by parent redemption id. */
export type OrderResponse = Omit<ShownOrder, 'redemptions'> & {
  customer?: CustomerReference;
  referrer?: CustomerReference;
  redemptions?: Record<string, OrderRedemptionResponse>;
  object: 'order';
};

/** What one redemption left on an order, as answers show it. */
export type OrderRedemptionResponse = Omit<
  OrderRedemption,
  'related_object_parent_id' | 'difference' | 'referrer_id'
> & {
  related_object_parent_id?: string;
};

/** Names a customer. */
export interface CustomerReference {
  id: string;
  object: 'customer';
}

const reference = (id: string): CustomerReference => ({ id, object: 'customer' });

const renderRedemptionEntry = ({
  related_object_parent_id,
  difference: _,
  referrer_id: __,
  ...entry
}: OrderRedemption): OrderRedemptionResponse =>
  related_object_parent_id === null ? entry : { ...entry, related_object_parent_id };

/** The order as redemption, validation and order answers show it (contract `OrderCalculated` with `items`): customer
 *  and referrer as references, absent when unknown, their ids always there. Source: reference 07 §5, reference 03 §5.1. */
export const renderOrder = ({ redemptions, ...order }: ShownOrder): OrderResponse => ({
  ...order,
  ...(order.customer_id === null ? {} : { customer: reference(order.customer_id) }),
  ...(order.referrer_id === null ? {} : { referrer: reference(order.referrer_id) }),
  ...(redemptions && {
    redemptions: Object.fromEntries(
      Object.entries(redemptions).map(([id, entry]) => [id, renderRedemptionEntry(entry)]),
    ),
  }),
  object: 'order',
});

const simpleOrderFields = [
  'id',
  'status',
  'customer_id',
  'referrer_id',
  'amount',
  'discount_amount',
  'applied_discount_amount',
  'items_discount_amount',
  'items_applied_discount_amount',
  'total_discount_amount',
  'total_applied_discount_amount',
  'total_amount',
  'metadata',
] as const satisfies readonly (keyof OrderSnapshot)[];

const simpleItemFields = [
  'object',
  'source_id',
  'related_object',
  'product_id',
  'sku_id',
  'quantity',
  'applied_quantity',
  'applied_quantity_amount',
  'discount_quantity',
  'applied_discount_quantity',
  'amount',
  'discount_amount',
  'applied_discount_amount',
  'price',
  'subtotal_amount',
] as const satisfies readonly (keyof CalculatedOrder['items'][number])[];

const pick = <T extends object>(from: T, keys: readonly (keyof T & string)[]): Record<string, unknown> => {
  const picked: Record<string, unknown> = {};
  for (const key of keys) if (from[key] !== undefined) picked[key] = from[key];
  return picked;
};

/** The order as webhooks show it beside their subject (contract `SimpleOrder`). Source: reference 06 §2. */
export const simpleOrder = (order: OrderSnapshot): Record<string, unknown> => ({
  ...pick(order, simpleOrderFields),
  ...(order.source_id === null ? {} : { source_id: order.source_id }),
  items: order.items.map((item) => pick(item, simpleItemFields)),
  object: 'order',
});
