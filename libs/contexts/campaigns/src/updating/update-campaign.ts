import { Injectable } from '@nestjs/common';
import type { CampaignEvent, CampaignSnapshot } from '@scrip/contracts/campaigns';
import { taskIdPrefix, type TaskEvent } from '@scrip/contracts/operations';
import { type AggregateStore, EventStore, InjectEventStore, type NewStream } from '@scrip/event-store';
import {
  type BusinessClock,
  type IdSource,
  type RequestContext,
  isRefused,
  missingFeature,
  refuse,
} from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import { InjectBusinessClock } from '@scrip/service';
import { enqueuedTask, payloadRow, TaskJobs, type TaskState } from '@scrip/tasks';
import type { EntityManager } from 'typeorm';
import { campaignAggregate, campaignNotFound } from '../campaign/campaign.aggregate';
import { type CampaignState, withAllCodes } from '../campaign/campaign.decider';
import { CampaignReads } from '../campaign/campaign.reads';
import type { CampaignsRefusal, CampaignsRefusalKey } from '../campaigns.refusals';
import { Categories } from '../categories/categories.table';
import { PromotionTiers } from '../promotion/promotion-tiers';
import { reviseDefinitions } from '../definition/definitions.table';
import { taskAggregate } from '../tasks/task.aggregate';
import { type CampaignUpdate, decideUpdate, type FollowedChange } from './update.decider';
import type { UpdateCampaignBody } from './update.dto';
import { metadataChangeOf } from './metadata-change';
import { begun } from './update-progress';
import type { VoucherUpdatePayload } from './voucher-update-steps';

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

const bodyMustFit = (body: UpdateCampaignBody): CampaignsRefusal | null => {
  if (body.category && body.category_id)
    return refuse('invalid_payload', 'Only one of .category and .category_id can be given');
  return isSet(body.access_settings) ? missingFeature() : null;
};

/** Changes campaigns. Source: reference 04 §4.3. */
@Injectable()
export class UpdateCampaign {
  private readonly campaigns: AggregateStore<CampaignState, CampaignEvent>;
  private readonly tasks: AggregateStore<TaskState, TaskEvent>;

  constructor(
    @InjectEventStore('campaigns') private readonly store: EventStore,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly categories: Categories,
    private readonly jobs: TaskJobs,
    private readonly metadata: MetadataSchemas,
    private readonly reads: CampaignReads,
    private readonly tiers: PromotionTiers,
  ) {
    this.campaigns = store.aggregate(campaignAggregate);
    this.tasks = store.aggregate(taskAggregate);
  }

  /** Stores the change, a revision of each definition of its vouchers and the task of those that have streams of their own
   *  together or not at all. Answers the campaign; repeated under the same ids, as it is. Refuses `not_found`,
   *  `invalid_payload`, `missing_required_feature`, `invalid_campaign` and `metadata_validation_failed`. */
  async update(
    context: RequestContext,
    ids: IdSource,
    idOrName: string,
    body: UpdateCampaignBody,
  ): Promise<CampaignSnapshot | CampaignsRefusal> {
    const misfit = bodyMustFit(body);
    if (misfit) return misfit;
    const found = await this.reads.find(context, idOrName);
    if (isRefused(found)) return found;
    const now = this.clock.now(context.project);
    const category = await this.categories.choose(context, body, ids, now);
    if (isRefused(category)) return category;
    const rewarding = await this.rewarding(context, found, body);
    if (isRefused(rewarding)) return rewarding;
    const located = await this.reads.locate(context, found.id);
    if (isRefused(located)) return located;
    const update: CampaignUpdate = {
      body,
      category,
      rewarding,
      check: await this.metadata.checkOf(context, found.use_voucher_metadata_schema ? 'voucher' : 'campaign'),
      async_action_id: ids.next(taskIdPrefix.campaigns, 'async-action'),
      single_codes: located.single_codes,
      now: now.toISOString(),
    };
    const updated = await this.write(context, found.id, update);
    if (!isRefused(updated)) await this.tiers.follow(context, found.id);
    return updated;
  }

  private async write(
    context: RequestContext,
    streamId: string,
    update: CampaignUpdate,
  ): Promise<CampaignSnapshot | CampaignsRefusal> {
    let enqueued: readonly TaskEvent[] = [];
    const answer = await this.campaigns.executeLocked<CampaignSnapshot, CampaignsRefusalKey>({
      context,
      streamId,
      decide: async (state, read) => {
        enqueued = [];
        if (!state || state.deleted_at !== undefined) return campaignNotFound(streamId);
        const unchanged = { events: [], answer: withAllCodes(state, update.single_codes) };
        if (await this.isRepeated(read, context, update)) return unchanged;
        // Code orders and codes that were made from what the campaign says are there from here on, and none comes meanwhile.
        await read.query('SELECT 1 FROM campaigns WHERE project_id = $1 AND id = $2 FOR UPDATE', [
          context.project.id,
          streamId,
        ]);
        const decided = decideUpdate(update, state);
        if (isRefused(decided)) return decided;
        const [event] = decided.events;
        if (!event || event.type !== 'CampaignUpdated') return unchanged;
        const answered = { events: decided.events, answer: event.data.campaign };
        if (event.data.async_action_id === null) return answered;
        const { metadata: _, ...fields } = decided.after;
        const metadata = metadataChangeOf(decided.before.metadata, decided.after.metadata);
        const change = { projectId: context.project.id, campaignId: streamId, fields, metadata };
        await reviseDefinitions(read, change);
        const task = this.taskOf(context, streamId, update, decided);
        await this.tasks.createMany(read, context, [task]);
        enqueued = task.events;
        return answered;
      },
    });
    if (enqueued.length > 0) {
      this.store.wakeReaders();
      await this.jobs.hurry(context, enqueued);
    }
    return answer;
  }

  private async isRepeated(
    read: EntityManager,
    { project }: RequestContext,
    { async_action_id }: CampaignUpdate,
  ): Promise<boolean> {
    const rows = await read.query<object[]>('SELECT 1 FROM tasks WHERE project_id = $1 AND id = $2', [
      project.id,
      async_action_id,
    ]);
    return rows.length > 0;
  }

  private taskOf(
    { project, requestId }: RequestContext,
    campaign_id: string,
    { async_action_id: id, now }: CampaignUpdate,
    { before, after }: FollowedChange,
  ): NewStream<TaskEvent> {
    const work = { kind: 'CAMPAIGN.VOUCHERS_UPDATE' as const, campaign_id };
    const payload: VoucherUpdatePayload = { before, after, progress: begun };
    return {
      streamId: id,
      events: enqueuedTask({ id, request_id: requestId, work, now }),
      rows: [payloadRow({ project_id: project.id, task_id: id }, payload)],
    };
  }

  /** The campaign that the referee's reward of the body names; null without one. */
  private async rewarding(
    context: RequestContext,
    { campaign_type }: CampaignSnapshot,
    { referral_program: sent }: UpdateCampaignBody,
  ): Promise<CampaignSnapshot | null | CampaignsRefusal> {
    if (campaign_type !== 'REFERRAL_PROGRAM' || !sent?.referee_reward) return null;
    return this.reads.find(context, sent.referee_reward.related_object_parent.id);
  }
}
