import type { CustomerProfile } from './customer-profile';
import type { CustomerVault } from './customer-vault';

/** What a list finds a customer by, in the row of its key: the deletion of that row takes it along. `listed` is null in
 *  rows that no release with lists has written, and false of deleted customers. Source: ADR 72. */
export type CustomerListing = {
  /** Readable, as a list is sorted by it; empty without one. */
  source_id: string;
  /** Keyed hashes, null without a value. */
  name_hash: string | null;
  email_hash: string | null;
  city_hash: string | null;
  /** ISO, as the customer has it. */
  created_at: string | null;
  listed: boolean;
};

/** What a list can be filtered by. */
export type ListedField = 'name' | 'email' | 'city';

/** Of a customer with this profile. */
export const listingOf = (
  vault: CustomerVault,
  projectId: string,
  { source_id, name, email, address }: CustomerProfile,
  created_at: string,
): CustomerListing => {
  const hash = (field: ListedField, value: string | null | undefined): string | null =>
    value ? vault.fieldHash(projectId, field, value) : null;
  return {
    source_id: source_id ?? '',
    name_hash: hash('name', name),
    email_hash: hash('email', email),
    city_hash: hash('city', address?.city),
    created_at,
    listed: true,
  };
};

/** Of a deleted customer: no list shows it. */
export const unlisted: CustomerListing = {
  source_id: '',
  name_hash: null,
  email_hash: null,
  city_hash: null,
  created_at: null,
  listed: false,
};

/** Whether lists find customers with these profiles by the same. A source id never changes. */
export const sameListing = (a: CustomerProfile, b: CustomerProfile): boolean =>
  a.name === b.name && a.email === b.email && a.address?.city === b.address?.city;
