import { Controller, type Type } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import type { Topic } from '@scrip/contracts/registry';
import { Consumes, type EventBatch } from '@scrip/messaging';
import { TaskJobs } from './task-jobs';

/** Sees to it that each task of a topic is carried out, also where who enqueued it ended before it added the job. */
export const tasksConsumer = (topic: Topic, group: string): Type<unknown> => {
  @Controller()
  class TasksConsumer {
    constructor(private readonly jobs: TaskJobs) {}

    @Consumes(topic, { group })
    tasks(@Payload() batch: EventBatch): Promise<void> {
      return this.jobs.take(batch);
    }
  }
  return TasksConsumer;
};
