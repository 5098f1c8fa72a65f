import type { Instant } from '../snapshot';

/** Kinds of tasks that carry out one input after another. Source: reference 07 §10. */
export type ItemTaskKind =
  | 'CAMPAIGN.VOUCHERS_IMPORT'
  | 'CAMPAIGN.VOUCHERS_IMPORT_CSV'
  | 'CUSTOMERS.IMPORT_CSV'
  | 'CUSTOMERS.BULK_UPDATE'
  | 'CUSTOMERS.METADATA_UPDATE'
  | 'ORDERS.IMPORT'
  | 'PRODUCTS.IMPORT_CSV'
  | 'PRODUCTS.BULK_UPDATE'
  | 'PRODUCTS.METADATA_UPDATE'
  | 'SKUS.IMPORT_CSV'
  | 'VOUCHERS.IMPORT'
  | 'VOUCHERS.IMPORT_CSV'
  | 'VOUCHERS.BULK_UPDATE'
  | 'VOUCHERS.METADATA_UPDATE';

/** Source: reference 07 §10. More types come with their features. */
export type AsyncActionType =
  'CAMPAIGN.VOUCHERS_GENERATE' | 'CAMPAIGN.VOUCHERS_UPDATE' | 'CAMPAIGN.VOUCHERS_DELETE' | ItemTaskKind;

/** What came of a task. Which inputs failed is not part of it: their identifiers may be personal, and the owner keeps them
 *  for as long as the report. */
export interface AsyncActionResult {
  message?: string;
  done_count?: number;
  failed_count?: number;
  /** Why the task broke. */
  error?: string;
  /** Until when there is a report. */
  reports_available_till?: Instant;
}

/** A background task as GET /v1/async-actions/{id} tells it. Source: reference 07 §10. */
export interface AsyncActionSnapshot {
  id: string;
  type: AsyncActionType;
  status: 'ENQUEUED' | 'IN_PROGRESS' | 'DONE' | 'FAILED';
  /** What came of it; UNKNOWN until the end. */
  operation_status: 'UNKNOWN' | 'SUCCESS' | 'FAILED';
  /** Percent. */
  progress: number;
  /** Milliseconds; null until the end. */
  processing_time: number | null;
  /** Id of the call that started it. */
  request_id: string;
  result: AsyncActionResult | null;
  created_at: Instant;
  updated_at: Instant | null;
}

/** Background tasks of a service: one stream per task. Source: reference 06 §9.2. */
export type TaskEvent = AsyncActionEnqueued | AsyncActionStarted | AsyncActionCompleted | AsyncActionFailed;

/** A task was ordered. */
export interface AsyncActionEnqueued {
  type: 'AsyncActionEnqueued';
  data: {
    async_action: AsyncActionSnapshot;
    /** What the service is to do; others ignore it. Since schema version 2: which kind of work it is and how much; the
     *  service keeps the rest, which may be large, in a table of its own. */
    work: TaskWork;
  };
}

/** What a task is to do. A kind is the type that its asynchronous action shows. */
export type TaskWork = VoucherGenerationWork | VoucherUpdateWork | VoucherDeletionWork | ItemsWork;

/** A code order. */
export interface VoucherGenerationWork {
  kind: 'CAMPAIGN.VOUCHERS_GENERATE';
  /** Tasks of one campaign run one after another. */
  campaign_id: string;
  /** Codes ordered. */
  count: number;
}

/** A change of a campaign that its vouchers are to follow. */
export interface VoucherUpdateWork {
  kind: 'CAMPAIGN.VOUCHERS_UPDATE';
  /** Tasks of one campaign run one after another. */
  campaign_id: string;
}

/** The deletion of a deleted campaign's vouchers. */
export interface VoucherDeletionWork {
  kind: 'CAMPAIGN.VOUCHERS_DELETE';
  /** Tasks of one campaign run one after another. */
  campaign_id: string;
  /** Vouchers that the campaign had. */
  count: number;
}

/** Inputs that are carried out one after another, in chunks. The service keeps them in tables of its own. */
export interface ItemsWork {
  kind: ItemTaskKind;
  /** Inputs. */
  count: number;
}

/** A service took the task up. */
export interface AsyncActionStarted {
  type: 'AsyncActionStarted';
  data: { async_action: AsyncActionSnapshot };
}

/** A task ended well; `async_action.result` tells what came of it. */
export interface AsyncActionCompleted {
  type: 'AsyncActionCompleted';
  data: { async_action: AsyncActionSnapshot };
}

/** A task broke, or nothing of it succeeded. */
export interface AsyncActionFailed {
  type: 'AsyncActionFailed';
  data: { async_action: AsyncActionSnapshot };
}
