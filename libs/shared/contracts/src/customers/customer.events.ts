import type { Instant } from '../snapshot';

/** Customers: one stream per customer. The only topic with personal data, and only sealed: with a key of the customer's
 *  own that never leaves the service and that erasure destroys. Subscribers take notice of the id and ask the API for the
 *  rest. Source: reference 06 §9.2, §9.3. */
export type CustomerEvent = CustomerCreated | CustomerUpdated | CustomerDeleted | CustomerErased;

/** A customer became known, by any call. */
export interface CustomerCreated {
  type: 'CustomerCreated';
  data: {
    /** `cust_…`, the stream. */
    customer_id: string;
    /** The customer, encrypted; only the service can open it. */
    sealed: string;
    /** Only of a bulk creation, which sends no webhook. */
    bulk?: boolean;
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

/** A customer was deleted: no read shows it any more, and its source id is free. */
export interface CustomerDeleted {
  type: 'CustomerDeleted';
  data: {
    /** `cust_…`, the stream. */
    customer_id: string;
    /** The customer as it was, but for its source id (`<source_id>_deleted<timestamp>`); encrypted, only the service can
     *  open it. Empty where the customer was erased at once. */
    sealed: string;
    /** Of the customer; absent in events of November 2026. */
    created_at?: Instant;
    deleted_at: Instant;
  };
}

/** A customer's key was destroyed: nothing opens any more what was sealed with it, and subscribers forget what they know of
 *  the person. */
export interface CustomerErased {
  type: 'CustomerErased';
  data: {
    /** `cust_…`, the stream. */
    customer_id: string;
    erasure: CustomerErasure;
  };
}

/** A permanent deletion, as its caller is told of it. */
export interface CustomerErasure {
  /** `del_…`. */
  id: string;
  erased_at: Instant;
  /** Entries of its activity, which are deleted; absent in events of earlier releases. */
  events?: number;
  /** Events of the customer that nothing can open any more. */
  customer_events: number;
  /** Segments that it was in. */
  segments: number;
  /** Orders that name it. */
  orders: number;
  /** Events of these orders. */
  order_events: number;
}
