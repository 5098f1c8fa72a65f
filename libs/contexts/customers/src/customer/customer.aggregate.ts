import type { CustomerEvent } from '@scrip/contracts/customers';
import type { AggregateDefinition } from '@scrip/event-store';
import { type CustomerState, evolveCustomer } from './customer.decider';

/** Stream `customer`; table `customers`. */
export const customerAggregate: AggregateDefinition<CustomerState, CustomerEvent> = {
  aggregate: 'customer',
  table: 'customers',
  evolve: evolveCustomer,
  columns: { created_at: { type: 'timestamptz', of: (state) => state.created_at } },
};
