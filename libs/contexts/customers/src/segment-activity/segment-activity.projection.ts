import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { InjectDataSource } from '@nestjs/typeorm';
import type { SegmentSnapshot } from '@scrip/contracts/customers';
import { topics } from '@scrip/contracts/registry';
import type { StoredEvent } from '@scrip/event-store';
import { Consumes, type EventBatch } from '@scrip/messaging';
import type { DataSource } from 'typeorm';
import { activityOfSegmentChange, type SegmentActivity } from './segment-activity';
import { deleteSegmentActivities, insertSegmentActivities, segmentsAsTold } from './segment-activity.table';

const changes = new Set(['SegmentCreated', 'SegmentUpdated']);

const inProject = ({ projectId, streamId }: StoredEvent) => ({ project_id: projectId, id: streamId });

/** Keeps what became of segments, until they are deleted. Source: reference 07 §4. */
@Controller()
export class SegmentActivityProjection {
  constructor(@InjectDataSource('customers') private readonly dataSource: DataSource) {}

  @Consumes(topics.segment, { group: 'customers.segment-activity', fills: ['segment_activities'] })
  async segments(@Payload() batch: EventBatch): Promise<void> {
    const changed = batch.events.filter(({ type }) => changes.has(type));
    const deleted = batch.events.filter(({ type }) => type === 'SegmentDeleted').map(inProject);
    if (changed.length + deleted.length === 0) return;
    const updated = changed.filter(({ type }) => type === 'SegmentUpdated');
    const told = activitiesOf(changed, await segmentsAsTold(this.dataSource, updated.map(inProject)));
    await batch.commit(async (manager) => {
      await insertSegmentActivities(manager, told);
      await deleteSegmentActivities(manager, deleted);
    });
  }
}

/** Activities of events in order, each on the segment as the one before left it. */
const activitiesOf = (
  events: readonly StoredEvent[],
  known: Map<string, SegmentSnapshot>,
): SegmentActivity[] =>
  events.flatMap((event) => {
    const key = `${event.projectId} ${event.streamId}`;
    const activity = activityOfSegmentChange(event, known.get(key));
    if (!activity) return [];
    known.set(key, activity.segment);
    return [activity];
  });
