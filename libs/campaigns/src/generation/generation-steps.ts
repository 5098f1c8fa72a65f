import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { CampaignEvent, TaskEvent } from '@scrip/contracts';
import {
  type AggregateStore,
  EventStore,
  InjectEventStore,
  type RowChange,
  UniqueViolation,
} from '@scrip/event-store';
import {
  type Clock,
  type ProjectContext,
  type Refusal,
  type RequestContext,
  internalContext,
  isRefused,
  newId,
} from '@scrip/kernel';
import { InjectClock } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { campaignAggregate } from '../campaign/campaign.aggregate';
import {
  type CampaignCommand,
  type CampaignState,
  decideCampaign,
  evolveCampaign,
  isFilled,
} from '../campaign/campaign.decider';
import { taskAggregate } from '../tasks/task.aggregate';
import { type TaskCommand, type TaskState, decideTask } from '../tasks/task.decider';
import { chunkOf, maxCodesPerChunk } from './chunk';
import { foldCode } from './code-config';
import { CodeFinder } from './code-finder';
import type { GenerationLane } from './generation-lane';

type Rows = (events: readonly CampaignEvent[]) => RowChange[];

/** The steps of one order for codes; each is committed before the next, and none happens twice. */
@Injectable()
export class GenerationSteps {
  private readonly campaigns: AggregateStore<CampaignState, CampaignEvent>;
  private readonly tasks: AggregateStore<TaskState, TaskEvent>;

  constructor(
    @InjectEventStore('campaigns') store: EventStore,
    @InjectDataSource('campaigns') private readonly dataSource: DataSource,
    @InjectClock() private readonly clock: Clock,
    private readonly codes: CodeFinder,
  ) {
    this.campaigns = store.aggregate(campaignAggregate);
    this.tasks = store.aggregate(taskAggregate);
  }

  /** The order that is to be worked on in a campaign: the one under way, also when an older one became visible since. */
  async oldestUnfinished({ project_id, campaign_id }: GenerationLane): Promise<TaskState | undefined> {
    const [row] = await this.dataSource.query<{ state: TaskState }[]>(
      `SELECT state FROM tasks WHERE project_id = $1 AND campaign_id = $2 AND status IN ('ENQUEUED', 'IN_PROGRESS')
       ORDER BY (status = 'IN_PROGRESS') DESC, created_at, id LIMIT 1`,
      [project_id, campaign_id],
    );
    return row?.state;
  }

  /** Takes the next step: a chunk of codes, or the order's end. */
  async advance(project: ProjectContext, task: TaskState): Promise<void> {
    const { id, request_id } = task.async_action;
    const context = internalContext(project, request_id);
    await this.decideTask(context, id, { type: 'StartTask', now: this.now() });
    const state = await this.start(context, task);
    if (isRefused(state)) {
      await this.decideTask(context, id, {
        type: 'FailTask',
        done_count: 0,
        error: state.details ?? '',
        now: this.now(),
      });
    } else if (state.ended?.async_action_id === id) {
      await this.endTask(context, task, state.ended);
    } else if (isFilled(state, id)) {
      await this.end(context, task, { type: 'CompleteGeneration' });
    } else {
      await this.storeChunk(context, task, state);
    }
  }

  /** Ends an order that failed too often, also where the campaign knows nothing of it: it would block those behind it. */
  async giveUp(project: ProjectContext, task: TaskState): Promise<void> {
    const context = internalContext(project, task.async_action.request_id);
    await this.end(context, task, { type: 'FailGeneration', error: 'The codes could not be stored.' });
  }

  private async start(
    context: RequestContext,
    { async_action, work }: TaskState,
  ): Promise<CampaignState | Refusal> {
    return this.decideCampaign(context, work.campaign_id, {
      type: 'StartGeneration',
      async_action_id: async_action.id,
      count: work.count,
      initial: work.initial,
      single_codes: await this.singleCodes(context, work.campaign_id),
      now: this.now(),
    });
  }

