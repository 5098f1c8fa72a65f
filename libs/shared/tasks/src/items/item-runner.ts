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
import { ErasedMeanwhile, isConflict, ItemsThrew, runChunk } from './run-chunk';

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

  /** Takes steps of a task, a chunk or its end each, one at least: to its end where it is of a kind that runs to its end, else while
   *  `goesOn` says so. Returns whether there are further ones. */
  async advance(
    project: ProjectContext,
    taskId: string,
    goesOn: () => boolean = () => false,
  ): Promise<boolean> {
    const state = await this.tasks.start(internalContext(project), taskId);
    if (!state) return false;
    const { request_id } = state.async_action;
    const task = itemTaskOf(this.kinds, state.work.kind);
    const { batch, shared } = await this.batches.load({ projectId: project.id, taskId });
    const work = { task, state, batch, shared, context: internalContext(project, request_id) };
    for (let early: Promise<Ahead | null> | undefined; ;) {
      const isLast = !task.runsToItsEnd && !goesOn();
      const step = await this.step(work, early, !isLast);
      if (!step || isLast) return step !== null;
      ({ early } = step);
    }
  }

  /** Ends a task that failed too often: it would wait for ever. */
  giveUp(project: ProjectContext, taskId: string): Promise<void> {
    return this.tasks.giveUp(internalContext(project), taskId);
  }

  /** Carries out the next chunk, or ends the task: null. `early`: what was prepared for the chunk meanwhile. `looksAhead`: what the next
   *  one needs is prepared while this one is carried out, for kinds that allow it. */
  private async step(
    work: Work,
    early: Promise<Ahead | null> | undefined,
    looksAhead: boolean,
  ): Promise<Step | null> {
    let alone = false;
    for (let tries = 1; ; tries += 1) {
      try {
        const ahead = await (tries === 1 && early ? early : this.prepare(work, beforeAll));
        const step = await this.carryOutNext(work, ahead, { looksAhead, alone });
        if (step) return step;
        const { context, batch, state } = work;
        return (await this.tasks.end(context, batch.taskId, state)) ? null : {};
      } catch (error) {
        if (error instanceof ItemsThrew && !alone) {
          this.logger.warn(
            `${work.task.kind} ${work.batch.taskId}: ${error.message}: ${String(error.cause)}`,
          );
          alone = true;
        } else if (!isConflict(error) || tries >= maxTries) throw error;
      }
    }
  }

  /** Returns null where no chunk waits. */
  private async carryOutNext(
    work: Work,
    ahead: Ahead | null,
    { looksAhead, alone }: { looksAhead: boolean; alone: boolean },
  ): Promise<Step | null> {
    const { task, batch, shared, context } = work;
    const { taskId } = batch;
    const step = await this.dataSource.transaction(async (manager): Promise<Step | null> => {
      const chunk = await this.batches.next(manager, batch, ahead?.chunk);
      if (!chunk) return null;
      const inputs = withoutErased(chunk.inputs, ahead?.erased ?? nobody);
      // Another process was first with the chunk that was prepared for, or a permanent deletion has taken inputs out of it.
      if (ahead && !isThatChunk(ahead, { ...chunk, inputs })) return {};
      const early = looksAhead && task.preparesEarly ? { early: this.prepare(work, chunk.position) } : {};
      // It is waited for by the next step, or by none.
      early.early?.catch(() => undefined);
      const run = {
        ...{ task, taskId, shared, prepared: ahead?.prepared, context },
        onError: (error: unknown) => this.logger.error(`${task.kind} ${taskId}: ${String(error)}`),
      };
      const results = await runChunk(manager, run, inputs, { alone });
      // Looked up again behind the writes, which hold the source ids from now on: a customer that was created and deleted
      // permanently since the first look is not created again.
      if ((await erasedAmong(manager, batch, customersNamedBy(inputs))).size > 0) throw new ErasedMeanwhile();
      await this.batches.finish(manager, batch, chunk.position, results);
      return early;
    });
    if (step) this.events.wakeReaders();
    return step;
  }

  /** Looks at the next chunk behind a position before its transaction: which customers that it names are erased, and what the task
   *  needs of other contexts for the rest. Null where the task needs nothing. */
  private async prepare({ task, batch, shared, context }: Work, after: number): Promise<Ahead | null> {
    if (!task.prepare && !task.customersOf) return null;
    const chunk = await this.batches.peek(batch, after);
    if (!chunk) return { chunk, items: 0, erased: nobody };
    const erased = await erasedAmong(this.dataSource, batch, customersNamedBy(chunk.inputs));
    const items = itemsOf(withoutErased(chunk.inputs, erased));
    const prepared = await task.prepare?.(context, items, { shared, taskId: batch.taskId });
    return { chunk, items: items.length, erased, prepared };
  }
}

/** A task that is being worked on. */
interface Work {
  task: ItemTask;
  state: TaskState;
  batch: Batch;
  shared: unknown;
  context: RequestContext;
}

/** What a step leaves to the next one. */
interface Step {
  /** What was found for the next chunk; absent: it is looked at when its turn comes. */
  early?: Promise<Ahead | null>;
}

const beforeAll = -1;
const nobody: ReadonlySet<string> = new Set();

/** What was found before the transaction of a chunk. */
interface Ahead {
  /** Undefined: none was left. */
  chunk: OpenChunk | undefined;
  /** How many items it has. */
  items: number;
  /** Names of customers that were deleted permanently. */
  erased: ReadonlySet<string>;
  prepared?: unknown;
}

const itemsOf = (inputs: readonly TaskInput<unknown>[]): unknown[] =>
  inputs.flatMap((input) => ('item' in input ? [input.item] : []));

const isThatChunk = (ahead: Ahead, { position, inputs }: OpenChunk): boolean =>
  position === ahead.chunk?.position && itemsOf(inputs).length === ahead.items;
