import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { VoucherEvent } from '@scrip/contracts/campaigns';
import type { AsyncActionResult, TaskEvent, VoucherDeletionWork } from '@scrip/contracts/operations';
import {
  type AggregateStore,
  type EventStore,
  InjectEventStore,
  ofAnyLength,
  runQuery,
  untilWritersEnd,
  VersionConflict,
} from '@scrip/event-store';
import {
  type BusinessClock,
  internalContext,
  isRefused,
  type ProjectContext,
  type RequestContext,
} from '@scrip/kernel';
import { InjectBusinessClock } from '@scrip/service';
import { advanceTask, type TaskState } from '@scrip/tasks';
import { removeEntriesBelow } from '@scrip/trash-bin';
import type { DataSource, EntityManager } from 'typeorm';
import { taskAggregate } from '../tasks/task.aggregate';
import { voucherAggregate } from '../voucher/voucher.aggregate';
import type { VoucherState } from '../voucher/voucher.decider';
import { decideVoucherDeletion } from './voucher-deletion.decider';
import type { VoucherDeletionPayload } from './voucher-deletion-task';

/** A task under way, with what it has beside its event. */
export interface VoucherDeletionState extends TaskState<VoucherDeletionWork> {
  payload: VoucherDeletionPayload;
}

/** Vouchers of one transaction: those without events take about 20 µs each, those with events a multiple. */
const chunk = { rows: 2_000, streams: 500 };

/** How long a transaction may keep the first portion waiting, milliseconds. */
const patienceMs = 20_000;

/** Live vouchers `t` of a campaign, by indexes of live ones. */
const liveSql = `
  SELECT g.id, g.has_events FROM (
    SELECT DISTINCT d.id FROM voucher_definitions d
    WHERE d.project_id = $1 AND d.newest AND d.template->>'campaign_id' = $2
  ) made CROSS JOIN LATERAL (
    SELECT t.id, t.state IS NOT NULL AS has_events FROM vouchers t
    WHERE t.project_id = $1 AND t.definition_id = made.id AND t.filterable IS NULL AND t.deleted_at IS NULL
    ORDER BY t.created_at, t.id LIMIT $3
  ) g
  UNION ALL
  (SELECT t.id, true FROM vouchers t
    WHERE t.project_id = $1 AND t.campaign_id = $2 AND t.filterable IS NOT NULL AND t.deleted_at IS NULL LIMIT $3)
  LIMIT $3`;

/** Vouchers of a campaign in the bin, by their index. */
const binnedSql = `
  SELECT t.id, t.state IS NOT NULL AS has_events FROM vouchers t
  WHERE t.project_id = $1 AND t.campaign_id = $2 AND t.deleted_at IS NOT NULL AND t.code_key IS NOT NULL
  ORDER BY t.id LIMIT $3`;

const ofChunk = `project_id = $1 AND id = ANY(${ofAnyLength('$2')})`;

// In the order of ids, as every statement that locks several: none waits for another in a circle.
const lockSql = `SELECT 1 FROM vouchers WHERE ${ofChunk} ORDER BY id FOR UPDATE`;

/** A voucher without events: the event of its campaign tells of its deletion. */
const markSql = `
  WITH changed AS (
    UPDATE vouchers SET deleted_at = $3, publishable = false
    WHERE ${ofChunk} AND state IS NULL AND deleted_at IS NULL
    RETURNING 1)
  SELECT count(*)::int AS n FROM changed`;
const eraseSql = `
  WITH changed AS (DELETE FROM vouchers WHERE ${ofChunk} AND state IS NULL RETURNING 1)
  SELECT count(*)::int AS n FROM changed`;

const countSql = `
  UPDATE task_payloads SET payload = jsonb_set(payload, '{done}', to_jsonb((payload->>'done')::int + $3::int))
  WHERE project_id = $1 AND task_id = $2`;

interface Found {
  id: string;
  has_events: boolean;
}

const resultOf = (done_count: number): AsyncActionResult => ({
  message: `Deleted ${done_count} vouchers.`,
  done_count,
});

/** The steps of deleting a campaign's vouchers: each is a transaction, and none happens twice. Source: ADR 81. */
@Injectable()
export class VoucherDeletionSteps {
  private readonly vouchers: AggregateStore<VoucherState, VoucherEvent>;
  private readonly tasks: AggregateStore<TaskState, TaskEvent>;

  constructor(
    @InjectEventStore('campaigns') store: EventStore,
    @InjectDataSource('campaigns') private readonly dataSource: DataSource,
    @InjectBusinessClock() private readonly clock: BusinessClock,
  ) {
    this.vouchers = store.aggregate(voucherAggregate);
    this.tasks = store.aggregate(taskAggregate);
  }

