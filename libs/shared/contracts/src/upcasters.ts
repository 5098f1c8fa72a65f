import type { Upcasters } from '@scrip/kernel';
import { voucherUpcasters } from './campaigns/voucher.upcasters';
import { orderUpcasters } from './customers/order.upcasters';
import { taskUpcasters } from './operations/task.upcasters';
import { redemptionUpcasters } from './qualification/redemption.upcasters';
import { type Topic, topics } from './registry';

/** Topic → event type → steps from schema version 1 to 2, 2 to 3, …. Owners read their streams with them, consumers
 *  what is in topics, logs and parked. Source: reference 06 §9.3. */
export const eventUpcasters: Readonly<Partial<Record<Topic, Upcasters>>> = {
  [topics.voucher]: voucherUpcasters,
  [topics.order]: orderUpcasters,
  [topics.campaignTask]: taskUpcasters,
  [topics.customerTask]: taskUpcasters,
  [topics.catalogTask]: taskUpcasters,
  [topics.redemption]: redemptionUpcasters,
};

/** The upcasters of a topic's events; undefined where every event has its first schema version. */
export const upcastersOf = (topic: string): Upcasters | undefined => eventUpcasters[topic as Topic];
