import type { CustomerAddress, CustomerBlocks, CustomerSnapshot } from '@scrip/contracts/customers';
import type { Instant, Metadata } from '@scrip/contracts/snapshot';

export type { CustomerBlocks };

const textFields = [
  'source_id',
  'name',
  'description',
  'email',
  'phone',
  'birthdate',
  'birthday',
] as const satisfies readonly (keyof CustomerSnapshot)[];

type TextField = (typeof textFields)[number];

const withValue = <T extends object>(fields: T): T =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as T;

/** The contract has no null here: what was not sent is absent. */
const withoutNulls = (
  customer: CustomerSnapshot,
  fields: readonly TextField[],
): { [Field in TextField]?: string } =>
  withValue(Object.fromEntries(fields.map((field) => [field, customer[field]])));

/** A customer beside the subject of an answer. */
export interface SimpleCustomer {
  id: string;
  /** The caller's own id. */
  source_id?: string;
  name?: string;
  email?: string;
  metadata: Metadata;
  object: 'customer';
}

/** The customer as answers and webhooks show it beside their subject (contract `SimpleCustomer`). Source: reference 06 §2. */
export const simpleCustomer = (customer: CustomerSnapshot): SimpleCustomer => ({
  id: customer.id,
  ...withoutNulls(customer, ['source_id', 'name', 'email']),
  metadata: customer.metadata,
  object: 'customer',
});

/** A customer. What was never sent is absent. */
export interface CustomerResponse extends CustomerBlocks {
  id: string;
  /** The caller's own id; never changes. */
  source_id?: string;
  name?: string;
  description?: string;
  email?: string;
  phone?: string;
  /** A day: `2026-03-31`. */
  birthdate?: string;
  /** Deprecated sibling of `birthdate`, stored separately. */
  birthday?: string;
  address: {
    city?: string;
    state?: string;
    line_1?: string;
    line_2?: string;
    country?: string;
    postal_code?: string;
  } | null;
  metadata: Metadata;
  created_at: Instant;
  /** Of the last change; absent before the first one. */
  updated_at?: Instant;
  object: 'customer';
}

/** The blocks that other facts fill, as a new customer has them. Source: reference 07 §3. */
export const emptyBlocks = (): CustomerBlocks => ({
  summary: {
    redemptions: {
      total_redeemed: 0,
      total_failed: 0,
      total_succeeded: 0,
      total_rolled_back: 0,
      total_rollback_failed: 0,
      total_rollback_succeeded: 0,
      gift: { redeemed_amount: 0, amount_to_go: 0 },
      loyalty_card: { redeemed_points: 0, points_to_go: 0 },
    },
    orders: { total_amount: 0, total_count: 0, average_amount: 0, last_order_amount: 0 },
  },
  loyalty: { points: 0, referred_customers: 0, campaigns: {} },
  referrals: { total: 0, campaigns: [] },
});

/** An erased customer: its id and when it was created. */
export const erasedCustomer = (id: string, created_at: Instant): CustomerResponse => ({
  id,
  address: null,
  ...emptyBlocks(),
  metadata: {},
  created_at,
  object: 'customer',
});

const renderAddress = (address: CustomerAddress | null): CustomerResponse['address'] =>
  address && (withValue(address) as CustomerResponse['address']);

/** The whole customer (contract `CustomerWithSummaryLoyaltyReferrals`). `blocks` defaults to those of a new customer.
 *  `updated_at` appears with the first change. Source: reference 07 §3. */
export const renderCustomer = (
  customer: CustomerSnapshot,
  blocks: CustomerBlocks = emptyBlocks(),
): CustomerResponse => ({
  id: customer.id,
  ...withoutNulls(customer, textFields),
  address: renderAddress(customer.address),
  summary: blocks.summary,
  loyalty: blocks.loyalty,
  referrals: blocks.referrals,
  metadata: customer.metadata,
  created_at: customer.created_at,
  ...(customer.updated_at === null ? {} : { updated_at: customer.updated_at }),
  object: 'customer',
});