  /** One statement: the event, and a row for each code. Codes that somebody took meanwhile are looked for again. */
  private async storeChunk(
    context: RequestContext,
    task: TaskState,
    { running }: CampaignState,
  ): Promise<void> {
    const { async_action, work } = task;
    const { project } = context;
    const wanted = Math.min(work.count - (running?.done ?? 0), maxCodesPerChunk);
    const found = await this.codes.find(project, work.code_config, wanted);
    if (found.length === 0) {
      await this.end(context, task, { type: 'FailGeneration', error: 'No free codes are left.' });
      return;
    }
    const now = this.now();
    const vouchers = chunkOf(found.map(({ code }) => ({ id: newId('v_'), code })));
    const rows: Rows = (events) =>
      events
        .flatMap((event) => (event.type === 'VouchersGenerated' ? event.data.vouchers : []))
        .map(({ id, code }) => ({
          insert: 'vouchers',
          values: {
            project_id: project.id,
            id,
            code,
            code_key: foldCode(code, project.caseSensitiveCodes),
            campaign_id: work.campaign_id,
            definition_id: work.definition_id,
            created_at: now,
          },
        }));
    const { definition_id } = work;
    const store = {
      type: 'StoreCodes' as const,
      async_action_id: async_action.id,
      definition_id,
      vouchers,
      now,
    };
    try {
      await this.decideCampaign(context, work.campaign_id, store, rows);
    } catch (error) {
      if (!(error instanceof UniqueViolation) || error.constraint !== 'vouchers_code_key') throw error;
    }
  }

  private async end(
    context: RequestContext,
    task: TaskState,
    how: { type: 'CompleteGeneration' } | { type: 'FailGeneration'; error: string },
  ): Promise<void> {
    const { async_action, work } = task;
    const single_codes = await this.singleCodes(context, work.campaign_id);
    const command = { ...how, async_action_id: async_action.id, single_codes, now: this.now() };
    const state = await this.decideCampaign(context, work.campaign_id, command);
    if (!isRefused(state) && state.ended?.async_action_id === async_action.id) {
      await this.endTask(context, task, state.ended);
    } else if (command.type === 'FailGeneration') {
      const { error, now } = command;
      await this.decideTask(context, async_action.id, { type: 'FailTask', done_count: 0, error, now });
    }
  }

  private async endTask(
    context: RequestContext,
    { async_action: { id } }: TaskState,
    { count, error }: NonNullable<CampaignState['ended']>,
  ): Promise<void> {
    const now = this.now();
    await this.decideTask(
      context,
      id,
      error === null
        ? { type: 'CompleteTask', done_count: count, now }
        : { type: 'FailTask', done_count: count, error, now },
    );
  }

  /** The state after the command. */
  private decideCampaign(
    context: RequestContext,
    streamId: string,
    command: CampaignCommand,
    rows: Rows = () => [],
  ): Promise<CampaignState | Refusal> {
    return this.campaigns.execute<CampaignState>({
      context,
      streamId,
      decide: (state) => {
        const events = decideCampaign(command, state);
        if (isRefused(events)) return events;
        const answer = events.reduce<CampaignState | undefined>(evolveCampaign, state);
        if (!answer) throw new Error(`campaign ${streamId} has no state after ${command.type}`);
        return { events, rows: rows(events), answer };
      },
    });
  }

  private async decideTask(context: RequestContext, streamId: string, command: TaskCommand): Promise<void> {
    await this.tasks.execute<null>({
      context,
      streamId,
      decide: (state) => {
        const events = decideTask(command, state);
        return isRefused(events) ? events : { events, answer: null };
      },
    });
  }

  private async singleCodes({ project }: RequestContext, campaignId: string): Promise<number> {
    const [row] = await this.dataSource.query<{ count: string }[]>(
      'SELECT count(*) FROM vouchers WHERE project_id = $1 AND campaign_id = $2 AND definition_id IS NULL',
      [project.id, campaignId],
    );
    return Number(row?.count ?? 0);
  }

  private now(): string {
    return this.clock.now().toISOString();
  }
}
