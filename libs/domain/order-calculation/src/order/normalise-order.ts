import { type Refusal, isRefused } from '@scrip/kernel/pure';
import type { OrderRefusalKey } from '../calculation-refusals';
import type { CalculatedOrder, CalculatedOrderItem, OrderInput, OrderItemInput } from './order';
import { type Catalogue, emptyCatalogue } from '../catalogue/catalogue';
import { identityOf, recordOf } from '../catalogue/identify';
import { type LineState, type OrderState, changedLine, itemsDiscountOf, shareOf } from './order-state';
import { DifferenceLedger } from './difference-ledger';
import { type LineKnowledge, normaliseLine } from './normalise-line';
import type { LineFigures, OrderDifference } from './order-difference';
import { invalidProperty, readInteger } from './sent-number';

/** Most lines of one order. Source: reference 01 §3. */
export const orderLinesMax = 500;

/** A stored order that a request names: by `id`, so that sent fields overwrite it, or by `source_id`, so that sent
 *  items and amounts are ignored. Source: reference 01 §3. */
export interface NamedOrder {
  namedBy: 'id' | 'source_id';
  order: CalculatedOrder;
  /** What its live redemptions did, all of them; absent: not known. */
  differences?: readonly OrderDifference[];
}

/** What is known of a request's items: their records, and the collections of each item that counts, sent or stored (by
 *  its index), where the caller has decided them. */
export interface OrderKnowledge {
  readonly catalogue: Catalogue;
  readonly collections?: readonly (readonly string[])[];
}

const nothingKnown: OrderKnowledge = { catalogue: emptyCatalogue };

/** Free units of a line of which it is unknown what redemptions did to it: units that were added and discounted in
 *  full. Units that replaced others are discounted too, yet most of their price is paid: only as many are free as the
 *  discount holds. */
const addedFreeQuantity = ({
  quantity,
  initial_quantity,
  amount = 0,
  discount_amount = 0,
  discount_quantity = 0,
}: CalculatedOrderItem): number => {
  const added = Math.max(0, Math.min(discount_quantity, quantity - initial_quantity));
  return discount_amount < shareOf(amount, added, quantity)
    ? Number((BigInt(discount_amount) * BigInt(quantity)) / BigInt(amount))
    : added;
};

const storedLine = (
  item: CalculatedOrderItem,
  { catalogue, collections }: LineKnowledge,
  known: LineFigures | undefined,
): LineState => {
  const {
    quantity,
    initial_quantity,
    amount,
    initial_amount,
    discount_amount = 0,
    discount_quantity = 0,
    applied_discount_amount: _,
    applied_discount_quantity: __,
    applied_quantity: ___,
    applied_quantity_amount: ____,
    subtotal_amount: _____,
    application_details: ______,
    ...echo
  } = item;
  return {
    echo,
    identity: identityOf(item, recordOf(item, catalogue), collections),
    quantity,
    amount,
    initialQuantity: initial_quantity,
    initialAmount: initial_amount,
    discountAmount: discount_amount,
    discountQuantity: Math.max(discount_quantity, known?.discount_quantity ?? 0),
    freeQuantity: known ? Math.max(0, Math.min(known.free_quantity, quantity)) : addedFreeQuantity(item),
    replacements: [],
  };
};

/** A stored order with its cumulative discounts, nothing applied yet. `differences`: what its live redemptions did. */
export const storedOrderState = (
  order: CalculatedOrder,
  { catalogue, collections }: OrderKnowledge = nothingKnown,
  differences?: readonly OrderDifference[],
): OrderState => {
  const ledger = differences && new DifferenceLedger(differences);
  return {
    amount: order.amount,
    initialAmount: order.initial_amount ?? order.amount,
    discountAmount: order.discount_amount ?? 0,
    lines: order.items.map((item, index) =>
      storedLine(item, { catalogue, collections: collections?.[index] }, ledger?.figuresAt(index)),
    ),
  };
};

const sumOf = (lines: readonly LineState[], path: string): number | undefined | Refusal<OrderRefusalKey> => {
  if (lines.length === 0) return undefined;
  let sum = 0;
  for (const line of lines) sum += line.amount ?? 0;
  return Number.isSafeInteger(sum)
    ? sum
    : invalidProperty(`${path}.amount`, `must be <= ${Number.MAX_SAFE_INTEGER}`);
};

const normaliseLines = (
  items: readonly OrderItemInput[],
  path: string,
  { catalogue, collections }: OrderKnowledge,
): LineState[] | Refusal<OrderRefusalKey> => {
  if (items.length > orderLinesMax) {
    return invalidProperty(`${path}.items`, `must NOT have more than ${orderLinesMax} items`);
  }
  const lines: LineState[] = [];
  for (const [index, item] of items.entries()) {
    const line = normaliseLine(item, `${path}.items[${index}]`, {
      catalogue,
      collections: collections?.[index],
    });
    if (isRefused(line)) return line;
    lines.push(line);
  }
  return lines;
};

/** Item discounts lowered from the last line backwards until they hold no more than `amount`. */
const cutItemDiscounts = (lines: readonly LineState[], amount: number): LineState[] => {
  let left = amount;
  return lines.map((line) => {
    const discountAmount = Math.min(line.discountAmount, left);
    left -= discountAmount;
    return changedLine(line, { discountAmount });
  });
};

/** A cart made smaller may hold less than earlier discounts took off; the excess is lost, of order-level discounts first.
 *  Source: reference 01 §2. */
export const withinAmount = (order: OrderState): OrderState => {
  if (order.amount === undefined) return { ...order, discountAmount: 0 };
  const rest = order.amount - itemsDiscountOf(order);
  if (rest < 0) return { ...order, discountAmount: 0, lines: cutItemDiscounts(order.lines, order.amount) };
  return order.discountAmount > rest ? { ...order, discountAmount: rest } : order;
};

/** The order a request means, ready to be discounted: what was sent, or the stored order it names with what was sent
 *  over it. Discounts of a stored order count: new ones apply to what is left; where items are overwritten, their
 *  discounts go and order-level ones stay. `path` leads the properties that refusals name (`.order`);
 *  `knowledge`: records and collections of the items that count, sent or stored.
 *  Refuses `invalid_payload`: more than 500 lines, figures that are no integers, too low or beyond 2^53 − 1.
 *  Source: reference 01 §3. */
export const normaliseOrder = (
  sent: OrderInput,
  named: NamedOrder | null = null,
  path = '',
  knowledge: OrderKnowledge = nothingKnown,
): OrderState | Refusal<OrderRefusalKey> => {
  const stored = named && storedOrderState(named.order, knowledge, named.differences);
  if (stored && named.namedBy === 'source_id') return withinAmount(stored);
  const lines = sent.items ? normaliseLines(sent.items, path, knowledge) : (stored?.lines ?? []);
  if (isRefused(lines)) return lines;
  const sentAmount = readInteger(sent.amount, `${path}.amount`, 0);
  if (isRefused(sentAmount)) return sentAmount;
  if (sentAmount === undefined && !sent.items && stored) return withinAmount(stored);
  const amount = sentAmount ?? sumOf(lines, path);
  if (isRefused(amount)) return amount;
  return withinAmount({ amount, initialAmount: amount, discountAmount: stored?.discountAmount ?? 0, lines });
};
