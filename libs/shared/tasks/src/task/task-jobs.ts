import { Logger } from '@nestjs/common';
import type { AsyncActionEnqueued, TaskEvent, TaskWork } from '@scrip/contracts/operations';
import type { RequestContext } from '@scrip/kernel';
import type { EventBatch } from '@scrip/messaging';
import type { JobDefinition, JobEntry, JobQueue } from '@scrip/service';
import type { EntityManager } from 'typeorm';

/** A task that waits to be carried out. */
export interface WaitingTask<Work extends TaskWork = TaskWork> {
  id: string;
  projectId: string;
  work: Work;
}

/** The job that carries a kind of task out, and its entry in the queue. */
export interface TaskJob {
  job: JobDefinition<object>;
  entryOf: (task: WaitingTask) => Pick<JobEntry<object>, 'payload' | 'queueName' | 'maxAttempts'>;
}

/** A job for the tasks of one kind. */
export const taskJob = <Work extends TaskWork, Job extends object>(
  job: JobDefinition<Job>,
  entryOf: (task: WaitingTask<Work>) => Pick<JobEntry<Job>, 'payload' | 'queueName' | 'maxAttempts'>,
): TaskJob => ({
  job: job as JobDefinition<object>,
  // The registry gives each job the tasks of its own kind.
  entryOf: (task) => entryOf(task as WaitingTask<never>),
});

/** The task that an event enqueued. */
const waitingTask = (
  projectId: string,
  { async_action, work }: AsyncActionEnqueued['data'],
): WaitingTask => ({
  id: async_action.id,
  projectId,
  work,
});

/** The jobs that carry tasks of a context out. `jobs`: by kind of task. */
export class TaskJobs {
  private readonly logger = new Logger(TaskJobs.name);

  constructor(
    private readonly queue: JobQueue,
    private readonly jobs: Readonly<Record<string, TaskJob>>,
  ) {}

  /** The kinds of tasks that are carried out. */
  get kinds(): readonly string[] {
    return Object.keys(this.jobs);
  }

  /** Adds the jobs of tasks in the transaction of `manager`; a job that waits already stays the only one. Throws at a kind
   *  that nothing carries out. */
  async add(tasks: readonly WaitingTask[], manager?: EntityManager): Promise<void> {
    const unknown = tasks.find(({ work }) => !Object.hasOwn(this.jobs, work.kind));
    if (unknown) throw new Error(`nothing carries out tasks of the kind ${unknown.work.kind}`);
    for (const [kind, { job, entryOf }] of Object.entries(this.jobs)) {
      const entries = tasks
        .filter(({ work }) => work.kind === kind)
        .map((task) => ({ ...entryOf(task), jobKey: task.id }));
      if (entries.length > 0) await this.queue.addMany(job, entries, manager);
    }
  }

  /** Adds the jobs of tasks that were just committed, so that the work need not wait for a message broker. Never throws: the
   *  consumer of tasks adds them too, also those of who ended before this. */
  async hurry({ project }: RequestContext, events: readonly TaskEvent[]): Promise<void> {
    const tasks = events.flatMap((event) =>
      event.type === 'AsyncActionEnqueued' ? [waitingTask(project.id, event.data)] : [],
    );
    try {
      await this.add(tasks);
    } catch (error) {
      this.logger.warn(`a task waits for its event to arrive: ${(error as Error).message}`);
    }
  }

  /** Adds the jobs of the tasks that a batch of events enqueued, with the position of the consumer. */
  async take(batch: EventBatch): Promise<void> {
    const tasks = batch.events
      .filter(({ type }) => type === 'AsyncActionEnqueued')
      .map(({ projectId, data }) => waitingTask(projectId, data as AsyncActionEnqueued['data']));
    if (tasks.length > 0) await batch.commit((manager) => this.add(tasks, manager));
  }
}
