import { Logger } from '@nestjs/common';
import type { EventStore } from '@scrip/event-store';
import { type ProjectContext, type RequestContext, internalContext } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import type { Batch, BatchTable, OpenChunk } from './batch.table';
import { customersNamedBy, withoutErased } from './erased-inputs';
import { erasedAmong } from './erased-name.table';
import { ChunksUnderWay } from './chunks-under-way';
import { type ItemTask, itemTaskOf, type TaskInput } from './item-task';
import type { ItemTasks } from './item-tasks';
import { ChunkChanged, ErasedMeanwhile, isConflict, ItemsThrew, runChunk } from './run-chunk';

/** How often a chunk is tried at once that collides with calls on the same records. */
const triesMax = 10;

/** Carries out item tasks of a context by chunks. What a chunk does, what became of its items and how far the task
 *  is are one transaction: killed at any point, nothing is lost or done twice. Source: architecture §9. */
export class ItemRunner {
  private readonly logger = new Logger(ItemRunner.name);
  /** Whether a task has two chunks under way. */
  private oneHasTwo = false;

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
    const work = { task, batch, shared, context: internalContext(project, request_id) };
    const isLeft = await this.withChunksUnderWay(task, (underWay) =>
      this.carryOutWhile(work, underWay, () => task.runsToItsEnd === true || goesOn()),
    );
    return isLeft || !(await this.tasks.end(work.context, taskId, state));
  }

  /** Ends a task that failed too often: it would wait for ever. */
  giveUp(project: ProjectContext, taskId: string): Promise<void> {
    return this.tasks.giveUp(internalContext(project), taskId);
  }

  /** Of the tasks of its context in this process that can have two chunks under way, one has: the others would take the connections that
   *  calls wait for. */
  private async withChunksUnderWay<T>(
    task: ItemTask,
    work: (underWay: ChunksUnderWay) => Promise<T>,
  ): Promise<T> {
    const hasTwo = task.recordsOf !== undefined && !this.oneHasTwo;
    this.oneHasTwo ||= hasTwo;
    const underWay = new ChunksUnderWay(hasTwo ? 2 : 1);
    try {
      return await work(underWay).finally(() => underWay.end());
    } finally {
      if (hasTwo) this.oneHasTwo = false;
    }
  }

  /** Begins chunk after chunk, one at least; returns whether some may be left. The next chunk is prepared while those before it are carried
   *  out, for kinds that allow it. */
  private async carryOutWhile(work: Work, underWay: ChunksUnderWay, goesOn: () => boolean): Promise<boolean> {
    for (let after = beforeAll; ;) {
      if (!work.task.preparesEarly) await underWay.end();
      const chunk = await this.batches.peek(work.batch, after);
      if (!chunk) return false;
      const ahead = await this.lookedAt(work, chunk);
      const records = work.task.recordsOf?.(ahead.prepared) ?? null;
      await underWay.makeWayFor(records);
      underWay.begin(records, () => this.carryOut(work, ahead));
      after = chunk.position;
      if (!goesOn()) return true;
    }
  }

  private async carryOut(work: Work, first: Ahead): Promise<void> {
    const { position } = first.chunk;
    let [ahead, alone] = [first, false];
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.inTransaction(work, ahead, alone);
      } catch (error) {
        if (error instanceof ItemsThrew && !alone) {
          this.logger.warn(
            `${work.task.kind} ${work.batch.taskId}: ${error.message}: ${String(error.cause)}`,
          );
          alone = true;
        } else if (!isConflict(error) || tries >= triesMax) throw error;
      }
      const chunk = await this.batches.peek(work.batch, position - 1);
      // Another process has carried it out.
      if (chunk?.position !== position) return;
      ahead = await this.lookedAt(work, chunk);
    }
  }

  private async inTransaction(
    { task, batch, shared, context }: Work,
    { chunk: peeked, items, erased, prepared }: Ahead,
    alone: boolean,
  ): Promise<void> {
    const { taskId } = batch;
    await this.dataSource.transaction(async (manager) => {
      const chunk = await this.batches.lockPeeked(manager, batch, peeked);
      const inputs = withoutErased(chunk?.inputs ?? [], erased);
      if (!chunk || itemsOf(inputs).length !== items) throw new ChunkChanged();
      const run = {
        ...{ task, taskId, shared, prepared, context },
        onError: (error: unknown) => this.logger.error(`${task.kind} ${taskId}: ${String(error)}`),
      };
      const results = await runChunk(manager, run, inputs, { alone });
      // Looked up again behind the writes, which hold the source ids from now on: a customer that was created and deleted
      // permanently since the first look is not created again.
      if ((await erasedAmong(manager, batch, customersNamedBy(inputs))).size > 0) throw new ErasedMeanwhile();
      await this.batches.finish(manager, batch, chunk.position, results);
    });
    this.events.wakeReaders();
  }

  /** Looks at a chunk before its transaction: which customers that it names are erased, and what the task needs for the rest. */
  private async lookedAt({ task, batch, shared, context }: Work, chunk: OpenChunk): Promise<Ahead> {
    const erased = await erasedAmong(this.dataSource, batch, customersNamedBy(chunk.inputs));
    const items = itemsOf(withoutErased(chunk.inputs, erased));
    const prepared = await task.prepare?.(context, items, { shared, taskId: batch.taskId });
    return { chunk, items: items.length, erased, prepared };
  }
}

/** A task that is being worked on. */
interface Work {
  task: ItemTask;
  batch: Batch;
  shared: unknown;
  context: RequestContext;
}

const beforeAll = -1;

/** A chunk with what was found before its transaction. */
interface Ahead {
  chunk: OpenChunk;
  /** How many items it has. */
  items: number;
  /** Names of customers that were deleted permanently. */
  erased: ReadonlySet<string>;
  prepared?: unknown;
}

const itemsOf = (inputs: readonly TaskInput<unknown>[]): unknown[] =>
  inputs.flatMap((input) => ('item' in input ? [input.item] : []));
