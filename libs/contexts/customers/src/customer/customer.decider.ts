import type { CustomerErasure, CustomerEvent } from '@scrip/contracts/customers';
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
  /** Only of an erased customer, whose `sealed` is empty. */
  erasure?: CustomerErasure;
}

/** What can be asked of a customer. `sealed`: the profile that it will have. */
export type CustomerCommand =
  | {
      type: 'CreateCustomer' | 'UpdateCustomer' | 'DeleteCustomer';
      customer_id: string;
      sealed: string;
      /** No webhook tells of it. */
      bulk?: boolean;
      now: Instant;
    }
  | { type: 'EraseCustomer'; customer_id: string; erasure: CustomerErasure };

/** Whether there is a customer that was not deleted. */
export const isLive = (state: CustomerState | undefined): state is CustomerState =>
  state !== undefined && state.deleted_at === undefined;

/** What follows from a command; an empty list where the customer was created before, where the profile stays sealed as it
 *  is, or where this erasure was done. Refuses `not_found`, also for a deleted customer, but an erasure only for an erased
 *  one. Source: reference 03 §3.2, reference 07 §3. */
export const decideCustomer = (
  command: CustomerCommand,
  state: CustomerState | undefined,
): CustomerEvent[] | Refusal<'not_found'> => {
  const { customer_id } = command;
  switch (command.type) {
    case 'CreateCustomer': {
      const { sealed, bulk, now } = command;
      if (state) return [];
      const data = { customer_id, sealed, ...(bulk ? { bulk } : {}), created_at: now };
      return [{ type: 'CustomerCreated', data }];
    }
    case 'UpdateCustomer': {
      const { sealed, bulk = false, now } = command;
      if (!isLive(state)) return notFound('customer', customer_id);
      if (state.sealed === sealed) return [];
      return [{ type: 'CustomerUpdated', data: { customer_id, sealed, bulk, updated_at: now } }];
    }
    case 'DeleteCustomer':
      if (!isLive(state)) return notFound('customer', customer_id);
      return [deletionOf(state, command.sealed, command.now)];
    case 'EraseCustomer': {
      const { erasure } = command;
      if (!state) return notFound('customer', customer_id);
      if (state.erasure) return state.erasure.id === erasure.id ? [] : notFound('customer', customer_id);
      return [
        ...(isLive(state) ? [deletionOf(state, '', erasure.erased_at)] : []),
        { type: 'CustomerErased', data: { customer_id, erasure } },
      ];
    }
    default:
      return command satisfies never;
  }
};

const deletionOf = (
  { id, created_at }: CustomerState,
  sealed: string,
  deleted_at: Instant,
): CustomerEvent => ({
  type: 'CustomerDeleted',
  data: { customer_id: id, sealed, created_at, deleted_at },
});

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
    case 'CustomerErased':
      return state && { ...state, sealed: '', erasure: event.data.erasure };
    default:
      return event satisfies never;
  }
};
