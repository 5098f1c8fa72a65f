import { type LocationUsersPort, locationUsersMethods } from '../auth/location-users.port';
import { exportsMethods, type ExportsPort } from '../operations/exports.port';
import { tasksMethods, type TasksPort } from '../operations/tasks.port';
import { comesAgain, definePort, type IdSource, type Refusal, type RequestContext } from '@scrip/kernel';
import { type Participant, participantMethods, participantStreams } from '../claims';
import type { CustomerBlocks } from './customer-blocks';
import type { CustomerInput, CustomerSnapshot } from './customer.snapshot';
import type { RenamedResource, RestoredResources } from '../kept-resources';
import type { OrderSnapshot } from './order.snapshot';
import type { SegmentSnapshot } from './segment.events';

/** An order, provisional changes overlaid. `version` is what a claim on it names; under a provisional change it is the
 *  version that the change's confirmation will make, and `after` is the change's claim id: another redemption may make
 *  that version too, so a claim names both. */
export interface StoredOrder {
  order: OrderSnapshot;
  version: number;
  after?: string;
}

/** What other contexts may ask of customers. Orders are loaded and claimed by id. A claim with `asks.order` holds the
 *  order for one redemption and stores provisionally what it becomes. It refuses `multiple_requests` while another
 *  redemption holds the order, when the order changed since it was loaded, when the provisional change that was loaded
 *  was dropped, or when the source id of a new order is taken; `invalid_payload` for an order too large for an event. A confirmed claim appends the order's events. A refund
 *  takes the redemption's discounts off its order (WITH_ORDER: and cancels it), or only notes the rollback
 *  (WITHOUT_ORDER); it refuses `not_found`, `already_rolled_back` (under another id) and `multiple_requests`.
 *  Source: architecture §7, §8, reference 03 §9. */
export interface CustomersPort
  extends Participant<StoredOrder, { order: OrderSnapshot }>, TasksPort, ExportsPort, LocationUsersPort {
  /** The customer a request names, `id` before `source_id`. `store`: create or merge (redemption, rollback); otherwise
   *  only overlay the inline data on what is stored (validation), answering `id` '' for an unknown customer. `new_id`
   *  becomes the id of a created customer. `keyed`: a repetition of the caller's call has the same one, and what was stored under it
   *  before is answered as it is, not stored again. Where the context says that inline customers only identify, all but `id` and
   *  `source_id` is ignored. `tracking_id`: the encoded one that the source id was read out of; absent where it was sent as it is.
   *  Refuses `not_found` for an unknown `id`, and for a `tracking_id` of an erased customer, `invalid_payload` for a customer that
   *  would become too large, `metadata_validation_failed`. Source: reference 03 §3.2, reference 07 §2.3. */
  resolve(
    context: RequestContext,
    request: {
      customer: CustomerInput;
      store: boolean;
      new_id: string;
      keyed?: boolean;
      tracking_id?: string;
    },
  ): Promise<CustomerSnapshot | Refusal<'not_found' | 'invalid_payload' | 'metadata_validation_failed'>>;

  /** As `resolve` for each, in their order, keyed ones of different customers; with `store` all are stored or none. Answers
   *  the first refusal. */
  resolveAll(
    context: RequestContext,
    request: { customers: { customer: CustomerInput; new_id: string; keyed?: boolean }[]; store: boolean },
  ): Promise<CustomerSnapshot[] | Refusal<'not_found' | 'invalid_payload' | 'metadata_validation_failed'>>;

  /** Those of the ids that exist. `deleted`: also those that were deleted, as they were then. */
  loadCustomers(
    context: RequestContext,
    request: { ids: string[]; deleted?: boolean },
  ): Promise<CustomerSnapshot[]>;

  /** The customer that is stored under an id or a source id, with what other facts say of it, read at once; null where there is
   *  none. Source: reference 07 §3. */
  findWithBlocks(
    context: RequestContext,
    request: { name: { id: string } | { source_id: string } },
  ): Promise<{ customer: CustomerSnapshot; blocks: CustomerBlocks } | null>;

  /** What other facts say of the customers, in the order of the ids; that of a new customer where nothing is known of one.
   *  Source: reference 07 §3. */
  loadBlocks(context: RequestContext, request: { ids: string[] }): Promise<CustomerBlocks[]>;

  /** Returns which segments a customer as resolved for a request belongs to: of static ones by membership, of the others by their
   *  filters, tested now on what the customer shows, so also a customer who is not stored (`id` ''). `segment_ids`: those that
   *  matter; null: all of the project. Unknown ids are left out. Source: reference 02 §4.1. */
  matchSegments(
    context: RequestContext,
    request: { customer: CustomerSnapshot; segment_ids: readonly string[] | null },
  ): Promise<{ segment_ids: string[] }>;

  /** Returns the segments of these ids as they are now; unknown ones are left out. Refuses `invalid_payload` for a static one, and
   *  for more than `keptBytesMax`. */
  keepSegments(
    context: RequestContext,
    request: { ids: readonly string[] },
  ): Promise<{ segments: SegmentSnapshot[] } | Refusal<'invalid_payload'>>;

  /** Finds kept segments with a filter in the project, unchanged, and creates those that are missing or have changed. May be
   *  repeated for a template: what it created before is found. `renamed`: records of other contexts that filters name. Refuses
   *  `invalid_payload` as creations do. Source: reference 04 §12. */
  restoreSegments(
    context: RequestContext,
    request: {
      template_id: string;
      segments: readonly SegmentSnapshot[];
      renamed: readonly RenamedResource[];
    },
  ): Promise<RestoredResources | Refusal<'not_found' | 'invalid_payload'>>;

  /** Returns a stored order by id or source id; null = no such source id. Refuses `not_found` for an unknown id. Orders of a
   *  deleted customer are unknown, and keep their source ids: refuses `duplicate_found` for one of these.
   *  `settle`: the caller will claim what it reads. A provisional change whose verdict stands, or which is too old to be
   *  under way, is settled first, and the order is returned as that left it. */
  loadOrder(
    context: RequestContext,
    request: { id?: string; source_id?: string; settle?: boolean },
  ): Promise<StoredOrder | null | Refusal<'not_found' | 'duplicate_found'>>;

  loadOrders(context: RequestContext, request: { ids: string[] }): Promise<OrderSnapshot[]>;
}

/** What a new customer of a call is stored under; the same when the call is repeated under its key. `kind`: where one call may store
 *  several. Source: ADR 157. */
export const storedUnder = (ids: IdSource, kind = 'customer'): { new_id: string; keyed: boolean } => ({
  new_id: ids.next('cust_', kind),
  keyed: comesAgain(ids),
});

export const customersPort = definePort<CustomersPort>(
  'customers',
  [
    ...participantMethods,
    ...tasksMethods,
    ...exportsMethods,
    ...locationUsersMethods,
    'resolve',
    'resolveAll',
    'loadCustomers',
    'findWithBlocks',
    'loadBlocks',
    'matchSegments',
    'keepSegments',
    'restoreSegments',
    'loadOrder',
    'loadOrders',
  ],
  {
    ...participantStreams,
    resolve: ({ customer }) => customer.id ?? customer.source_id ?? undefined,
  },
);
