import {
  type ItemsWork,
  type OwnedAsyncAction,
  type TaskEvent,
  taskIdPrefix,
  type TaskOwner,
  type TaskReportPage,
} from '@scrip/contracts/operations';
import type { AggregateStore, RowChange } from '@scrip/event-store';
import {
  type BusinessClock,
  Fault,
  type IdSource,
  type Refusal,
  type RequestContext,
  isRefused,
  notFound,
} from '@scrip/kernel';
import {
  hasEnded,
  progressOf,
  type TaskCommand,
  type TaskState,
  decideTask,
  taskEnds,
} from '../task/task.decider';
import type { TaskJobs } from '../task/task-jobs';
import type { BatchTable } from './batch.table';
import { chunksOf } from './chunks';
import { shownResult, withCustomers } from './erased-inputs';
import { type ItemTask, itemTaskOf, type TaskInput } from './item-task';

/** Days for which what became of each input can be read. Source: reference 07 §18 decision 12. */
const reportDays = 30;
const failuresShown = 100;

/** What item tasks of a context are made of. */
export interface ItemTasksParts {
  owner: TaskOwner;
  tasks: readonly ItemTask[];
  store: AggregateStore<TaskState, TaskEvent>;
  batches: BatchTable;
  jobs: TaskJobs;
  clock: BusinessClock;
}

const isItems = (state: TaskState): state is TaskState<ItemsWork> => !('campaign_id' in state.work);

const sealed = ({ project }: RequestContext, taskId: string) => ({ projectId: project.id, taskId });

/** Tasks of a context that carry out many inputs: orders them, and tells what became of them. Source: architecture §9. */
export class ItemTasks {
  constructor(private readonly parts: ItemTasksParts) {}

  /** Stores inputs and orders the task that carries them out; answers its id. `inputs` are read once, chunk by chunk, and
   *  all are stored before the task exists. What they throw ends the call, and nothing is carried out. Repeated under the
   *  same ids it answers the same. */
  async enqueue<Item, Shared>(
    context: RequestContext,
    ids: IdSource,
    task: Pick<
      ItemTask<Item, Shared>,
      'kind' | 'customersOf' | 'identifiesCustomers' | 'identifierOf' | 'itemsAtOnce'
    >,
    inputs: Iterable<TaskInput<Item>> | AsyncIterable<TaskInput<Item>>,
    shared: Shared,
  ): Promise<{ async_action_id: string }> {
    const { owner, store, batches, jobs } = this.parts;
    const id = ids.next(taskIdPrefix[owner], 'async-action');
    const answer = { async_action_id: id };
    if (await store.load(context.project.id, id)) return answer;
    const batch = await batches.begin(sealed(context, id), shared);
    let [count, position] = [0, 0];
    let stored: Promise<void> | undefined;
    const named = (input: TaskInput<Item>) => withCustomers(task, context.project.id, input, shared);
    for await (const chunk of chunksOf(inputs, named, task.itemsAtOnce)) {
      // The next chunk is read while this one is stored.
      await stored;
      stored = batches.addChunk(batch, position, chunk);
      // It is waited for above and below, unless the inputs end the call.
      stored.catch(() => undefined);
      count += chunk.count;
      position += 1;
    }
    await stored;
    // The chunks of an earlier attempt stay: one of a release with other sizes would leave inputs out, or have them twice.
    if ((await batches.totals(batch)).items !== count)
      throw new Fault('unavailable', `${id} was begun in chunks of another size`);
    const events = await this.decide(context, id, {
      type: 'EnqueueTask',
      id,
      request_id: context.requestId,
      work: { kind: task.kind, count },
      now: this.now(context),
    });
    await jobs.hurry(context, events);
    return answer;
  }

  /** Returns a task with its progress as it stands, and the first 100 inputs that failed. Refuses `not_found`. */
  async find(context: RequestContext, id: string): Promise<OwnedAsyncAction | Refusal<'not_found'>> {
    const { store, batches } = this.parts;
    const state = (await store.load(context.project.id, id))?.state;
    if (!state) return notFound('async_action', id);
    const { async_action } = state;
    if (!isItems(state)) return async_action;
    if (async_action.status === 'IN_PROGRESS') {
      const { done, failed } = await batches.totals(sealed(context, id));
      return { ...async_action, progress: progressOf(done + failed, state.work.count) };
    }
    const hasFailures = hasEnded(async_action) && (async_action.result?.failed_count ?? 0) > 0;
    if (!hasFailures) return async_action;
    const { identifiedBy: identified_by } = itemTaskOf(this.parts.tasks, state.work.kind);
    const results = await batches.failures(sealed(context, id), failuresShown);
    return { ...async_action, failures: { identified_by, results: results.map(shownResult) } };
  }

