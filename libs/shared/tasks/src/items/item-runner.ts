import { Logger } from '@nestjs/common';
import type { EventStore } from '@scrip/event-store';
import { type ProjectContext, type RequestContext, internalContext } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import type { Batch, BatchTable } from './batch.table';
import { type ItemTask, itemTaskOf } from './item-task';
import type { TaskState } from '../task/task.decider';
import type { ItemTasks } from './item-tasks';
import { isConflict, runChunk } from './run-chunk';

/** How often a chunk is tried at once that collides with calls on the same records. */
const maxTries = 10;

/** Carries out item tasks of a context, a chunk at a time. What a chunk does, what became of its items and how far the task
 *  is are one transaction: killed at any point, nothing is lost or done twice. Source: architecture §9. */
export class ItemRunner {
  private readonly logger = new Logger(ItemRunner.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly events: EventStore,
    private readonly tasks: ItemTasks,
    private readonly batches: BatchTable,
    private readonly kinds: readonly ItemTask[],
  ) {}

  /** Takes the next step of a task: a chunk, or its end; all of them where it runs to its end. Returns whether there are
   *  further ones. */
  async advance(project: ProjectContext, taskId: string): Promise<boolean> {
    const state = await this.tasks.start(internalContext(project), taskId);
    if (!state) return false;
    const task = itemTaskOf(this.kinds, state.work.kind);
    let isOpen: boolean;
    do isOpen = await this.step(project, taskId, task, state);
    while (isOpen && task.runsToItsEnd);
    return isOpen;
  }

  /** Ends a task that failed too often: it would wait for ever. */
  giveUp(project: ProjectContext, taskId: string): Promise<void> {
    return this.tasks.giveUp(internalContext(project), taskId);
  }

  private async step(
    project: ProjectContext,
    taskId: string,
    task: ItemTask,
    state: TaskState,
  ): Promise<boolean> {
    const { request_id } = state.async_action;
    for (let tries = 1; ; tries += 1) {
      try {
        if (await this.carryOutNext(project, taskId, task, request_id)) return true;
        return !(await this.tasks.end(internalContext(project, request_id), taskId, state));
      } catch (error) {
        if (!isConflict(error) || tries === maxTries) throw error;
      }
    }
  }

  private async carryOutNext(
    project: ProjectContext,
    taskId: string,
    task: ItemTask,
    requestId: string,
  ): Promise<boolean> {
    const context = internalContext(project, requestId);
    const { batch, shared } = await this.batches.load({ projectId: project.id, taskId });
    const { position, prepared } = await this.prepare(task, context, batch);
    const carriedOut = await this.dataSource.transaction(async (manager) => {
      const chunk = await this.batches.next(manager, batch);
      if (!chunk) return false;
      // Another process was first with the chunk that was prepared for: the next look finds the one behind it.
      if (position !== null && chunk.position !== position) return true;
      const run = {
        task,
        shared,
        prepared,
        context,
        onError: (error: unknown) => this.logger.error(`${task.kind} ${taskId}: ${String(error)}`),
      };
      await this.batches.finish(manager, batch, chunk.position, await runChunk(manager, run, chunk.inputs));
      return true;
    });
    if (carriedOut) this.events.wakeReaders();
    return carriedOut;
  }

  /** Prepares the next chunk. `position`: of that chunk; null where the task prepares nothing, or no chunk is left. */
  private async prepare(
    task: ItemTask,
    context: RequestContext,
    batch: Batch,
  ): Promise<{ position: number | null; prepared?: unknown }> {
    const chunk = task.prepare && (await this.batches.peek(batch));
    if (!task.prepare || !chunk) return { position: null };
    const items = chunk.inputs.flatMap((input) => ('item' in input ? [input.item] : []));
    return { position: chunk.position, prepared: await task.prepare(context, items) };
  }
}
