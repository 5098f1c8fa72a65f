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

const names = (value: unknown, customerId: string): boolean => {
  const { customer_id, customer } = (value ?? {}) as { customer_id?: unknown; customer?: unknown };
  return customer_id === customerId || (customer as { id?: unknown } | null | undefined)?.id === customerId;
};

/** Whether an object is about the customer: what was published to it, redeemed by it or validated for it, by its own customer or by
 *  the one of its order. */
const isAbout = (value: { order?: unknown }, customerId: string): boolean =>
  names(value, customerId) || names(value.order, customerId);

/** Entries of redemptions always have the field; all other objects leave out what they have not. */
const withoutTracking = ({ tracking_id: _, ...value }: Record<string, unknown>): Record<string, unknown> =>
  'related_object_type' in value ? { ...value, tracking_id: null } : value;

/** A copy of a rendered value in which the customer of that id says nothing about the person any more, wherever it stands: nor do
 *  the tracking ids of what was published to it or redeemed by it, which are its source id or made of it. */
export const erasedIn = (value: unknown, customerId: string): unknown => {
  if (Array.isArray(value)) return value.map((item) => erasedIn(item, customerId));
  if (typeof value !== 'object' || value === null) return value;
  const { id, object } = value as { id?: unknown; object?: unknown };
  if (id === customerId && object === 'customer')
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
        if (kept.includes(name)) return [[name, inner]];
        if (name === 'metadata') return [[name, {}]];
        return name === 'address' ? [[name, null]] : [];
      }),
    );
  const fields = value as Record<string, unknown>;
  const shown = 'tracking_id' in fields && isAbout(fields, customerId) ? withoutTracking(fields) : fields;
  return Object.fromEntries(
    Object.entries(shown).map(([name, inner]) => [name, erasedIn(inner, customerId)]),
  );
};

/** The ids of customers that a JSON text may show: all strings of their form. */
export const customersNamedIn = (json: string): string[] => [
  ...new Set(Array.from(json.matchAll(/"(cust_\w+)"/g), ([, id]) => id!)),
];
