import type { CustomerEvent } from '@scrip/contracts/customers';
import type { Instant } from '@scrip/contracts/snapshot';
import { type Refusal, notFound } from '@scrip/kernel';

/** What is stored of a customer; `sealed` is its profile. */
export interface CustomerState {
  id: string;
  sealed: string;
  created_at: Instant;
  updated_at: Instant | null;
  /** Only of a deleted customer, which nothing brings back. */
  deleted_at?: Instant;
}

/** What can be asked of a customer. `sealed`: the profile that it will have. */
export type CustomerCommand = {
  type: 'CreateCustomer' | 'UpdateCustomer' | 'DeleteCustomer';
  customer_id: string;
  sealed: string;
  /** No webhook tells of it. */
  bulk?: boolean;
  now: Instant;
};

/** Whether there is a customer that was not deleted. */
export const isLive = (state: CustomerState | undefined): state is CustomerState =>
  state !== undefined && state.deleted_at === undefined;

/** What follows from a command; an empty list where the customer was created before, or where the profile stays sealed as
 *  it is. Refuses `not_found`, also for a deleted customer. Source: reference 03 §3.2, reference 07 §3. */
export const decideCustomer = (
  { type, customer_id, sealed, bulk = false, now }: CustomerCommand,
  state: CustomerState | undefined,
): CustomerEvent[] | Refusal<'not_found'> => {
  switch (type) {
    case 'CreateCustomer':
      return state
        ? []
        : [
            {
              type: 'CustomerCreated',
              data: { customer_id, sealed, ...(bulk ? { bulk } : {}), created_at: now },
            },
          ];
    case 'UpdateCustomer':
      if (!isLive(state)) return notFound('customer', customer_id);
      if (state.sealed === sealed) return [];
      return [{ type: 'CustomerUpdated', data: { customer_id, sealed, bulk, updated_at: now } }];
    case 'DeleteCustomer':
      if (!isLive(state)) return notFound('customer', customer_id);
      return [{ type: 'CustomerDeleted', data: { customer_id, sealed, deleted_at: now } }];
    default:
      return type satisfies never;
  }
};

/** Copies what events say. Total: returns undefined for events before the first one, never throws or decides. */
export const evolveCustomer = (
  state: CustomerState | undefined,
  event: CustomerEvent,
): CustomerState | undefined => {
  switch (event.type) {
    case 'CustomerCreated': {
      const { customer_id, sealed, created_at } = event.data;
      return { id: customer_id, sealed, created_at, updated_at: null };
    }
    case 'CustomerUpdated': {
      const { sealed, updated_at } = event.data;
      return state && { ...state, sealed, updated_at };
    }
    case 'CustomerDeleted': {
      const { sealed, deleted_at } = event.data;
      return state && { ...state, sealed, deleted_at };
    }
    default:
      return event satisfies never;
  }
};
