import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { CampaignEvent } from '@scrip/contracts/campaigns';
import { type TaskEvent, taskIdPrefix } from '@scrip/contracts/operations';
import {
  type AggregateStore,
  type EventStore,
  InjectEventStore,
  type RowChange,
  untilWritersEnd,
} from '@scrip/event-store';
import {
  type BusinessClock,
  randomIds,
  type IdSource,
  isRefused,
  type Refusal,
  type RequestContext,
} from '@scrip/kernel';
import { InjectBusinessClock } from '@scrip/service';
import { TaskJobs, type TaskState } from '@scrip/tasks';
import { type Deletion, entryOfDeletion, entryRemoved } from '@scrip/trash-bin';
import type { DataSource, EntityManager } from 'typeorm';
import { campaignAggregate, campaignNotFound } from '../campaign/campaign.aggregate';
import type { CampaignState } from '../campaign/campaign.decider';
import { lockCampaign } from '../campaign/campaign-lock';
import { CampaignReads } from '../campaign/campaign.reads';
import { againWhereLost } from '../commits/repeating';
import { countSingleCodes } from '../campaign/single-codes';
import { PromotionTiers } from '../promotion/promotion-tiers';
import { taskAggregate } from '../tasks/task.aggregate';
import { decideCampaignDeletion, type DeleteCampaign, type PurgeCampaign } from './campaign-deletion.decider';
import { voucherDeletionTask } from './voucher-deletion-task';

type Asked = Omit<DeleteCampaign, 'single_codes' | 'now'> | Omit<PurgeCampaign, 'now'>;
type RowsBeside = (event: CampaignEvent) => RowChange[];

const commandAt = (
  asked: Asked,
  { single_codes, now }: { single_codes: number; now: string },
): DeleteCampaign | PurgeCampaign =>
  asked.type === 'DeleteCampaign' ? { ...asked, single_codes, now } : { ...asked, now };

/** Deletes campaigns, and purges those in the bin. Their vouchers follow by a background task. */
@Injectable()
export class CampaignDeletion {
  private readonly campaigns: AggregateStore<CampaignState, CampaignEvent>;
  private readonly tasks: AggregateStore<TaskState, TaskEvent>;

  constructor(
    @InjectEventStore('campaigns') store: EventStore,
    @InjectDataSource('campaigns') private readonly dataSource: DataSource,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly reads: CampaignReads,
    private readonly jobs: TaskJobs,
    private readonly tiers: PromotionTiers,
  ) {
    this.campaigns = store.aggregate(campaignAggregate);
    this.tasks = store.aggregate(taskAggregate);
  }

  /** Deletes a campaign named by id or name, into the bin or for good. Once it is answered, none of its vouchers and tiers is used.
   *  Refuses `not_found`. Source: reference 04 §4.4. */
  async delete(
    context: RequestContext,
    ids: IdSource,
    idOrName: string,
    deletion: Deletion,
  ): Promise<{ async_action_id: string } | Refusal<'not_found'>> {
    const found = await this.reads.locate(context, idOrName);
    if (isRefused(found)) return campaignNotFound(idOrName);
    const { id } = found;
    const permanent = deletion.bin_entry_id === null;
    const rows: RowsBeside = (event) =>
      event.type === 'CampaignDeleted'
        ? entryOfDeletion(context, deletion, {
            created_at: event.data.deleted_at,
            resource_id: id,
            resource_type: 'campaign',
            resource_name: event.data.campaign.name,
            resource_parent_id: null,
          })
        : [];
    const ordered = await this.commit(context, ids, { type: 'DeleteCampaign', id, permanent }, rows);
    return isRefused(ordered) ? campaignNotFound(idOrName) : ordered;
  }

  /** Deletes a campaign in the bin for good, with the entry `bin_entry_id`: its name is free, its codes follow. Refuses
   *  `not_found`. Throws `StaleRow` where the campaign has another entry. */
  async purge(
    context: RequestContext,
    { id, bin_entry_id }: { id: string; bin_entry_id: string },
  ): Promise<Refusal<'not_found'> | null> {
    const rows: RowsBeside = () => [entryRemoved(context.project.id, bin_entry_id)];
    const ordered = await this.commit(context, randomIds, { type: 'PurgeCampaign', id }, rows);
    return isRefused(ordered) ? ordered : null;
  }

  /** Event and task are stored together. The campaign's row is locked first: a job that makes codes commits before or after. */
  private async commit(
    context: RequestContext,
    ids: IdSource,
    command: Asked,
    rows: RowsBeside,
  ): Promise<{ async_action_id: string } | Refusal<'not_found'>> {
    const { project } = context;
    const { id } = command;
    const now = this.clock.now(project).toISOString();
    const taskId = ids.next(taskIdPrefix.campaigns, 'async-action');
    const ordered = { async_action_id: taskId };
    let enqueued: readonly TaskEvent[] = [];
    const deleteIt = async (manager: EntityManager): Promise<typeof ordered | Refusal<'not_found'>> => {
      enqueued = [];
      await lockCampaign(manager, project.id, id);
      // The end of an earlier try was lost with its connection, and it was a commit.
      if ((await this.tasks.loadMany(project.id, [taskId], manager)).has(taskId)) return ordered;
      const loaded = (await this.campaigns.loadMany(project.id, [id], manager)).get(id);
      const single_codes = await countSingleCodes(manager, project.id, id);
      const events = decideCampaignDeletion(commandAt(command, { single_codes, now }), loaded?.state);
      if (isRefused(events)) return events;
      const { state, version, epoch } = loaded!;
      const change = { state, expectedVersion: version, expectedEpoch: epoch };
      await this.campaigns.commitMany(manager, context, [
        { streamId: id, ...change, events, rows: events.flatMap(rows) },
      ]);
      const permanent = command.type === 'PurgeCampaign' || command.permanent;
      const count = state.generated + single_codes;
      const task = voucherDeletionTask(context, { id: taskId, campaignId: id, count, permanent }, now);
      await this.tasks.createMany(manager, context, [task]);
      enqueued = task.events;
      return ordered;
    };
    const answer = await againWhereLost(() => this.dataSource.transaction(deleteIt));
    if (isRefused(answer)) return answer;
    await untilWritersEnd(this.dataSource, ['vouchers'], context.deadlineAt);
    await this.tiers.follow(context, id);
    await this.jobs.hurry(context, enqueued);
    return answer;
  }
}
