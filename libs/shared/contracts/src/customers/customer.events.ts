import type { Instant } from '../snapshot';

/** Customers: one stream per customer. The only topic with personal data, and only sealed: with a key of the customer's
 *  own that never leaves the service and that erasure destroys. Subscribers take notice of the id and ask the API for the
 *  rest. Source: reference 06 §9.2, §9.3. */
export type CustomerEvent = CustomerCreated | CustomerUpdated;

/** A customer became known, by any call. */
export interface CustomerCreated {
  type: 'CustomerCreated';
  data: {
    /** `cust_…`, the stream. */
    customer_id: string;
    /** The customer, encrypted; only the service can open it. */
    sealed: string;
    created_at: Instant;
  };
}

/** A customer's identity, contact, address or metadata changed. */
export interface CustomerUpdated {
  type: 'CustomerUpdated';
  data: {
    /** `cust_…`, the stream. */
    customer_id: string;
    /** The customer after the change, encrypted; only the service can open it. */
    sealed: string;
    /** Whether it was a bulk update, which sends no webhook. */
    bulk: boolean;
    updated_at: Instant;
  };
}
