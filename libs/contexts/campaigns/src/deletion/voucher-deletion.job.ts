import { Injectable } from '@nestjs/common';
import { defineJob, InjectJobQueue, JobHandler, JobQueue, type RunningJob } from '@scrip/service';
import { InternalContexts, noSettings } from '@scrip/tasks';
import { laneOf } from '../generation/generation-lane';
import { VoucherDeletionSteps } from './voucher-deletion-steps';

/** The vouchers of a deleted campaign, as a task deletes them. */
export interface VouchersToDelete {
  project_id: string;
  campaign_id: string;
  task_id: string;
}

/** Deletes the vouchers of a deleted campaign. */
export const deleteVouchers = defineJob<VouchersToDelete>('campaigns', 'delete-vouchers');

/** Time of one portion, milliseconds: afterwards jobs of other campaigns have their turn. */
const portionMs = 500;

/** Deletes chunk after chunk, in portions, after the jobs that make codes of the campaign. Killed at any point, the next job goes
 *  on from what is stored. Machine time: how long one run may take. */
@Injectable()
export class VoucherDeletionJob {
  constructor(
    private readonly contexts: InternalContexts,
    @InjectJobQueue('campaigns') private readonly queue: JobQueue,
    private readonly steps: VoucherDeletionSteps,
  ) {}

  @JobHandler(deleteVouchers)
  async run(vouchers: VouchersToDelete, job: RunningJob): Promise<void> {
    const project = (await this.contexts.of(vouchers.project_id))?.project ?? noSettings(vouchers.project_id);
    const until = Date.now() + portionMs;
    const task = await this.steps.begin(project, vouchers.task_id);
    if (!task) return;
    while (await this.steps.advance(project, task)) {
      if (Date.now() < until && !job.abortSignal.aborted) continue;
      await this.queue.add(deleteVouchers, vouchers, {
        queueName: laneOf(vouchers.campaign_id),
        jobKey: vouchers.task_id,
      });
      return;
    }
  }
}
