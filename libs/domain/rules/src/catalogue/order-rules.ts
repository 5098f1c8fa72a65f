import { type OrderState, openTotalOf, unitPriceOf } from '@scrip/order-calculation';
import type { RuleEntry } from './rule-entry';

/** The value of an order whose amount is known, minor units. */
const valueOf = (order: OrderState | null | undefined): number | undefined =>
  order?.amount === undefined ? undefined : openTotalOf(order);

const unitsOf = (order: OrderState): number => {
  let units = 0;
  for (const line of order.lines) units += line.quantity;
  return units;
};

/** Rules about amounts, units and metadata of the order. Source: reference 02 §3.1. */
export const orderRules: readonly RuleEntry[] = [
  {
    name: 'order.amount',
    group: 'order',
    qualifies: false,
    measure: { of: 'request', kind: 'number', value: ({ order }) => valueOf(order?.before) },
  },
  {
    name: 'order.total_amount',
    group: 'order',
    qualifies: true,
    needsResult: true,
    measure: { of: 'request', kind: 'number', value: ({ order }) => valueOf(order?.after) },
  },
  {
    name: 'order.initial_amount',
    group: 'order',
    qualifies: true,
    measure: { of: 'request', kind: 'number', value: ({ order }) => valueOf(order?.initial) },
  },
  {
    name: 'order.items.count',
    group: 'order',
    qualifies: true,
    measure: {
      of: 'request',
      kind: 'number',
      value: ({ order }) => (order ? unitsOf(order.before) : undefined),
    },
  },
  {
    name: 'order.items.price_any',
    group: 'order',
    qualifies: true,
    measure: { of: 'lines', quantifier: 'any', kind: 'number', value: unitPriceOf },
  },
  {
    name: 'order.items.price_each',
    group: 'order',
    qualifies: true,
    measure: { of: 'lines', quantifier: 'every', kind: 'number', value: unitPriceOf },
  },
  {
    name: 'order.items.metadata_any',
    group: 'order',
    qualifies: true,
    measure: { of: 'lines', quantifier: 'any', schema: 'order_item', metadata: ({ echo }) => echo.metadata },
  },
  {
    name: 'order.items.metadata_each',
    group: 'order',
    qualifies: true,
    measure: {
      of: 'lines',
      quantifier: 'every',
      schema: 'order_item',
      metadata: ({ echo }) => echo.metadata,
    },
  },
  {
    name: 'order.metadata',
    group: 'order',
    qualifies: true,
    measure: { of: 'request', schema: 'order', metadata: ({ order }) => order?.metadata },
  },
];
