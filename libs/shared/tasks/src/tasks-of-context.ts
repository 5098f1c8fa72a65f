import type { Provider, Type } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import { taskIdPrefix, type TaskEvent, type TaskOwner } from '@scrip/contracts/operations';
import type { Topic } from '@scrip/contracts/registry';
import { type AggregateDefinition, type EventStore, eventStoreToken } from '@scrip/event-store';
import type { BusinessClock } from '@scrip/kernel';
import {
  BUSINESS_CLOCK,
  type JobQueue,
  jobQueueToken,
  purposeRing,
  SCRIP_CONFIG,
  type ScripConfig,
} from '@scrip/service';
import type { DataSource } from 'typeorm';
import { InternalContexts } from './internal-contexts';
import { AbandonedTasks } from './task/abandoned-tasks';
import { BatchTable, batchKeysPurpose } from './items/batch.table';
import { ItemRunner } from './items/item-runner';
import type { ItemTask } from './items/item-task';
import { itemTaskJob } from './items/item-task.job';
import { ItemTasks } from './items/item-tasks';
import { TaskErasure } from './items/task-erasure';
import { taskAggregate } from './task/task.aggregate';
import type { TaskState } from './task/task.decider';
import { type TaskJob, TaskJobs } from './task/task-jobs';
import { TaskPruner } from './task/task-pruner';
import { tasksConsumer } from './task/tasks.consumer';

/** What a context says of its tasks. */
export interface TasksOfContext {
  context: TaskOwner;
  /** The topic of its tasks. */
  topic: Topic;
  /** The group of the consumer that adds their jobs: `<context>.tasks`. */
  group: `${string}.${string}`;
  /** Providers of this context, one for each kind of item task. */
  itemTasks: readonly Type<ItemTask>[];
  /** Jobs of kinds that are no item tasks, by kind. */
  jobs?: Readonly<Record<string, TaskJob>>;
  /** Where tasks have further columns. */
  aggregate?: AggregateDefinition<TaskState, TaskEvent>;
}

const itemKinds = Symbol('scrip.item-tasks');

/** The controllers and providers of a context's tasks, for its module: among them `ItemTasks`, `TaskJobs` and
 *  `InternalContexts`. The context has `jobs: true`, the migrations and the sealed column of this library. */
export const tasksOfContext = ({
  context,
  topic,
  group,
  itemTasks,
  jobs = {},
  aggregate = taskAggregate,
}: TasksOfContext): { controllers: Type<unknown>[]; providers: Provider[] } => {
  if (!(context in taskIdPrefix)) throw new TypeError(`tasks of ${context} have no prefix`);
  const { job, handler } = itemTaskJob(context);
  const dataSource = getDataSourceToken(context);
  const store = eventStoreToken(context);
  return {
    controllers: [tasksConsumer(topic, group)],
    providers: [
      ...itemTasks,
      InternalContexts,
      handler,
      { provide: itemKinds, inject: [...itemTasks], useFactory: (...kinds: ItemTask[]) => kinds },
      {
        provide: TaskJobs,
        inject: [jobQueueToken(context), itemKinds],
        useFactory: (queue: JobQueue, kinds: ItemTask[]) =>
          new TaskJobs(queue, { ...jobs, ...Object.fromEntries(kinds.map(({ kind }) => [kind, job])) }),
      },
      {
        provide: BatchTable,
        inject: [dataSource, SCRIP_CONFIG],
        useFactory: (database: DataSource, config: ScripConfig) =>
          new BatchTable(database, purposeRing(config, batchKeysPurpose)),
      },
      {
        provide: ItemTasks,
        inject: [store, BatchTable, TaskJobs, BUSINESS_CLOCK, itemKinds],
        useFactory: (
          events: EventStore,
          batches: BatchTable,
          taskJobs: TaskJobs,
          clock: BusinessClock,
          tasks: ItemTask[],
        ) =>
          new ItemTasks({
            owner: context,
            tasks,
            store: events.aggregate(aggregate),
            batches,
            jobs: taskJobs,
            clock,
          }),
      },
      {
        provide: ItemRunner,
        inject: [dataSource, store, ItemTasks, BatchTable, itemKinds],
        useFactory: (
          database: DataSource,
          events: EventStore,
          tasks: ItemTasks,
          batches: BatchTable,
          kinds: ItemTask[],
        ) => new ItemRunner(database, events, tasks, batches, kinds),
      },
      {
        provide: TaskErasure,
        inject: [dataSource, BatchTable],
        useFactory: (database: DataSource, batches: BatchTable) => new TaskErasure(database, batches),
      },
      {
        provide: AbandonedTasks,
        inject: [dataSource, TaskJobs],
        useFactory: (database: DataSource, taskJobs: TaskJobs) =>
          new AbandonedTasks(database, taskJobs, context),
      },
      {
        provide: TaskPruner,
        inject: [dataSource, itemKinds],
        useFactory: (database: DataSource, kinds: ItemTask[]) =>
          new TaskPruner(
            database,
            kinds.some(({ customersOf }) => customersOf !== undefined),
          ),
      },
    ],
  };
};
