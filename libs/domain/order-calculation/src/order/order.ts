/** A number as callers send it: numeric strings are accepted where integers are meant. Source: reference 01 §2. */
export type SentNumber = number | string;

/** What a line says besides its figures. Source: reference 01 §3. */
interface OrderLineReference {
  source_id?: string;
  related_object?: 'product' | 'sku';
  product_id?: string;
  sku_id?: string;
  metadata?: Record<string, unknown>;
}

/** A line as a caller sends it. Amounts: minor units; quantities: units. Source: reference 01 §3. */
export interface OrderItemInput extends OrderLineReference {
  quantity?: SentNumber;
  initial_quantity?: SentNumber;
  price?: SentNumber;
  amount?: SentNumber;
  product?: {
    id?: string;
    source_id?: string;
    name?: string;
    price?: SentNumber | null;
    metadata?: Record<string, unknown>;
    override?: boolean;
  };
  sku?: {
    id?: string;
    source_id?: string;
    sku?: string;
    price?: SentNumber | null;
    metadata?: Record<string, unknown>;
    override?: boolean;
  };
}

/** The calculated part of an order as a caller sends it; everything else of an order is not calculated with.
 *  Source: reference 01 §3. */
export interface OrderInput {
  amount?: SentNumber | null;
  items?: readonly OrderItemInput[] | null;
}

/** One replacement of units of a line by units of another. Quantities and amounts leaving the source are negative;
 *  indices count the lines of the order, appended ones included. Source: reference 01 §7. */
export interface ReplacementDetail {
  source_index: number;
  source_applied_quantity: number;
  source_applied_quantity_amount: number;
  target_index: number;
  target_applied_quantity: number;
  target_applied_quantity_amount: number;
  target_applied_discount_amount: number;
}

/** A line after calculation; zero discount fields are left out. Source: reference 01 §4. */
export interface CalculatedOrderItem extends OrderLineReference {
  object: 'order_item';
  quantity: number;
  initial_quantity: number;
  price?: number;
  amount?: number;
  initial_amount?: number;
  discount_amount?: number;
  discount_quantity?: number;
  applied_discount_amount?: number;
  applied_discount_quantity?: number;
  applied_quantity?: number;
  applied_quantity_amount?: number;
  subtotal_amount?: number;
  application_details?: readonly ReplacementDetail[];
  product?: {
    id?: string;
    source_id?: string;
    name?: string;
    price?: number;
    metadata?: Record<string, unknown>;
  };
  sku?: {
    id?: string;
    source_id?: string;
    sku?: string;
    price?: number;
    metadata?: Record<string, unknown>;
  };
}

/** The totals of an order after calculation; zero discount fields are left out. Source: reference 01 §4. */
export interface OrderTotals {
  amount?: number;
  initial_amount?: number;
  discount_amount?: number;
  items_discount_amount?: number;
  total_discount_amount?: number;
  total_amount?: number;
  applied_discount_amount?: number;
  items_applied_discount_amount?: number;
  total_applied_discount_amount?: number;
}

const totals = [
  'amount',
  'initial_amount',
  'discount_amount',
  'items_discount_amount',
  'total_discount_amount',
  'total_amount',
  'applied_discount_amount',
  'items_applied_discount_amount',
  'total_applied_discount_amount',
] as const satisfies readonly (keyof OrderTotals)[];

/** A copy of an order that has lost its figures; its lines keep theirs. Source: reference 01 §4. */
export const withoutTotals = <T extends OrderTotals>(order: T): T => {
  const rest = { ...order };
  for (const total of totals) delete rest[total];
  return rest;
};

/** An order after calculation. Lines that a step left alone may be shared between orders: treat them as constant. */
export interface CalculatedOrder extends OrderTotals {
  items: CalculatedOrderItem[];
}