  /** The task, unless it has ended. Waits for the statements that began before the campaign was deleted: whatever they store is
   *  found by the steps. Machine time: a deadline. */
  async begin(project: ProjectContext, taskId: string): Promise<VoucherDeletionState | undefined> {
    const [row] = await runQuery<{ state: TaskState<VoucherDeletionWork>; payload: VoucherDeletionPayload }>(
      this.dataSource,
      `SELECT t.state, p.payload FROM tasks t
       JOIN task_payloads p ON p.project_id = t.project_id AND p.task_id = t.id
       WHERE t.project_id = $1 AND t.id = $2`,
      [project.id, taskId],
    );
    if (!row) return undefined;
    const context = internalContext(project, row.state.async_action.request_id);
    await advanceTask(this.tasks, context, taskId, { type: 'StartTask', now: this.now(context) });
    await untilWritersEnd(this.dataSource, ['vouchers'], Date.now() + patienceMs);
    return { ...row.state, payload: row.payload };
  }

  /** Deletes the next vouchers. False: none is left, and the task is done. */
  async advance(project: ProjectContext, task: VoucherDeletionState): Promise<boolean> {
    const context = internalContext(project, task.async_action.request_id);
    const live = await this.find(liveSql, project, task);
    if (live.length > 0) return this.deleteChunk(context, task, live, { inBin: false });
    const binned = task.payload.permanent ? await this.find(binnedSql, project, task) : [];
    if (binned.length > 0) return this.deleteChunk(context, task, binned, { inBin: true });
    await this.end(context, task);
    return false;
  }

  private find(sql: string, project: ProjectContext, { work }: VoucherDeletionState): Promise<Found[]> {
    return runQuery<Found>(this.dataSource, sql, [project.id, work.campaign_id, chunk.rows]);
  }

  private async deleteChunk(
    context: RequestContext,
    task: VoucherDeletionState,
    found: readonly Found[],
    { inBin }: { inBin: boolean },
  ): Promise<true> {
    const { project } = context;
    const idsOf = (has_events: boolean) =>
      found.filter((one) => one.has_events === has_events).map(({ id }) => id);
    const [without, streams] = [idsOf(false), idsOf(true).slice(0, chunk.streams)];
    const { permanent } = task.payload;
    try {
      await this.dataSource.transaction(async (manager) => {
        await runQuery(manager, lockSql, [project.id, [...without, ...streams]]);
        const erased = permanent
          ? runQuery<{ n: number }>(manager, eraseSql, [project.id, without])
          : runQuery<{ n: number }>(manager, markSql, [project.id, without, this.clock.now(project)]);
        const [row] = await erased;
        const done =
          (row?.n ?? 0) + (await this.deleteStreams(manager, context, streams, { inBin, permanent }));
        await runQuery(manager, countSql, [project.id, task.async_action.id, done]);
      });
    } catch (error) {
      // A use of before came back to one of them meanwhile: it is read again.
      if (!(error instanceof VersionConflict)) throw error;
    }
    return true;
  }

  private async deleteStreams(
    manager: EntityManager,
    context: RequestContext,
    ids: readonly string[],
    { inBin, permanent }: { inBin: boolean; permanent: boolean },
  ): Promise<number> {
    const now = this.now(context);
    const loaded = await this.vouchers.loadMany(context.project.id, ids, manager);
    const changes = [...loaded].flatMap(([id, { state, version, epoch, basis }]) => {
      const command = inBin
        ? ({ type: 'PurgeVoucher', id, now } as const)
        : ({ type: 'DeleteVoucher', id, campaign: null, permanent, bulk: true, now } as const);
      const events = decideVoucherDeletion(command, state);
      const change = {
        streamId: id,
        state,
        expectedVersion: version,
        expectedEpoch: epoch,
        expectedBasis: basis,
      };
      return isRefused(events) ? [] : [{ ...change, events }];
    });
    if (changes.length > 0) await this.vouchers.commitMany(manager, context, changes);
    return changes.length;
  }

  /** The entries of vouchers that were deleted before their campaign go with them. */
  private async end(context: RequestContext, task: VoucherDeletionState): Promise<void> {
    const { project } = context;
    if (task.payload.permanent)
      await this.dataSource.transaction((manager) =>
        removeEntriesBelow(manager, project.id, task.work.campaign_id),
      );
    const { id } = task.async_action;
    const [row] = await runQuery<{ done: number }>(
      this.dataSource,
      `SELECT (payload->>'done')::int AS done FROM task_payloads WHERE project_id = $1 AND task_id = $2`,
      [project.id, id],
    );
    await advanceTask(this.tasks, context, id, {
      type: 'CompleteTask',
      result: resultOf(row?.done ?? 0),
      now: this.now(context),
    });
  }

  private now({ project }: RequestContext): string {
    return this.clock.now(project).toISOString();
  }
}
