import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { CampaignEvent } from '@scrip/contracts/campaigns';
import type { AsyncActionResult, TaskEvent, VoucherGenerationWork } from '@scrip/contracts/operations';
import {
  type AggregateStore,
  EventStore,
  InjectEventStore,
  type RowChange,
  UniqueViolation,
  decisionOf,
} from '@scrip/event-store';
import {
  type BusinessClock,
  type ProjectContext,
  type RequestContext,
  internalContext,
  isRefused,
  newId,
} from '@scrip/kernel';
import { InjectBusinessClock } from '@scrip/service';
import { advanceTask, progressOf, type TaskCommand, type TaskState } from '@scrip/tasks';
import type { DataSource } from 'typeorm';
import type { CampaignsRefusalKey, CampaignsRefusal } from '../campaigns.refusals';
import { campaignAggregate } from '../campaign/campaign.aggregate';
import {
  type CampaignCommand,
  type CampaignState,
  decideCampaign,
  isFilled,
} from '../campaign/campaign.decider';
import { countSingleCodes } from '../campaign/single-codes';
import { taskAggregate } from '../tasks/task.aggregate';
import { chunkOf, codesPerChunkMax } from './chunk';
import { foldCode } from './code-config';
import { CodesAhead } from './codes-ahead';
import type { GenerationPayload } from './generation-payload';

/** The task of a code order, with what the codes are made from. */
export interface GenerationTask extends TaskState<VoucherGenerationWork> {
  payload: GenerationPayload;
}

/** Source: reference 07 §10. */
const resultOf = (done_count: number, error?: string): AsyncActionResult => ({
  message: `Generated ${done_count} vouchers.`,
  done_count,
  ...(error === undefined ? {} : { error }),
});

const failure = (
  done: number,
  { count }: VoucherGenerationWork,
  error: string,
  now: string,
): TaskCommand => ({
  type: 'FailTask',
  result: resultOf(done, error),
  progress: progressOf(done, count),
  now,
});

type Rows = (events: readonly CampaignEvent[]) => RowChange[];

/** The steps of one code order; each is committed before the next, and none happens twice. */
@Injectable()
export class GenerationSteps {
  private readonly campaigns: AggregateStore<CampaignState, CampaignEvent>;
  private readonly tasks: AggregateStore<TaskState, TaskEvent>;

  constructor(
    @InjectEventStore('campaigns') store: EventStore,
    @InjectDataSource('campaigns') private readonly dataSource: DataSource,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly codes: CodesAhead,
  ) {
    this.campaigns = store.aggregate(campaignAggregate);
    this.tasks = store.aggregate(taskAggregate);
  }

  /** Takes the next step: a chunk of codes, or the end of the code order. */
  async advance(project: ProjectContext, task: GenerationTask): Promise<void> {
    const { id, request_id } = task.async_action;
    const context = internalContext(project, request_id);
    await advanceTask(this.tasks, context, id, { type: 'StartTask', now: this.now(context) });
    const state = await this.start(context, task);
    if (isRefused(state)) {
      await advanceTask(
        this.tasks,
        context,
        id,
        failure(0, task.work, state.details ?? '', this.now(context)),
      );
    } else if (state.ended?.async_action_id === id) {
      await this.endTask(context, task, state.ended);
    } else if (isFilled(state, id)) {
      await this.end(context, task, { type: 'CompleteGeneration' });
    } else {
      await this.storeChunk(context, task, state);
    }
  }

  /** Ends a code order that failed too often, also where the campaign knows nothing of it: it would block those behind
   *  it. */
  async giveUp(project: ProjectContext, task: GenerationTask): Promise<void> {
    const context = internalContext(project, task.async_action.request_id);
    await this.end(context, task, { type: 'FailGeneration', error: 'The codes could not be stored.' });
  }

  private async start(
    context: RequestContext,
    { async_action, work, payload }: GenerationTask,
  ): Promise<CampaignState | CampaignsRefusal> {
    return this.decideCampaign(context, work.campaign_id, {
      type: 'StartGeneration',
      async_action_id: async_action.id,
      count: work.count,
      initial: payload.initial,
      single_codes: await countSingleCodes(this.dataSource, context.project.id, work.campaign_id),
      now: this.now(context),
    });
  }

  /** One statement: the event, and a row for each code. Codes that another call took meanwhile are looked for again. */
  private async storeChunk(
    context: RequestContext,
    task: GenerationTask,
    { running }: CampaignState,
  ): Promise<void> {
    const { async_action, work, payload } = task;
    const { project } = context;
    const missing = work.count - (running?.done ?? 0);
    const order = { order: async_action.id, project, config: payload.code_config };
    const found = await this.codes.take({ ...order, count: Math.min(missing, codesPerChunkMax) });
    if (found.length === 0) {
      await this.end(context, task, { type: 'FailGeneration', error: 'No free codes are left.' });
      return;
    }
    const now = this.now(context);
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
            definition_id: payload.definition_id,
            created_at: now,
          },
        }));
    const { definition_id } = payload;
    const store = {
      type: 'StoreCodes' as const,
      async_action_id: async_action.id,
      definition_id,
      vouchers,
      now,
    };
    const stored = this.decideCampaign(context, work.campaign_id, store, rows);
    const count = Math.min(missing - vouchers.length, codesPerChunkMax);
    if (count > 0) this.codes.begin({ ...order, count }, new Set(vouchers.map(({ code }) => code)));
    try {
      await stored;
    } catch (error) {
      if (!(error instanceof UniqueViolation) || error.constraint !== 'vouchers_code_key') throw error;
    }
  }

  private async end(
    context: RequestContext,
    task: GenerationTask,
    how: { type: 'CompleteGeneration' } | { type: 'FailGeneration'; error: string },
  ): Promise<void> {
    const { async_action, work } = task;
    const single_codes = await countSingleCodes(this.dataSource, context.project.id, work.campaign_id);
    const command = { ...how, async_action_id: async_action.id, single_codes, now: this.now(context) };
    const state = await this.decideCampaign(context, work.campaign_id, command);
    if (!isRefused(state) && state.ended?.async_action_id === async_action.id) {
      await this.endTask(context, task, state.ended);
    } else if (command.type === 'FailGeneration') {
      const { error, now } = command;
      await advanceTask(this.tasks, context, async_action.id, failure(0, work, error, now));
    }
  }

  private async endTask(
    context: RequestContext,
    { async_action: { id }, work }: GenerationTask,
    { count, error }: NonNullable<CampaignState['ended']>,
  ): Promise<void> {
    const now = this.now(context);
    await advanceTask(
      this.tasks,
      context,
      id,
      error === null
        ? { type: 'CompleteTask', result: resultOf(count), now }
        : failure(count, work, error, now),
    );
  }

  /** The state after the command. */
  private decideCampaign(
    context: RequestContext,
    streamId: string,
    command: CampaignCommand,
    rows: Rows = () => [],
  ): Promise<CampaignState | CampaignsRefusal> {
    return this.campaigns.execute<CampaignState, CampaignsRefusalKey>({
      context,
      streamId,
      decide: (state) => {
        const decision = decisionOf(
          campaignAggregate,
          state,
          decideCampaign(command, state),
          (after) => after,
        );
        return isRefused(decision) ? decision : { ...decision, rows: rows(decision.events) };
      },
    });
  }

  private now({ project }: RequestContext): string {
    return this.clock.now(project).toISOString();
  }
}
