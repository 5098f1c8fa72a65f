import type { Instant, Metadata } from '../snapshot';

/** Personal and business data of one customer. Travels through calls only: events carry it sealed with the
 *  customer's own key. Source: reference 07 §3. */
export interface CustomerSnapshot {
  id: string;
  source_id: string | null;
  name: string | null;
  description: string | null;
  email: string | null;
  phone: string | null;
  birthdate: string | null;
  birthday: string | null;
  address: CustomerAddress | null;
  metadata: Metadata;
  created_at: Instant;
  updated_at: Instant | null;
}

export interface CustomerAddress {
  city?: string | null;
  state?: string | null;
  line_1?: string | null;
  line_2?: string | null;
  country?: string | null;
  postal_code?: string | null;
}

/** A customer as a request sends it inline; absent fields stay as they are. Source: reference 03 §3.2, reference 07 §3. */
export interface CustomerInput extends Partial<Omit<CustomerSnapshot, 'created_at' | 'updated_at'>> {}
