import type { CodeConfig } from '../campaigns/campaign.snapshot';
import type { VoucherTemplate } from '../campaigns/voucher.snapshot';
import type { Instant } from '../snapshot';

/** Source: spec 07 §10. More types come with their features. */
export type AsyncActionType = 'CAMPAIGN.VOUCHERS_GENERATE';

/** A background task as GET /v1/async-actions/{id} tells it. `processing_time`: ms. Source: spec 07 §10. */
export interface AsyncActionSnapshot {
  id: string;
  type: AsyncActionType;
  status: 'ENQUEUED' | 'IN_PROGRESS' | 'DONE' | 'FAILED';
  operation_status: 'UNKNOWN' | 'SUCCESS' | 'FAILED';
  progress: number;
  processing_time: number | null;
  request_id: string;
  result: { message?: string; done_count?: number; failed_count?: number; error?: string } | null;
  created_at: Instant;
  updated_at: Instant | null;
}

/** Stream `task` of each service that runs tasks. Source: spec 06 §9.2. */
export type TaskEvent = AsyncActionEnqueued | AsyncActionStarted | AsyncActionCompleted | AsyncActionFailed;

/** `work`: what the owner is to do; other contexts ignore it. */
export interface AsyncActionEnqueued {
  type: 'AsyncActionEnqueued';
  data: { async_action: AsyncActionSnapshot; work: VoucherGenerationWork };
}

/** An order for `count` codes, all made from one immutable definition. `initial`: given by the creation of the
 *  campaign, and not by a later call. */
export interface VoucherGenerationWork {
  campaign_id: string;
  definition_id: string;
  template: VoucherTemplate;
  code_config: CodeConfig;
  count: number;
  initial: boolean;
}

export interface AsyncActionStarted {
  type: 'AsyncActionStarted';
  data: { async_action: AsyncActionSnapshot };
}

export interface AsyncActionCompleted {
  type: 'AsyncActionCompleted';
  data: { async_action: AsyncActionSnapshot };
}

export interface AsyncActionFailed {
  type: 'AsyncActionFailed';
  data: { async_action: AsyncActionSnapshot };
}
