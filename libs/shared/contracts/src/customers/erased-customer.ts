import type { CustomerErased } from './customer.events';

/** What an answer or a webhook may go on saying of an erased customer. */
const kept = ['id', 'summary', 'loyalty', 'referrals', 'created_at', 'updated_at', 'object'];

/** A customer of a project who is erased. */
export interface ErasedCustomer {
  projectId: string;
  customerId: string;
}

/** Returns the customers that a batch of events says were deleted permanently. */
export const erasedCustomers = (
  events: readonly { type: string; projectId: string; data: unknown }[],
): ErasedCustomer[] =>
  events
    .filter(({ type }) => type === 'CustomerErased')
    .map(({ projectId, data }) => ({ projectId, customerId: (data as CustomerErased['data']).customer_id }));

/** A copy of a rendered value in which the customer of that id says nothing about the person any more, wherever it stands. */
export const erasedIn = (value: unknown, customerId: string): unknown => {
  if (Array.isArray(value)) return value.map((item) => erasedIn(item, customerId));
  if (typeof value !== 'object' || value === null) return value;
  const { id, object } = value as { id?: unknown; object?: unknown };
  const entries = Object.entries(value);
  if (id !== customerId || object !== 'customer')
    return Object.fromEntries(entries.map(([name, inner]) => [name, erasedIn(inner, customerId)]));
  return Object.fromEntries(
    entries.flatMap(([name, inner]): [string, unknown][] => {
      if (kept.includes(name)) return [[name, inner]];
      if (name === 'metadata') return [[name, {}]];
      return name === 'address' ? [[name, null]] : [];
    }),
  );
};

/** The ids of customers that a JSON text may show: all strings of their form. */
export const customersNamedIn = (json: string): string[] => [
  ...new Set(Array.from(json.matchAll(/"(cust_\w+)"/g), ([, id]) => id!)),
];
