import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import type { AsyncActionEnqueued } from '@scrip/contracts/operations';
import { topics } from '@scrip/contracts/registry';
import { Consumes, type EventBatch } from '@scrip/messaging';
import { TaskJobs, waitingTask } from './task-jobs';

/** Sees to it that each task is carried out, also where who enqueued it ended before it added the job. */
@Controller()
export class TasksConsumer {
  constructor(private readonly jobs: TaskJobs) {}

  @Consumes(topics.campaignTask, { group: 'campaigns.generation' })
  async tasks(@Payload() batch: EventBatch): Promise<void> {
    const tasks = batch.events
      .filter(({ type }) => type === 'AsyncActionEnqueued')
      .map(({ projectId, data }) => waitingTask(projectId, data as AsyncActionEnqueued['data']));
    if (tasks.length > 0) await batch.commit((manager) => this.jobs.add(tasks, manager));
  }
}
