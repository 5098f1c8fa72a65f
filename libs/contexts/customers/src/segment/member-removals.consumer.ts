import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { topics } from '@scrip/contracts/registry';
import { Consumes, type EventBatch } from '@scrip/messaging';
import { InjectJobQueue, JobQueue } from '@scrip/service';
import { type Removal, removeMembers } from './member-removal.job';

/** Removes memberships of what was deleted. */
@Controller()
export class MemberRemovals {
  constructor(@InjectJobQueue('customers') private readonly queue: JobQueue) {}

  @Consumes(topics.segment, { group: 'customers.segment-removals' })
  segments(@Payload() batch: EventBatch): Promise<void> {
    return this.remove(batch, 'SegmentDeleted', 'segment_id');
  }

  @Consumes(topics.customer, { group: 'customers.segment-removals' })
  customers(@Payload() batch: EventBatch): Promise<void> {
    return this.remove(batch, 'CustomerDeleted', 'customer_id');
  }

  private async remove(batch: EventBatch, type: string, column: Removal['column']): Promise<void> {
    const entries = batch.events
      .filter((event) => event.type === type)
      .map(({ projectId, streamId }) => ({
        payload: { project_id: projectId, column, id: streamId },
        jobKey: `${column} ${projectId} ${streamId}`,
      }));
    if (entries.length > 0)
      await batch.commit((manager) => this.queue.addMany(removeMembers, entries, manager));
  }
}