  /** Returns a page of a report: the results of one chunk. Refuses `not_found`, also before the end of the task. */
  async report(
    context: RequestContext,
    { id, from }: { id: string; from: number },
  ): Promise<TaskReportPage | Refusal<'not_found'>> {
    const { store, batches, tasks } = this.parts;
    const state = (await store.load(context.project.id, id))?.state;
    const until = state?.async_action.result?.reports_available_till;
    if (!state || until === undefined || until <= this.now(context)) return notFound('task_result', id);
    const page = await batches.results(sealed(context, id), from);
    return {
      identified_by: itemTaskOf(tasks, state.work.kind).identifiedBy,
      results: page?.results.map(shownResult) ?? [],
      next: page?.next ?? null,
    };
  }

  /** Marks a task as started; returns its state, undefined for one that is over. */
  async start(context: RequestContext, id: string): Promise<TaskState | undefined> {
    await this.decide(context, id, { type: 'StartTask', now: this.now(context) });
    const state = (await this.parts.store.load(context.project.id, id))?.state;
    return state && !hasEnded(state.async_action) ? state : undefined;
  }

  /** Ends a task whose inputs are all carried out; returns false where some are not. A task of which nothing succeeded
   *  has failed. */
  async end(context: RequestContext, id: string, { work }: TaskState): Promise<boolean> {
    const { batches, tasks } = this.parts;
    const { done, failed, left } = await batches.totals(sealed(context, id));
    if (left > 0) return false;
    const now = this.now(context);
    const task = itemTaskOf(tasks, work.kind);
    const { messageOf } = task;
    const shared = messageOf || task.conclude ? await this.sharedOf(context, id) : null;
    await task.conclude?.(context, id, shared);
    const result = {
      ...(messageOf ? { message: messageOf(done, failed, shared) } : {}),
      done_count: done,
      failed_count: failed,
      reports_available_till: this.reportsEnd(now),
    };
    const command: TaskCommand =
      done === 0 && failed > 0
        ? { type: 'FailTask', result, progress: 100, now }
        : { type: 'CompleteTask', result, now };
    await this.decide(context, id, command);
    return true;
  }

  /** Ends a task that failed too often, with what was done of it. */
  async giveUp(context: RequestContext, id: string): Promise<void> {
    const { store, batches, tasks } = this.parts;
    const state = (await store.load(context.project.id, id))?.state;
    if (!state || !isItems(state)) return;
    const { done, failed } = await batches.totals(sealed(context, id));
    const task = itemTaskOf(tasks, state.work.kind);
    await task.conclude?.(context, id, await this.sharedOf(context, id));
    const now = this.now(context);
    await this.decide(context, id, {
      type: 'FailTask',
      progress: progressOf(done + failed, state.work.count),
      result: {
        done_count: done,
        failed_count: failed,
        error: 'The rest could not be stored.',
        reports_available_till: this.reportsEnd(now),
      },
      now,
    });
  }

  private async sharedOf(context: RequestContext, id: string): Promise<unknown> {
    return (await this.parts.batches.load(sealed(context, id))).shared;
  }

  private async decide(context: RequestContext, id: string, command: TaskCommand): Promise<TaskEvent[]> {
    const { id: project_id } = context.project;
    let committed: TaskEvent[] = [];
    const answer = await this.parts.store.execute<null, 'not_found'>({
      context,
      streamId: id,
      decide: (state) => {
        const events = decideTask(command, state);
        if (isRefused(events)) return events;
        committed = events;
        const shared: RowChange = {
          update: 'task_batches',
          key: { project_id, task_id: id },
          set: { shared: null },
        };
        return { events, rows: taskEnds(events) ? [shared] : [], answer: null };
      },
    });
    if (isRefused(answer)) throw new Error(`${command.type} of ${id} was refused: ${answer.refused}`);
    return committed;
  }

  private reportsEnd(now: string): string {
    const end = new Date(now);
    end.setUTCDate(end.getUTCDate() + reportDays);
    return end.toISOString();
  }

  private now({ project }: RequestContext): string {
    return this.parts.clock.now(project).toISOString();
  }
}
