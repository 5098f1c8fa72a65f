import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { InjectDataSource } from '@nestjs/typeorm';
import { topics } from '@scrip/contracts/registry';
import type { StoredEvent } from '@scrip/event-store';
import { type MachineClock, Fault } from '@scrip/kernel';
import { Consumes, type EventBatch } from '@scrip/messaging';
import { InjectMachineClock } from '@scrip/service';
import type { DataSource, EntityManager } from 'typeorm';
import { LaneJobs } from '../delivery/lane-jobs';
import type { PublicEvent } from '../public-events/public-event';
import { PublicEventRendering } from '../public-events/public-event.rendering';
import { isTold } from '../public-events/renderers';
import { insertShownCustomers, withoutErased } from '../erasure/erased-customer.table';
import { activeEndpoints, insertPublicEvents, insertSendouts } from './fan-out.table';
import { type SubscribedEndpoint, heardBy, isSubscribed, sendoutOf } from './sendout';

/** Turns domain events that an endpoint listens to into public events, sendouts and delivery jobs, in the transaction
 *  of the consumer's position: no event is lost, and a topic delivered twice adds nothing. What no endpoint listens to
 *  is not stored: it can be rendered from the log. Where a project has no endpoint a batch costs one statement: endpoints are read after
 *  their events, so who subscribed before an event is found. Never rebuilt, because sent deliveries cannot be taken back. Source:
 *  reference 06 §9.2, architecture §5. */
@Controller()
export class FanOutConsumer {
  constructor(
    private readonly rendering: PublicEventRendering,
    private readonly lanes: LaneJobs,
    @InjectDataSource('webhooks') private readonly dataSource: DataSource,
    @InjectMachineClock() private readonly clock: MachineClock,
  ) {}

  @Consumes(
    [
      topics.campaign,
      topics.voucher,
      topics.customer,
      topics.redemption,
      topics.promotionTier,
      topics.promotionStack,
      topics.publication,
      topics.rule,
    ],
    { group: 'webhooks.fan-out' },
  )
  async fanOut(@Payload() batch: EventBatch): Promise<void> {
    const told = batch.events.filter(({ type }) => isTold(type));
    const subscribed = told.length > 0 ? await this.listeners(this.dataSource.manager, told) : [];
    if (subscribed.length === 0) return;
    const tellable = await this.rendering.tellable(told);
    const heard = heardBy(subscribed, tellable);
    if (heard.length === 0) return;
    const events = await this.rendering.render(heard);
    let endpoints: string[] = [];
    await batch.commit(async (manager) => {
      const listeners = await this.listeners(manager, told);
      if (heardBy(listeners, tellable).some((told) => !heard.includes(told)))
        throw new Fault('unavailable', 'an endpoint subscribed while its events were rendered');
      endpoints = await this.store(manager, events, listeners);
    });
    this.lanes.wake(endpoints);
  }

  private listeners(manager: EntityManager, told: readonly StoredEvent[]): Promise<SubscribedEndpoint[]> {
    return activeEndpoints(manager, [...new Set(told.map(({ projectId }) => projectId))]);
  }

  /** Stores what an endpoint listens to. Returns the endpoints with new sendouts. */
  private async store(
    manager: EntityManager,
    rendered: readonly PublicEvent[],
    endpoints: readonly SubscribedEndpoint[],
  ): Promise<string[]> {
    const now = this.clock.now();
    const heard = rendered.filter((event) => endpoints.some((endpoint) => isSubscribed(endpoint, event)));
    const sendouts = (await withoutErased(manager, heard)).flatMap((event) =>
      endpoints
        .filter((endpoint) => isSubscribed(endpoint, event))
        .map((endpoint) => sendoutOf(event, endpoint, now)),
    );
    if (sendouts.length === 0) return [];
    const events = [...new Set(sendouts.map(({ event }) => event))];
    await insertPublicEvents(manager, events);
    await insertShownCustomers(manager, events);
    const fresh = await insertSendouts(manager, sendouts, now);
    const projectOf = new Map(endpoints.map(({ id, projectId }) => [id, projectId]));
    await this.lanes.add(
      fresh.map((webhookId) => ({ webhookId, projectId: projectOf.get(webhookId) as string })),
      manager,
    );
    return fresh;
  }
}
