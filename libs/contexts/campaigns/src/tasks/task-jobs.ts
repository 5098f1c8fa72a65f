import { Injectable, Logger } from '@nestjs/common';
import type { AsyncActionEnqueued, TaskEvent, TaskWork } from '@scrip/contracts/operations';
import type { RequestContext } from '@scrip/kernel';
import { InjectJobQueue, type JobDefinition, type JobEntry, JobQueue } from '@scrip/service';
import type { EntityManager } from 'typeorm';
import { type CampaignToGenerate, laneOf } from '../generation/generation-lane';
import { generateVouchers } from '../generation/generation.job';

/** A task that waits to be carried out. */
export interface WaitingTask {
  id: string;
  projectId: string;
  work: TaskWork;
}

/** The task that an event enqueued. */
export const waitingTask = (
  projectId: string,
  { async_action, work }: AsyncActionEnqueued['data'],
): WaitingTask => ({ id: async_action.id, projectId, work });

/** The job that carries a kind of task out, and its entry in the queue. */
interface TaskJob<Work extends TaskWork, Job extends object> {
  job: JobDefinition<Job>;
  entryOf: (projectId: string, work: Work) => Pick<JobEntry<Job>, 'payload' | 'queueName'>;
}

const generation: TaskJob<TaskWork, CampaignToGenerate> = {
  job: generateVouchers,
  entryOf: (project_id, { campaign_id }) => ({
    payload: { project_id, campaign_id },
    queueName: laneOf(campaign_id),
  }),
};

/** What carries out each kind of task. */
const jobs: {
  readonly [Kind in TaskWork['kind']]: TaskJob<Extract<TaskWork, { kind: Kind }>, CampaignToGenerate>;
} = {
  'CAMPAIGN.VOUCHERS_GENERATE': generation,
};

/** The jobs that carry tasks out. */
@Injectable()
export class TaskJobs {
  private readonly logger = new Logger(TaskJobs.name);

  constructor(@InjectJobQueue('campaigns') private readonly queue: JobQueue) {}

  /** Adds the jobs of tasks in the transaction of `manager`; a job that waits already stays the only one. Throws at a kind
   *  that nothing carries out. */
  async add(tasks: readonly WaitingTask[], manager?: EntityManager): Promise<void> {
    const unknown = tasks.find(({ work }) => !Object.hasOwn(jobs, work.kind));
    if (unknown) throw new Error(`nothing carries out tasks of the kind ${unknown.work.kind}`);
    for (const [kind, { job, entryOf }] of Object.entries(jobs)) {
      const entries = tasks
        .filter(({ work }) => work.kind === kind)
        .map(({ id, projectId, work }) => ({ ...entryOf(projectId, work), jobKey: id }));
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
}
