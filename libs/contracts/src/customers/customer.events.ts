import type { Instant } from '../snapshot';

/** Stream `customer` (service customers). `sealed` is the customer's personal data, encrypted with a key of the
 *  customer's own that erasure destroys. Source: spec 06 §9.2, §9.3. */
export type CustomerEvent = CustomerCreated | CustomerUpdated;

export interface CustomerCreated {
  type: 'CustomerCreated';
  data: { customer_id: string; sealed: string; created_at: Instant };
}

/** `bulk`: true for updates that send no webhook. */
export interface CustomerUpdated {
  type: 'CustomerUpdated';
  data: { customer_id: string; sealed: string; bulk: boolean; updated_at: Instant };
}
