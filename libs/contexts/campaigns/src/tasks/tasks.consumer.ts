import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import type { AsyncActionEnqueued, TaskWork } from '@scrip/contracts/operations';
import { topics } from '@scrip/contracts/registry';
import { Consumes, type EventBatch } from '@scrip/messaging';
import { InjectJobQueue, type JobEntry, type JobDefinition, JobQueue } from '@scrip/service';
import { type CampaignToGenerate, laneOf } from '../generation/generation-lane';
import { generateVouchers } from '../generation/generation.job';

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

/** Starts the work on tasks, once for each. */
@Controller()
export class TasksConsumer {
  constructor(@InjectJobQueue('campaigns') private readonly queue: JobQueue) {}

  @Consumes(topics.campaignTask, { group: 'campaigns.generation' })
  async tasks(@Payload() batch: EventBatch): Promise<void> {
    const tasks = batch.events
      .filter(({ type }) => type === 'AsyncActionEnqueued')
      .map(({ id, projectId, data }) => ({
        id,
        projectId,
        work: (data as AsyncActionEnqueued['data']).work,
      }));
    if (tasks.length === 0) return;
    const unknown = tasks.find(({ work }) => !Object.hasOwn(jobs, work.kind));
    if (unknown) throw new Error(`nothing carries out tasks of the kind ${unknown.work.kind}`);
    await batch.commit(async (manager) => {
      for (const [kind, { job, entryOf }] of Object.entries(jobs)) {
        const entries = tasks
          .filter(({ work }) => work.kind === kind)
          .map(({ id, projectId, work }) => ({ ...entryOf(projectId, work), jobKey: id }));
        if (entries.length > 0) await this.queue.addMany(job, entries, manager);
      }
    });
  }
}
