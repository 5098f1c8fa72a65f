import type { CustomerEvent, CustomerInput, Instant } from '@scrip/contracts';
import { type CustomerProfile, mergeProfile, newProfile, sameProfile } from './customer-profile';

/** What is stored of a customer; `sealed` is its profile. */
export interface CustomerState {
  id: string;
  sealed: string;
  created_at: Instant;
  updated_at: Instant | null;
}

/** What an upsert does to a customer: nothing where nothing changed. */
export type Upsert = { change: 'created' | 'updated' | 'none'; profile: CustomerProfile };

/** Creates a customer from what was sent, or merges it into the one there is. Source: spec 03 §3.2. */
export const upsertCustomer = (stored: CustomerProfile | undefined, sent: CustomerInput): Upsert => {
  if (!stored) return { change: 'created', profile: newProfile(sent) };
  const profile = mergeProfile(stored, sent);
  return sameProfile(stored, profile) ? { change: 'none', profile: stored } : { change: 'updated', profile };
};

/** The events of an upsert, the profile sealed by now. */
export const upsertEvents = (
  { change }: Upsert,
  fact: { customer_id: string; sealed: string; at: Instant },
): CustomerEvent[] => {
  const { customer_id, sealed, at } = fact;
  switch (change) {
    case 'none':
      return [];
    case 'created':
      return [{ type: 'CustomerCreated', data: { customer_id, sealed, created_at: at } }];
    case 'updated':
      return [{ type: 'CustomerUpdated', data: { customer_id, sealed, bulk: false, updated_at: at } }];
    default:
      return change satisfies never;
  }
};

export const evolveCustomer = (state: CustomerState | undefined, event: CustomerEvent): CustomerState => {
  switch (event.type) {
    case 'CustomerCreated': {
      const { customer_id, sealed, created_at } = event.data;
      return { id: customer_id, sealed, created_at, updated_at: null };
    }
    case 'CustomerUpdated': {
      const { customer_id, sealed, updated_at } = event.data;
      return { created_at: updated_at, ...state, id: customer_id, sealed, updated_at };
    }
    default:
      return event satisfies never;
  }
};
