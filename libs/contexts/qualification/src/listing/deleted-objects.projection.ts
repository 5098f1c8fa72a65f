import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import type { CampaignEvent, VoucherEvent } from '@scrip/contracts/campaigns';
import { topics } from '@scrip/contracts/registry';
import type { StoredEvent } from '@scrip/event-store';
import { Consumes, type EventBatch } from '@scrip/messaging';
import { storeDeletedObjects } from './deleted-objects.table';

interface Deleted {
  project_id: string;
  object_id: string;
}

/** Vouchers that go with their campaign are left out with it. */
const deletedBy = ({ projectId: project_id, streamId: object_id, ...event }: StoredEvent): Deleted[] => {
  const { type, data } = event as unknown as CampaignEvent | VoucherEvent;
  const isDeleted = type === 'CampaignDeleted' || (type === 'VoucherDeleted' && !data.bulk);
  return isDeleted ? [{ project_id, object_id }] : [];
};

/** Keeps which campaigns and vouchers are deleted, for good: none comes back from the bin. Source: reference 04 §4.4, §5. */
@Controller()
export class DeletedObjectsProjection {
  @Consumes([topics.campaign, topics.voucher], {
    group: 'qualification.deleted-objects',
    fills: ['deleted_objects'],
  })
  async deleted(@Payload() batch: EventBatch): Promise<void> {
    const deleted = batch.events.flatMap(deletedBy);
    if (deleted.length > 0) await batch.commit((manager) => storeDeletedObjects(manager, deleted));
  }
}
