import type { OwnerRefusalKey } from '@scrip/contracts/claims';
import type { Refusal } from '@scrip/kernel';

/** What customers refuse with. They have no routes: callers of their port give each key a status. */
export type CustomersRefusalKey = Extract<
  OwnerRefusalKey,
  | 'not_found'
  | 'already_rolled_back'
  | 'claim_abandoned'
  | 'invalid_order'
  | 'invalid_payload'
  | 'multiple_requests'
>;

/** A refusal of customers. */
export type CustomersRefusal = Refusal<CustomersRefusalKey>;
