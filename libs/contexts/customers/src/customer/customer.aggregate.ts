import type { CustomerEvent } from '@scrip/contracts/customers';
import type { AggregateDefinition } from '@scrip/event-store';
import { type CustomerState, evolveCustomer } from './customer.decider';

/** Stream `customer`; table `customers`. */
export const customerAggregate: AggregateDefinition<CustomerState, CustomerEvent> = {
  aggregate: 'customer',
  table: 'customers',
  evolve: evolveCustomer,
  columns: {
    created_at: { type: 'timestamptz', of: (state) => state.created_at },
    // A customer that never changed counts as changed when it was created.
    changed_at: { type: 'timestamptz', of: (state) => state.updated_at ?? state.created_at },
    deleted_at: { type: 'timestamptz', of: (state) => state.deleted_at },
  },
};
