import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { InjectDataSource } from '@nestjs/typeorm';
import type { OrderEvent, OrderSnapshot } from '@scrip/contracts/customers';
import { topics } from '@scrip/contracts/registry';
import type { StoredEvent } from '@scrip/event-store';
import { Consumes, type EventBatch } from '@scrip/messaging';
import type { DataSource } from 'typeorm';
import {
  type Activity,
  activityOfCustomer,
  activityOfOrder,
  activityOfPublication,
  activityOfRedemption,
  activityOfReferral,
  activityOfSegment,
} from './activity';
import {
  deleteActivities,
  insertActivities,
  insertOwnActivities,
  ordersBefore,
  segmentNames,
} from './activity.table';

const activities = { group: 'customers.activity', fills: ['customer_activities'] };

const present = <T>(found: readonly (T | null)[]): T[] => found.filter((one) => one !== null);

const store = async (batch: EventBatch, told: readonly Activity[]): Promise<void> => {
  if (told.length > 0) await batch.commit((manager) => insertActivities(manager, told));
};

const inProject = ({ projectId, streamId }: StoredEvent) => ({ project_id: projectId, id: streamId });

/** Keeps what customers did and what became of it. Source: reference 06 §8. */
@Controller()
export class ActivityProjection {
  constructor(@InjectDataSource('customers') private readonly dataSource: DataSource) {}

  @Consumes(topics.customer, activities)
  async customers(@Payload() batch: EventBatch): Promise<void> {
    const erased = batch.events.filter(({ type }) => type === 'CustomerErased').map(inProject);
    const told = present(batch.events.map(activityOfCustomer));
    if (told.length + erased.length === 0) return;
    await batch.commit(async (manager) => {
      await insertOwnActivities(manager, told);
      await deleteActivities(manager, erased);
    });
  }

  @Consumes(topics.order, activities)
  async orders(@Payload() batch: EventBatch): Promise<void> {
    const orders = await this.ordersAfter(batch.events);
    await store(
      batch,
      batch.events.flatMap((event, index) => {
        const order = orders[index];
        return order ? present([activityOfOrder(event, order)]) : [];
      }),
    );
  }

  @Consumes(topics.redemption, activities)
  async redemptions(@Payload() batch: EventBatch): Promise<void> {
    await store(batch, present(batch.events.map(activityOfRedemption)));
  }

  @Consumes(topics.publication, activities)
  async publications(@Payload() batch: EventBatch): Promise<void> {
    await store(batch, present(batch.events.map(activityOfPublication)));
  }

  @Consumes(topics.referral, activities)
  async referrals(@Payload() batch: EventBatch): Promise<void> {
    await store(batch, present(batch.events.map(activityOfReferral)));
  }

  @Consumes(topics.segment, activities)
  async segments(@Payload() batch: EventBatch): Promise<void> {
    const passages = batch.events.filter(({ type }) => type === 'SegmentEntered' || type === 'SegmentLeft');
    if (passages.length === 0) return;
    const names = await segmentNames(this.dataSource, passages.map(inProject));
    await store(
      batch,
      present(
        passages.map((event) =>
          activityOfSegment(event, names.get(`${event.projectId} ${event.streamId}`) ?? ''),
        ),
      ),
    );
  }

  /** Each event's order as the event leaves it. A status has the order of the change before it, mostly of the same batch. */
  private async ordersAfter(events: readonly StoredEvent[]): Promise<(OrderSnapshot | null)[]> {
    const newest = new Map<string, OrderSnapshot>();
    const orders = events.map((event) => {
      const { type, data } = event as unknown as OrderEvent;
      const key = `${event.projectId} ${event.streamId}`;
      if (type === 'OrderCreated' || type === 'OrderUpdated') newest.set(key, data.order);
      return newest.get(key) ?? null;
    });
    const missing = events.flatMap((_, index) => (orders[index] ? [] : [index]));
    const found = await ordersBefore(
      this.dataSource,
      missing.map((index) => ({ ...inProject(events[index]!), version: events[index]!.version })),
    );
    missing.forEach((index, position) => (orders[index] = found[position] ?? null));
    return orders;
  }
}
