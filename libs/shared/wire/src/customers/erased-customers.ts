import type { CustomerErased } from '@scrip/contracts/customers';

/** A customer of a project that was deleted permanently. */
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
