import { Injectable, Logger, type Type } from '@nestjs/common';
import type { ItemsWork } from '@scrip/contracts/operations';
import type { ContextName } from '@scrip/contracts/registry';
import { classifyDatabaseError, isDatabaseAway } from '@scrip/event-store';
import { Fault } from '@scrip/kernel';
import { InjectJobQueue, JobHandler, JobQueue, type RunningJob, defineJob } from '@scrip/service';
import { InternalContexts, noSettings } from '../internal-contexts';
import { type TaskJob, taskJob } from '../task/task-jobs';
import { ItemRunner } from './item-runner';
import { laneOf } from './lane';

/** The task that a job works off. */
interface TaskToRun {
  project_id: string;
  task_id: string;
}

/** Time of one slice, milliseconds: afterwards other tasks of the project have their turn. */
const sliceMs = 500;

/** Attempts of a slice, spaced exponentially: about half an hour together. */
const attemptsMax = 8;

/** Whether a part was away, which says nothing of a task. A statement that takes too long may do so every time. */
const isOutage = (error: unknown): boolean =>
  error instanceof Fault
    ? error.retryable
    : isDatabaseAway(error) && classifyDatabaseError(error).kind !== 'timeout';

/** The job that carries out item tasks of a context, a slice at a time, and its handler. Machine time: how long one run may
 *  take. */
export const itemTaskJob = (context: ContextName): { job: TaskJob; handler: Type<unknown> } => {
  const runTask = defineJob<TaskToRun>(context, 'run-task');
  const entryOf = (task: TaskToRun) => ({
    payload: task,
    queueName: laneOf(task.project_id),
    maxAttempts: attemptsMax,
  });

  @Injectable()
  class ItemTaskJob {
    private readonly logger = new Logger(ItemTaskJob.name);

    constructor(
      private readonly contexts: InternalContexts,
      @InjectJobQueue(context) private readonly queue: JobQueue,
      private readonly runner: ItemRunner,
    ) {}

    @JobHandler(runTask)
    async run(task: TaskToRun, job: RunningJob): Promise<void> {
      const project = (await this.contexts.of(task.project_id))?.project;
      if (!project) {
        this.logger.warn(`task ${task.task_id} is of project ${task.project_id}, which does not exist`);
        return this.runner.giveUp(noSettings(task.project_id), task.task_id);
      }
      const until = Date.now() + sliceMs;
      try {
        const goesOn = (): boolean => Date.now() < until && !job.abortSignal.aborted;
        if (!(await this.runner.advance(project, task.task_id, goesOn))) return;
      } catch (error) {
        // The last attempt: no later job would work on this task. After an outage `AbandonedTasks` adds one.
        if (job.attempt >= job.maxAttempts && !isOutage(error))
          await this.runner.giveUp(project, task.task_id);
        throw error;
      }
      const { payload, ...options } = entryOf(task);
      await this.queue.add(runTask, payload, { ...options, jobKey: task.task_id });
    }
  }

  const job = taskJob<ItemsWork, TaskToRun>(runTask, ({ id, projectId }) =>
    entryOf({ project_id: projectId, task_id: id }),
  );
  return { job, handler: ItemTaskJob };
};
