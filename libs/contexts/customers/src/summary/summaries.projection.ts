import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { erasedCustomers, type OrderEvent } from '@scrip/contracts/customers';
import type { RedemptionEvent } from '@scrip/contracts/qualification';
import { topics } from '@scrip/contracts/registry';
import type { StoredEvent } from '@scrip/event-store';
import { Consumes, type EventBatch } from '@scrip/messaging';
import { heldGiftCards, storeHeldGiftCards } from './gift-card.table';
import { type CountedOrder, countedOrder, storeCountedOrders } from './order-summary.table';
import { countsOf } from './redemption-summary';
import { deletePublished, publishedBy, storePublished } from './publication.table';
import { newestReferrals, storeReferrals } from './referral.table';
import { type AddedRedemptions, addRedemptions } from './redemption-summary.table';

const summaries = {
  group: 'customers.summaries',
  fills: [
    'customer_orders',
    'customer_order_summaries',
    'customer_redemption_summaries',
    'customer_gift_cards',
    'customer_publications',
    'customer_published_objects',
    'customer_referrals',
    'customer_referred_sums',
    'segment_retests',
  ],
};

const newestOrders = (events: readonly StoredEvent[]): CountedOrder[] => {
  const newest = new Map<string, CountedOrder>();
  for (const { projectId, streamId, version, ...event } of events) {
    const { type, data } = event as unknown as OrderEvent;
    if (type !== 'OrderCreated' && type !== 'OrderUpdated') continue;
    const counted = countedOrder(projectId, version, data.order);
    if (counted) newest.set(`${projectId}\n${streamId}`, counted);
  }
  return [...newest.values()];
};

const added = ({ projectId, ...event }: StoredEvent): AddedRedemptions[] => {
  const counts = countsOf(event as unknown as RedemptionEvent);
  return counts ? [{ project_id: projectId, ...counts }] : [];
};

/** Keeps what orders, redemptions, gift cards, referrals and publications say of customers. Source: reference 07 §3, §4. */
@Controller()
export class SummariesProjection {
  @Consumes(topics.order, summaries)
  async orders(@Payload() batch: EventBatch): Promise<void> {
    const orders = newestOrders(batch.events);
    if (orders.length > 0) await batch.commit((manager) => storeCountedOrders(manager, orders));
  }

  @Consumes(topics.redemption, summaries)
  async redemptions(@Payload() batch: EventBatch): Promise<void> {
    const rows = batch.events.flatMap(added);
    if (rows.length > 0) await batch.commit((manager) => addRedemptions(manager, rows));
  }

  @Consumes(topics.voucher, summaries)
  async giftCards(@Payload() batch: EventBatch): Promise<void> {
    const cards = heldGiftCards(batch.events);
    if (cards.length > 0) await batch.commit((manager) => storeHeldGiftCards(manager, cards));
  }

  @Consumes(topics.referral, summaries)
  async referrals(@Payload() batch: EventBatch): Promise<void> {
    const referrals = newestReferrals(batch.events);
    if (referrals.length > 0) await batch.commit((manager) => storeReferrals(manager, referrals));
  }

  @Consumes(topics.publication, summaries)
  async publications(@Payload() batch: EventBatch): Promise<void> {
    const published = publishedBy(batch.events);
    if (published.length > 0) await batch.commit((manager) => storePublished(manager, published));
  }

  @Consumes(topics.customer, summaries)
  async erasures(@Payload() batch: EventBatch): Promise<void> {
    const erased = erasedCustomers(batch.events);
    if (erased.length > 0) await batch.commit((manager) => deletePublished(manager, erased));
  }
}
