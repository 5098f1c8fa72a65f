import type { Refusal, RequestContext } from '@scrip/kernel';
import { definePort } from '@scrip/rpc';
import type { Claimed, ClaimRequest, Outcome, RefundRequest } from '../claims';
import type { CustomerInput, CustomerSnapshot } from './customer.snapshot';
import type { OrderSnapshot } from './order.snapshot';

/** What other contexts may ask of customers. Source: architecture §7, §8. */
export interface CustomersPort {
  /** The customer a request names, `id` before `source_id`. `store`: create or merge (redemption, rollback); otherwise
   *  only overlay the inline data on what is stored (validation), answering `id` '' for somebody unknown.
   *  `new_id` becomes the id of a created customer. Where the context says that inline customers only identify, all but
   *  `id` and `source_id` is ignored. Refuses `not_found` for an unknown `id`. Source: spec 03 §3.2, spec 07 §2.3. */
  resolve(
    context: RequestContext,
    request: { customer: CustomerInput; store: boolean; new_id: string },
  ): Promise<CustomerSnapshot | Refusal>;

  /** Those of the ids that exist. */
  loadCustomers(context: RequestContext, request: { ids: string[] }): Promise<CustomerSnapshot[]>;

  /** A stored order by id or source id, provisional changes overlaid; null = no such source id. `version` is what a claim
   *  on it names; under a provisional change it is the one that the change's confirmation will make.
   *  Refuses `not_found` for an unknown id. */
  loadOrder(
    context: RequestContext,
    request: { id?: string; source_id?: string },
  ): Promise<{ order: OrderSnapshot; version: number } | null | Refusal>;

  loadOrders(context: RequestContext, request: { ids: string[] }): Promise<OrderSnapshot[]>;

  /** Holds the order for one redemption and stores what it shall become, provisionally. `base_version` null = a new order.
   *  Refuses `multiple_requests` while another redemption holds it (after asking about that one), when it changed since it
   *  was loaded, or when the source id of a new order is taken; `invalid_payload` for an order too large for an event;
   *  `claim_abandoned` for a claim that was reverted before it came. */
  claimOrder(
    context: RequestContext,
    request: ClaimRequest & { order: OrderSnapshot; base_version: number | null },
  ): Promise<Claimed<{ order: OrderSnapshot }>>;

  /** Confirms (appends the order's events) or drops provisional orders. Idempotent. */
  settle(
    context: RequestContext,
    request: { outcomes: Outcome[]; claims: { redemption_id: string; claim_id: string; order_id: string }[] },
  ): Promise<null>;

  /** Takes the redemption's discounts off its order (WITH_ORDER: and cancels it), or only notes the rollback
   *  (WITHOUT_ORDER). `discount_amount`, `items_discount_amounts`: minor units this redemption had applied. Idempotent by
   *  `rollback_id`. Refuses `not_found`, `already_rolled_back` (under another id), `claim_abandoned` (it was never
   *  confirmed), `multiple_requests`. Source: spec 03 §9. */
  refundOrder(
    context: RequestContext,
    request: RefundRequest & {
      order_id: string;
      mode: 'WITH_ORDER' | 'WITHOUT_ORDER';
      rolled_back_at: string;
      rollback_stacked?: string[];
      discount_amount: number;
      items_discount_amounts: number[];
    },
  ): Promise<Claimed<{ order: OrderSnapshot }>>;
}

export const customersPort = definePort<CustomersPort>('customers', [
  'resolve',
  'loadCustomers',
  'loadOrder',
  'loadOrders',
  'claimOrder',
  'settle',
  'refundOrder',
]);
