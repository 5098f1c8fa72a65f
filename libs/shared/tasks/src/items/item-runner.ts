import { Logger } from '@nestjs/common';
import type { EventStore } from '@scrip/event-store';
import { type ProjectContext, type RequestContext, internalContext } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import type { Batch, BatchTable, OpenChunk } from './batch.table';
import { customersNamedBy, withoutErased } from './erased-inputs';
import { erasedAmong } from './erased-name.table';
import { type ItemTask, itemTaskOf, type TaskInput } from './item-task';
import type { TaskState } from '../task/task.decider';
import type { ItemTasks } from './item-tasks';
import { ErasedMeanwhile, isConflict, runChunk } from './run-chunk';

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
    const ahead = await this.prepare(task, context, batch, { shared, taskId });
    const carriedOut = await this.dataSource.transaction(async (manager) => {
      const chunk = await this.batches.next(manager, batch);
      if (!chunk) return false;
      const inputs = withoutErased(chunk.inputs, ahead.erased);
      // Another process was first with the chunk that was prepared for, or a permanent deletion has taken inputs out of it.
      if (ahead.position !== null && !isThatChunk(ahead, { ...chunk, inputs })) return true;
      const run = {
        ...{ task, taskId, shared, prepared: ahead.prepared, context },
        onError: (error: unknown) => this.logger.error(`${task.kind} ${taskId}: ${String(error)}`),
      };
      const results = await runChunk(manager, run, inputs);
      // Looked up again behind the writes, which hold the source ids from now on: a customer that was created and deleted
      // permanently since the first look is not created again.
      if ((await erasedAmong(manager, batch, customersNamedBy(inputs))).size > 0) throw new ErasedMeanwhile();
      await this.batches.finish(manager, batch, chunk.position, results);
      return true;
    });
    if (carriedOut) this.events.wakeReaders();
    return carriedOut;
  }

  /** Looks at the next chunk before its transaction: which customers that it names are erased, and what the task needs of
   *  other contexts for the rest. */
  private async prepare(
    task: ItemTask,
    context: RequestContext,
    batch: Batch,
    of: { shared: unknown; taskId: string },
  ): Promise<Ahead> {
    const chunk = (task.prepare ?? task.customersOf) && (await this.batches.peek(batch));
    if (!chunk) return { position: null, items: 0, erased: new Set() };
    const erased = await erasedAmong(this.dataSource, batch, customersNamedBy(chunk.inputs));
    const items = itemsOf(withoutErased(chunk.inputs, erased));
    const prepared = await task.prepare?.(context, items, of);
    return { position: chunk.position, items: items.length, erased, prepared };
  }
}

/** What was found before the transaction of a chunk. */
interface Ahead {
  /** Of the chunk; null where the task prepares nothing, or no chunk is left. */
  position: number | null;
  /** How many items it has. */
  items: number;
  /** Names of customers that were deleted permanently. */
  erased: ReadonlySet<string>;
  prepared?: unknown;
}

const itemsOf = (inputs: readonly TaskInput<unknown>[]): unknown[] =>
  inputs.flatMap((input) => ('item' in input ? [input.item] : []));

const isThatChunk = ({ position, items }: Ahead, chunk: OpenChunk): boolean =>
  chunk.position === position && itemsOf(chunk.inputs).length === items;
