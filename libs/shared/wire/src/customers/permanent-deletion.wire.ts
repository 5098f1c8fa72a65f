import type { CustomerErasure } from '@scrip/contracts/customers';

/** A permanent deletion of a customer (the spelling of `object` is part of the interface). Source: reference 07 §3. */
export const renderPermanentDeletion = (erasure: CustomerErasure & { customer_id: string }) => ({
  id: erasure.id,
  created_at: erasure.erased_at,
  related_object_id: erasure.customer_id,
  related_object: 'customer' as const,
  status: 'DONE' as const,
  data_json: {
    events: erasure.events ?? 0,
    customer_events: erasure.customer_events,
    daily_events: 0,
    segments: erasure.segments,
    orders: erasure.orders,
    order_events: erasure.order_events,
    customer: 1,
  },
  object: 'pernament_deletion' as const,
});

/** What a permanent deletion made unreadable: how many records of each kind. */
export type PermanentDeletionResponse = ReturnType<typeof renderPermanentDeletion>;
