import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { type AsyncActionEnqueued, topics } from '@scrip/contracts';
import { Consumes, type EventBatch } from '@scrip/messaging';
import { InjectJobQueue, JobQueue } from '@scrip/service';
import { laneOf } from './generation-lane';
import { generateVouchers } from './generation.job';

/** Starts the work on ordered codes, once for each order. */
@Controller()
export class GenerationConsumer {
  constructor(@InjectJobQueue('campaigns') private readonly queue: JobQueue) {}

  @Consumes(topics.campaignTask, { group: 'campaigns.generation' })
  async tasks(@Payload() batch: EventBatch): Promise<void> {
    const orders = batch.events.filter(({ type }) => type === 'AsyncActionEnqueued');
    if (orders.length === 0) return;
    const entries = orders.map(({ id, projectId, data }) => {
      const { campaign_id } = (data as AsyncActionEnqueued['data']).work;
      return { payload: { project_id: projectId, campaign_id }, jobKey: id, queueName: laneOf(campaign_id) };
    });
    await batch.commit((manager) => this.queue.addMany(generateVouchers, entries, manager));
  }
}
