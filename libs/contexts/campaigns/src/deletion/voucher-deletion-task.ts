import type { TaskEvent, VoucherDeletionWork } from '@scrip/contracts/operations';
import type { NewStream } from '@scrip/event-store';
import type { RequestContext } from '@scrip/kernel';
import { enqueuedTask, payloadRow } from '@scrip/tasks';

/** What a task has beside its event. */
export interface VoucherDeletionPayload {
  /** Vouchers are deleted for good, also those that are in the bin. */
  permanent: boolean;
  /** Vouchers that it deleted so far. */
  done: number;
}

/** The task that deletes the vouchers of a deleted campaign: one stream to be created. */
export const voucherDeletionTask = (
  { requestId, project }: RequestContext,
  { id, campaignId, count, permanent }: { id: string; campaignId: string; count: number; permanent: boolean },
  now: string,
): NewStream<TaskEvent> => {
  const work: VoucherDeletionWork = { kind: 'CAMPAIGN.VOUCHERS_DELETE', campaign_id: campaignId, count };
  const payload: VoucherDeletionPayload = { permanent, done: 0 };
  return {
    streamId: id,
    events: enqueuedTask({ id, request_id: requestId, work, now }),
    rows: [payloadRow({ project_id: project.id, task_id: id }, payload)],
  };
};
