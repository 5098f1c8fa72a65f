import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { CampaignEvent } from '@scrip/contracts/campaigns';
import type { AsyncActionResult, TaskEvent, VoucherUpdateWork } from '@scrip/contracts/operations';
import {
  type AggregateStore,
  EventStore,
  InjectEventStore,
  runQuery,
  untilWritersEnd,
} from '@scrip/event-store';
import {
  type BusinessClock,
  type ProjectContext,
  type RequestContext,
  internalContext,
  isRefused,
} from '@scrip/kernel';
import { InjectBusinessClock } from '@scrip/service';
import { advanceTask, progressOf, type TaskState } from '@scrip/tasks';
import type { DataSource } from 'typeorm';
import { campaignAggregate } from '../campaign/campaign.aggregate';
import { type CampaignState, decideCampaign } from '../campaign/campaign.decider';
import { CampaignReads } from '../campaign/campaign.reads';
import type { CampaignsRefusalKey } from '../campaigns.refusals';
import { taskAggregate } from '../tasks/task.aggregate';
import { FollowingVouchers } from './following-vouchers';
import type { FollowedChange } from './update.decider';
import type { Progress } from './update-progress';

/** What the task of a change needs beside its event; `progress` is written with every chunk. */
export interface VoucherUpdatePayload extends FollowedChange {
  progress: Progress;
}

/** The task of a change, with how far it came. */
export interface VoucherUpdateTask extends TaskState<VoucherUpdateWork> {
  payload: VoucherUpdatePayload;
}

/** Machine time: how long writes that began before may keep the first chunk waiting, milliseconds. */
const waitMaxMs = 30_000;

/** Source: reference 07 §10. */
const resultOf = (done_count: number, error: string | null): AsyncActionResult => ({
  message: `Updated ${done_count} vouchers.`,
  done_count,
  ...(error === null ? {} : { error }),
});

/** The steps of one change of a campaign that its vouchers are to follow; each is committed before the next, and none happens
 *  twice. Source: reference 04 §4.3, ADR 77.
 *  Machine time: how long the first chunk may wait. */
@Injectable()
export class VoucherUpdateSteps {
  private readonly campaigns: AggregateStore<CampaignState, CampaignEvent>;
  private readonly tasks: AggregateStore<TaskState, TaskEvent>;

  constructor(
    @InjectEventStore('campaigns') store: EventStore,
    @InjectDataSource('campaigns') private readonly dataSource: DataSource,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly reads: CampaignReads,
    private readonly vouchers: FollowingVouchers,
  ) {
    this.campaigns = store.aggregate(campaignAggregate);
    this.tasks = store.aggregate(taskAggregate);
  }

  /** Takes the next step: a chunk of vouchers, or the end of the task. */
  async advance(project: ProjectContext, task: VoucherUpdateTask): Promise<void> {
    const { id, request_id, status } = task.async_action;
    const context = internalContext(project, request_id);
    const { progress } = task.payload;
    if (status === 'ENQUEUED') {
      // Uses that began before the change are visible to the chunks.
      await untilWritersEnd(this.dataSource, ['vouchers'], Date.now() + waitMaxMs);
      await advanceTask(this.tasks, context, id, { type: 'StartTask', now: this.now(context) });
    }
    if (progress.phase === 'DONE') return this.end(context, task, null);
    const next = await this.vouchers.follow(context, {
      ...task.payload,
      campaign_id: task.work.campaign_id,
      async_action_id: id,
      enqueued_at: task.async_action.created_at,
      now: this.now(context),
    });
    await runQuery(
      this.dataSource,
      `UPDATE task_payloads SET payload = payload::jsonb || jsonb_build_object('progress', $3::jsonb)
       WHERE project_id = $1 AND task_id = $2`,
      [project.id, id, JSON.stringify(next)],
    );
  }

  /** Ends a task that failed too often; it would block those behind it. */
  async giveUp(project: ProjectContext, task: VoucherUpdateTask): Promise<void> {
    const context = internalContext(project, task.async_action.request_id);
    await this.end(context, task, 'Not all vouchers could be updated.');
  }

  private async end(
    context: RequestContext,
    { async_action: { id }, work: { campaign_id }, payload }: VoucherUpdateTask,
    error: string | null,
  ): Promise<void> {
    const { count } = payload.progress;
    const now = this.now(context);
    const found = await this.reads.locate(context, campaign_id);
    if (!isRefused(found)) {
      const { single_codes } = found;
      const command = {
        type: 'CompleteUpdate',
        async_action_id: id,
        count,
        error,
        single_codes,
        now,
      } as const;
      await this.campaigns.execute<null, CampaignsRefusalKey>({
        context,
        streamId: campaign_id,
        decide: (state) => {
          const events = decideCampaign(command, state);
          return isRefused(events) ? events : { events, answer: null };
        },
      });
    }
    const result = resultOf(count, error);
    await advanceTask(
      this.tasks,
      context,
      id,
      error === null
        ? { type: 'CompleteTask', result, now }
        : { type: 'FailTask', result, progress: progressOf(0, 1), now },
    );
  }

  private now({ project }: RequestContext): string {
    return this.clock.now(project).toISOString();
  }
}
