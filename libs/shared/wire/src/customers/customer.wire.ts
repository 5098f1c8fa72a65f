import type { CustomerSnapshot } from '@scrip/contracts/customers';
import type { Metadata } from '@scrip/contracts/snapshot';

const textFields = [
  'source_id',
  'name',
  'description',
  'email',
  'phone',
  'birthdate',
  'birthday',
] as const satisfies readonly (keyof CustomerSnapshot)[];

/** The contract has no null here: what was not sent is absent. */
const withoutNulls = (customer: CustomerSnapshot, fields: readonly (typeof textFields)[number][]): object =>
  Object.fromEntries(fields.map((field) => [field, customer[field]]).filter(([, value]) => value !== null));

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

/** The blocks that other facts fill, as a new customer has them. Source: reference 07 §3. */
const computedBlocks = () => ({
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

/** The whole customer (contract `CustomerWithSummaryLoyaltyReferrals`). `computed` defaults to the zeroed blocks of a
 *  new customer. `updated_at` appears with the first change. Source: reference 07 §3. */
export const renderCustomer = (
  customer: CustomerSnapshot,
  computed: ReturnType<typeof computedBlocks> = computedBlocks(),
): Record<string, unknown> => ({
  id: customer.id,
  ...withoutNulls(customer, textFields),
  address: customer.address,
  ...computed,
  metadata: customer.metadata,
  created_at: customer.created_at,
  ...(customer.updated_at === null ? {} : { updated_at: customer.updated_at }),
  object: 'customer',
});
